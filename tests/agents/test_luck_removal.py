"""Luck removed from recorded hands: exactly without bias, and never from a part of a file."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from errai.agents.agent import CheckedAgent
from errai.agents.loading import load_agent
from errai.agents.luck_removal import KnownPlayer, LuckRemains, chips_by_cards
from errai.games.acpc import format_betting, parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.recorded_hand import RecordedHand
from errai.games.state import CALL, FOLD, Action, BettingState, Raise, initial_state
from errai.play.hand_start import HandStart

LEDUC = load_game("leduc")
NO_LIMIT = load_game("holdem.nolimit.2p")


class Remembering:
    """An agent that is asked once at each public state: a seeded one draws its answer anew each time."""

    tells_estimates = False

    def __init__(self, agent: CheckedAgent) -> None:
        self.name = agent.name
        self._agent = agent
        self._answers: dict[tuple[str, tuple[int, ...]], ActionProbabilities] = {}

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        place = format_betting(state), board
        if place not in self._answers:
            self._answers[place] = self._agent.action_probabilities(state, board)
        return self._answers[place]

    played_probabilities = action_probabilities


def every_hand(
    definition: GameDefinition, agents: tuple[Remembering, Remembering]
) -> Iterator[tuple[float, RecordedHand]]:
    """Every deal and every betting of a game with one hole card, with its probability."""
    num_board = sum(definition.num_board_cards)
    deals = list(permutations(range(definition.deck.size), 2 + num_board))
    for first, second, *board in deals:
        for probability, state in _played(initial_state(definition), (first, second), tuple(board), agents):
            dealt = tuple(board[: sum(definition.num_board_cards[: state.round + 1])])
            yield (
                probability / len(deals),
                RecordedHand("0", state, ((first,), (second,)), dealt, ("ann", "bob"), None),
            )


def _played(
    state: BettingState, cards: tuple[int, int], board: tuple[int, ...], agents: tuple[Remembering, Remembering]
) -> Iterator[tuple[float, BettingState]]:
    if state.is_terminal:
        yield 1.0, state
        return
    player = state.actor
    assert player is not None
    seen = board[: sum(state.definition.num_board_cards[: state.round + 1])]
    answer = agents[player].action_probabilities(state, seen)
    rows = [array[min(cards[player], len(array) - 1)] for array in (answer.fold, answer.call, answer.raises)]
    raises = [Raise(total) for total in answer.raise_totals.tolist()]
    choices: list[tuple[Action, float]] = [(FOLD, rows[0]), (CALL, rows[1]), *zip(raises, rows[2], strict=True)]
    for action, share in choices:
        if share > 0.0:
            for probability, end in _played(state.apply(action), cards, board, agents):
                yield float(share) * probability, end


# The estimate has never heard of the opponent: the mean is right whatever it plays.
@pytest.mark.parametrize(("seat", "opponent"), [(0, "always-raise"), (1, "fold=0.6,call=0.2,raise=0.2")])
def test_the_mean_over_all_hands_of_leduc_is_that_of_the_payoffs_and_the_variance_is_lower(
    seat: int, opponent: str
) -> None:
    known, other = (Remembering(load_agent(name, LEDUC)) for name in ("seed=1", opponent))
    player = KnownPlayer("ann" if seat == 0 else "bob", known, HandStart(LEDUC))
    shares, won = [], []
    for share, hand in every_hand(LEDUC, (known, other) if seat == 0 else (other, known)):
        assert hand.payoffs_chips is not None
        shares.append(share)
        by_cards = chips_by_cards(hand) * (-1 if seat == 0 else 1)
        won.append((float(hand.payoffs_chips[1 - seat]), by_cards, player.opponent_chips(hand)))
    assert sum(shares) == pytest.approx(1.0, abs=1e-12)
    means = np.array(shares) @ np.array(won)
    plain, by_cards, by_strategy = np.array(shares) @ (np.array(won) - means) ** 2
    assert means[1:] == pytest.approx([means[0]] * 2, abs=1e-12)
    assert by_strategy < by_cards < plain


def recorded(betting: str, cards: tuple[str, str | None], board: str = "") -> RecordedHand:
    deck = NO_LIMIT.deck
    first, second = (None if text is None else deck.parse(text) for text in cards)
    return RecordedHand("7", parse_betting(NO_LIMIT, betting), (first, second), deck.parse(board), ("ann", "bob"), None)


def test_calling_down_wins_nothing_but_luck() -> None:
    assert chips_by_cards(recorded("cc/cc/cc/cc", ("AsAh", "7d2c"), "2s3s4d5d6d")) == 0.0


def test_an_all_in_counts_its_equity() -> None:
    # Of 44 rivers two kings lose, so the edge is 40 / 44. The call changes nothing, and neither does the river.
    chips = chips_by_cards(recorded("cc/cc/r20000c/", ("AsAh", "KdKc"), "2s3s4d8cKh"))
    assert chips == pytest.approx((20000 - 100) * 40 / 44)


def test_what_a_record_hides_stays_luck() -> None:
    with pytest.raises(LuckRemains, match="hand 7 does not show the cards of both players"):
        chips_by_cards(recorded("r300f", ("AsAh", None)))
    bob = KnownPlayer("bob", load_agent("always-call", NO_LIMIT), HandStart(NO_LIMIT))
    assert bob.opponent_chips(recorded("cr300c/cc/cc/cc", ("AsAh", None), "2s3s4d5d6d")) == pytest.approx(
        (300 - 100) * (2 * 0.852037 - 1), rel=1e-5
    )  # all-in equity of AA against a random hand: .852037 (figures.md, section 3)
    with pytest.raises(LuckRemains, match="`bob` did not play the strategy: in hand 7 it never takes `raise"):
        bob.opponent_chips(recorded("r300c/cc/cc/cc", ("AsAh", None), "2s3s4d5d6d"))
