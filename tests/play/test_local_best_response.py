import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.agents.agent import CheckedAgent
from errai.agents.baselines import SeededMixture
from errai.agents.loading import load_agent
from errai.cards.hands import hand_index, num_hands
from errai.errors import InputError
from errai.evaluate.flat_best_response import best_response_flat
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, BettingState, Raise
from errai.play.bet_sets import parse_bets
from errai.play.local_best_response import LocalBestResponse
from errai.play.opponent_range import OpponentRange
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form
from reference.game_strategies import hands as played_hands
from reference.local_best_response import exact_value_chips, figure_1

NO_LIMIT = load_game("holdem.nolimit.2p")
LEDUC = load_game("leduc")
KUHN = load_game("kuhn")

# Small, but with two hole cards and no limit.
SHORT = GameDefinition(
    name="short",
    is_limit=False,
    blinds=(4, 2),
    first_player=(1, 0),
    num_suits=3,
    num_ranks=4,
    num_hole_cards=2,
    num_board_cards=(0, 1),
    stacks=(40, 40),
)


def response_of(definition: GameDefinition, bets: str = "fcpa") -> LocalBestResponse:
    return LocalBestResponse(definition, parse_bets(bets), frozenset(range(definition.num_rounds)))


@settings(max_examples=60, deadline=None)
@given(
    played_hands(st.just(SHORT)),
    st.integers(0, 5),
    st.permutations(range(12)),
    st.sampled_from(["fc", "fcpa", "0.3,2"]),
)
def test_the_choice_is_that_of_the_papers_figure(
    states: list[BettingState], seed: int, cards: list[int], bets: str
) -> None:
    agent = CheckedAgent(SeededMixture(seed))
    response = response_of(SHORT, bets)
    for state in states[:-1]:
        board = tuple(cards[2 : 2 + state.round])
        opponent_range = OpponentRange(SHORT, cards[:2])
        opponent_range.observe_cards(board)
        hole_cards = (cards[0], cards[1])
        chosen = response.choose(agent, state, board, hole_cards, opponent_range.probabilities)
        _, utility = figure_1(
            agent, state, board, hole_cards, opponent_range.probabilities, response.bets.raise_totals(state)
        )
        best = max(utility.values())
        assert best <= 1e-9 if chosen == FOLD else utility[chosen] == pytest.approx(best, abs=1e-9)


def strategy_of(agent: CheckedAgent, form: ExtensiveForm, definition: GameDefinition) -> np.ndarray:
    """An agent's answers as a strategy of the flat form whose deals are all told apart."""
    strategy = np.zeros(form.num_actions)
    for infoset, label in enumerate(form.infoset_labels):
        cards, _, betting = label.partition(":")
        hole, _, board = cards.partition("/")
        state = parse_betting(definition, betting)
        hand = int(hand_index(np.array(definition.deck.parse(hole))))
        answer = agent.action_probabilities(state, definition.deck.parse(board.replace("/", "")))
        count = num_hands(definition.deck, definition.num_hole_cards)
        by_letter = {
            "f": np.broadcast_to(answer.fold, count)[hand],
            "c": np.broadcast_to(answer.call, count)[hand],
            "r": np.broadcast_to(answer.raises.sum(axis=1), count)[hand],
        }
        actions = form.actions_of(infoset)
        strategy[actions] = [by_letter[letter] for letter in form.action_labels[actions]]
    return strategy


@pytest.mark.parametrize("name", ["seed=1", "seed=2", "random", "always-call", "always-raise", "call=3,fold=1"])
@pytest.mark.parametrize("definition", [KUHN, LEDUC], ids=["kuhn", "leduc"])
def test_it_never_wins_more_than_the_exact_best_response(definition: GameDefinition, name: str) -> None:
    agent = load_agent(name, definition)
    form = build_extensive_form(definition, merge_suits=False)
    strategy = strategy_of(agent, form, definition)
    for seat in (0, 1):
        best = best_response_flat(form, strategy, player=seat).value_chips
        value = exact_value_chips(response_of(definition), agent, seat=seat)
        assert value <= best + 1e-9
        # It is a good response to players this weak, so the bound is no accident.
        assert value > 0.3 * best


def test_against_always_fold_it_wins_the_blinds() -> None:
    state = parse_betting(NO_LIMIT, "")
    agent = load_agent("always-fold", NO_LIMIT)
    opponent_range = OpponentRange(NO_LIMIT, (0, 1)).probabilities
    # A fold that is certain makes every size worth the same; of equal ones it takes the smallest.
    assert response_of(NO_LIMIT).choose(agent, state, (), (0, 1), opponent_range) == Raise(300)


def choice_with(hand: str, betting: str, *, board: str = "", bets: str = "fcpa", agent: str = "always-call") -> object:
    deck = NO_LIMIT.deck
    hole_cards, cards = deck.parse(hand), deck.parse(board)
    opponent_range = OpponentRange(NO_LIMIT, hole_cards)
    opponent_range.observe_cards(cards)
    state = parse_betting(NO_LIMIT, betting)
    return response_of(NO_LIMIT, bets).choose(
        load_agent(agent, NO_LIMIT), state, cards, hole_cards, opponent_range.probabilities
    )


def test_against_always_call_it_goes_all_in_when_it_is_ahead_and_checks_when_it_is_not() -> None:
    assert choice_with("AsAd", "c") == Raise(20000)
    assert choice_with("7h2c", "c") == CALL


def test_facing_a_bet_it_folds_what_is_behind_the_price() -> None:
    # Seven high beats nobody on the river, and 7-2 offsuit wins .345836 against any hand, where all-in asks for a half.
    assert choice_with("7h2c", "cc/cc/cc/r200", board="AsKsQs9d8d") == FOLD
    assert choice_with("7h2c", "r20000") == FOLD
    assert choice_with("AsAd", "r20000") == CALL


def test_it_calls_where_all_hands_tie() -> None:
    # The board is a royal flush: calling any bet wins back half of a pot that is more than it costs.
    assert choice_with("7h2c", "cc/cc/cc/r20000", board="AsKsQsJsTs", agent="always-raise") == CALL


def test_outside_its_rounds_it_checks_and_calls() -> None:
    response = LocalBestResponse(NO_LIMIT, parse_bets("fcpa"), frozenset({2, 3}))
    agent = load_agent("always-call", NO_LIMIT)
    opponent_range = OpponentRange(NO_LIMIT, (0, 1)).probabilities
    assert response.choose(agent, parse_betting(NO_LIMIT, "r20000"), (), (0, 1), opponent_range) == CALL


def test_on_tree_it_considers_the_sizes_of_the_strategy() -> None:
    assert choice_with("AsAd", "c", bets="on-tree", agent="pot-raise=1,call=1") == Raise(300)
    assert choice_with("AsAd", "c", bets="on-tree", agent="always-call") == CALL


def test_rounds_that_the_game_does_not_have_are_refused() -> None:
    with pytest.raises(InputError, match=r"`leduc` has the rounds 1 to 2; got \[1, 4\]"):
        LocalBestResponse(LEDUC, parse_bets("fc"), frozenset({0, 3}))
