from functools import partial
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from errai.agents.agent import Agent, AgentPlayer
from errai.agents.loading import load_agent
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.played_hand import PlayedHand
from errai.games.showdown import payoffs_chips
from errai.games.state import CALL, FOLD, Action, BettingState, Raise, initial_state
from errai.play.hand_start import HandStart
from errai.play.match_run import play_match
from errai.play.matches import Competitor, MatchResult, play_scheduled_hand
from errai.play.schedule import DealerSchedule, MatchSchedule

KUHN = load_game("kuhn")
LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")


def competitor(name: str, definition: GameDefinition) -> Competitor:
    return Competitor(name, partial(AgentPlayer, load_agent(name, definition)))


def pair(definition: GameDefinition, first: str, second: str) -> tuple[Competitor, Competitor]:
    return competitor(first, definition), competitor(second, definition)


def exact_value_chips(agents: tuple[Agent, Agent]) -> float:
    """What the first agent wins a hand of Kuhn, by walking through every deal, action and seat."""

    def walk(state: BettingState, cards: tuple[int, int], players: tuple[Agent, Agent]) -> float:
        if state.actor is None:
            return float(payoffs_chips(state, ((cards[0],), (cards[1],)), ())[0])
        answer = players[state.actor].action_probabilities(state, ())
        hand = cards[state.actor]
        branches: list[tuple[Action, NDArray[np.float64]]] = [(FOLD, answer.fold), (CALL, answer.call)]
        branches += [(Raise(int(t)), answer.raises[:, k]) for k, t in enumerate(answer.raise_totals)]
        rows = [(action, column[hand if len(column) > 1 else 0]) for action, column in branches]
        return sum(float(share) * walk(state.apply(action), cards, players) for action, share in rows if share)

    deals = list(permutations(range(3), 2))
    start = initial_state(KUHN)
    as_first = np.mean([walk(start, cards, agents) for cards in deals])
    as_second = np.mean([-walk(start, cards, agents[::-1]) for cards in deals])
    return float(as_first + as_second) / 2


@pytest.mark.parametrize("is_duplicate", [False, True], ids=["plain", "duplicate"])
def test_the_mean_is_the_exact_value_within_its_own_error(is_duplicate: bool) -> None:
    names = ("seed=3", "always-fold")
    exact = exact_value_chips((load_agent(names[0], KUHN), load_agent(names[1], KUHN)))
    result = play_match(KUHN, pair(KUHN, *names), MatchSchedule(6_000, 1, is_duplicate))
    estimate = result.estimate_mbb()
    # Four standard errors: once in sixteen thousand seeds, and the seed is fixed.
    assert abs(estimate.mean - 1000 * exact) < 4 * estimate.standard_error
    assert 1000 * abs(exact) > 10 * estimate.standard_error


def test_duplicate_play_narrows_the_interval_of_the_same_number_of_hands() -> None:
    players = pair(LIMIT, "always-call", "call-or-raise")
    plain = play_match(LIMIT, players, MatchSchedule(1_000, 1))
    duplicate = play_match(LIMIT, players, MatchSchedule(1_000, 1, is_duplicate=True))
    assert duplicate.estimate_mbb().half_width < 0.6 * plain.estimate_mbb().half_width
    saved = duplicate.saved_by_duplicate()
    assert saved is not None
    assert saved > 3
    assert plain.saved_by_duplicate() is None


def test_an_agent_against_itself_wins_nothing_on_a_duplicate_deal_if_it_does_not_draw() -> None:
    result = play_match(LIMIT, pair(LIMIT, "always-raise", "always-raise"), MatchSchedule(40, 1, is_duplicate=True))
    assert not result.observations_mbb().any()
    assert result.winnings_chips.any()
    assert result.saved_by_duplicate() is None  # nothing is left that could be uncertain


def test_a_match_is_the_same_for_the_same_seed_and_any_hand_can_be_played_alone() -> None:
    schedule = MatchSchedule(60, 5, is_duplicate=True)
    players = pair(NO_LIMIT, "call-or-raise", "seed=1")
    hands: list[PlayedHand] = []
    first = play_match(NO_LIMIT, players, schedule, on_hand=hands.append)
    again = play_match(NO_LIMIT, players, schedule)
    assert np.array_equal(first.winnings_chips, again.winnings_chips)
    assert play_scheduled_hand(HandStart(NO_LIMIT), players, schedule, 42) == hands[42]
    other = play_match(NO_LIMIT, players, MatchSchedule(60, 6, is_duplicate=True))
    assert not np.array_equal(first.winnings_chips, other.winnings_chips)


def test_winnings_belong_to_the_first_competitor_wherever_it_sits() -> None:
    hands: list[PlayedHand] = []
    result = play_match(LIMIT, pair(LIMIT, "always-raise", "always-fold"), MatchSchedule(4, 1), on_hand=hands.append)
    # The small blind folds at once, or the big blind folds to the raise.
    assert result.winnings_chips.tolist() == [5, 10, 5, 10]
    assert [hand.names[0] for hand in hands] == ["always-raise", "always-fold"] * 2
    as_big_blind, as_dealer = result.by_position_mbb()
    assert as_big_blind is not None
    assert as_dealer is not None
    assert (as_big_blind.mean, as_dealer.mean) == (500.0, 1000.0)
    assert result.estimate_mbb().mean == 750.0  # the published exploitability of always-fold, in mbb


def test_of_a_single_hand_only_one_seat_was_played() -> None:
    result = play_match(LIMIT, pair(LIMIT, "always-raise", "always-fold"), MatchSchedule(1, 1))
    as_big_blind, as_dealer = result.by_position_mbb()
    assert as_big_blind is not None
    assert as_dealer is None
    assert result.estimate_mbb().half_width == float("inf")


@pytest.mark.parametrize(
    ("schedule", "won"),
    [
        (MatchSchedule(4, 1, is_duplicate=True), [10, -30, 20, 60]),
        (DealerSchedule(4, 1, is_duplicate=True), [10, 20, -30, 60]),
    ],
    ids=["at once", "dealer"],
)
def test_observations_of_a_duplicate_match_pair_the_hands_of_a_deal(schedule: MatchSchedule, won: list[int]) -> None:
    result = MatchResult(LIMIT, schedule, ("a", "b"), np.array(won, dtype=np.float64), np.zeros(4))
    assert result.observations_mbb().tolist() == [-1000.0, 4000.0]
    assert result.total_chips == (60, -60)
    deals = [schedule.deal_number(hand) for hand in range(4)]
    for deal in (0, 1):
        first, second = (hand for hand in range(4) if deals[hand] == deal)
        assert schedule.position_of(first, 0) != schedule.position_of(second, 0)
        assert schedule.deal(HandStart(LIMIT), first) == schedule.deal(HandStart(LIMIT), second)
