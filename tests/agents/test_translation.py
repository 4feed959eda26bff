import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.agents.agent import CheckedAgent, find_mistake
from errai.agents.translation import (
    AbstractAgent,
    HardTranslation,
    SampledTranslation,
    SoftTranslation,
    nearest,
    pseudo_harmonic,
    translate,
)
from errai.errors import InputError
from errai.games.acpc import format_betting, parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, Action, BettingState, Raise
from errai.play.bet_sets import parse_bets
from reference.game_strategies import hands as played_hands

NO_LIMIT = load_game("holdem.nolimit.2p")


class OnTree:
    """Half, whole and all-in; takes every action of its tree equally often, folding more with low hands."""

    name = "tree"

    def __init__(self, bets: str = "0.5,1,all-in") -> None:
        self._bets = parse_bets(bets)

    def actions(self, state: BettingState) -> list[Action]:
        return [*([FOLD] if state.can_fold() else []), CALL, *map(Raise, self._bets.raise_totals(state))]

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        totals = self._bets.raise_totals(state)
        fold = np.linspace(0.5, 0.0, 1326) if state.can_fold() else np.zeros(1326)
        each = (1 - fold) / (1 + len(totals))
        return ActionProbabilities(
            fold=fold, call=each, raise_totals=totals, raises=np.repeat(each[:, np.newaxis], len(totals), axis=1)
        )


def translated(agent: HardTranslation, betting: str) -> dict[str, float]:
    found = agent.translations(parse_betting(NO_LIMIT, betting))
    return {"off the tree" if state is None else format_betting(state): share for state, share in found.items()}


def test_betting_on_the_tree_stays_what_it_is() -> None:
    # r200 is a raise of half the pot (100 + 0.5 * 200), r600 one of the pot (200 + 1 * 400).
    for agent in (HardTranslation(OnTree()), SoftTranslation(OnTree()), SampledTranslation(OnTree())):
        assert translated(agent, "r200r600c/r20000") == {"r200r600c/r20000": 1.0}


# x = 0.6 pots lies between 0.5 and 1; the lower gets (1 - 0.6) * 1.5 / (0.5 * 1.6) = 0.75 (Ganzfried, Sandholm 2013).
def test_soft_translation_is_pseudo_harmonic() -> None:
    assert pseudo_harmonic(0.6, 0.5, 1.0) == pytest.approx(0.75)
    assert translated(SoftTranslation(OnTree()), "r220") == pytest.approx({"r200": 0.75, "r300": 0.25})


def test_hard_translation_takes_the_nearest_and_of_two_the_lower() -> None:
    agent = HardTranslation(OnTree())
    assert translated(agent, "r249") == {"r200": 1.0}
    assert translated(agent, "r250") == {"r200": 1.0}
    assert translated(agent, "r251") == {"r300": 1.0}


@given(st.floats(0, 5), st.floats(0, 5), st.floats(0, 1))
def test_pseudo_harmonic_goes_from_one_at_the_lower_size_to_zero_at_the_upper(
    low: float, gap: float, at: float
) -> None:
    high = low + gap
    assert pseudo_harmonic(low, low, high) == pytest.approx(1.0)
    assert pseudo_harmonic(high, low, high) == pytest.approx(0.0 if high > low else 1.0)
    x = min(low + at * gap, high)
    # It keeps the lower size less often than linear interpolation would.
    linear = (high - x) / (high - low) if high > low else 1.0
    assert 0.0 <= pseudo_harmonic(x, low, high) <= linear + 1e-12
    assert nearest(x, low, high) in (0.0, 1.0)


@pytest.mark.parametrize("betting", ["r201", "r200r401"])
def test_raises_smaller_than_every_size_become_the_smallest(betting: str) -> None:
    agent = HardTranslation(OnTree("1,all-in"))
    assert list(translated(agent, betting)) == ["r300" if betting == "r201" else "r300r900"]


def test_raises_larger_than_every_size_become_the_largest() -> None:
    assert translated(SoftTranslation(OnTree("0.5,1")), "r15000") == {"r300": 1.0}


def test_two_raises_off_the_tree_become_up_to_four_sequences() -> None:
    found = translated(SoftTranslation(OnTree()), "r220r700")
    assert len(found) == 4
    assert sum(found.values()) == pytest.approx(1.0)


def test_a_raise_comes_back_as_the_same_fraction_of_the_real_pot() -> None:
    agent = HardTranslation(OnTree("1,all-in"))
    # A real bet of 320 is taken for the pot-sized 300; a pot-sized raise is then one to 3 * 320.
    answer = agent.action_probabilities(parse_betting(NO_LIMIT, "r320"), ())
    assert answer.raise_totals.tolist() == [960, 20000]


def test_a_hand_that_is_over_in_translation_is_checked_and_called() -> None:
    agent = HardTranslation(OnTree("all-in"))
    # The small raise becomes all-in, and after the call there is nothing left to do in the abstract hand.
    state = parse_betting(NO_LIMIT, "r200c/r400")
    assert translated(agent, "r200c/r400") == {"off the tree": 1.0}
    answer = agent.action_probabilities(state, NO_LIMIT.deck.parse("Ks8s3d"))
    assert (answer.fold.tolist(), answer.call.tolist(), answer.raise_totals.tolist()) == ([0.0], [1.0], [])


def test_where_the_real_game_allows_no_raise_the_raises_become_calls() -> None:
    agent = HardTranslation(OnTree("0.5,1"))
    answer = agent.action_probabilities(parse_betting(NO_LIMIT, "r20000"), ())
    assert len(answer.raise_totals) == 0
    assert answer.call == pytest.approx(1 - answer.fold)


def test_samples_come_near_the_exact_mean_and_are_the_same_at_the_same_state() -> None:
    state = parse_betting(NO_LIMIT, "r220r700")
    exact = SoftTranslation(OnTree()).action_probabilities(state, ())
    few, again, many = (
        SampledTranslation(OnTree(), num_samples=number, seed=2).action_probabilities(state, ())
        for number in (3, 3, 100_000)
    )
    assert np.array_equal(few.raises, again.raises)
    assert many.call == pytest.approx(exact.call, abs=0.01)
    assert not np.array_equal(few.raise_totals, exact.raise_totals) or not np.allclose(few.raises, exact.raises)


def test_what_a_sampled_translation_plays_is_the_exact_mean() -> None:
    state = parse_betting(NO_LIMIT, "r220r700")
    agent = CheckedAgent(SampledTranslation(OnTree(), num_samples=1))
    assert agent.tells_estimates
    exact = SoftTranslation(OnTree()).action_probabilities(state, ())
    assert np.array_equal(agent.played_probabilities(state, ()).raises, exact.raises)
    assert not CheckedAgent(SoftTranslation(OnTree())).tells_estimates


@settings(max_examples=80, deadline=None)
@given(played_hands(), st.sampled_from([HardTranslation, SoftTranslation, SampledTranslation]))
def test_the_answer_is_a_strategy_in_any_no_limit_game(
    states: list[BettingState], translation: type[HardTranslation]
) -> None:
    class AnyHand(OnTree):
        def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
            totals = self._bets.raise_totals(state)
            share = 1.0 / (2 + len(totals))
            fold = share if state.can_fold() else 0.0
            return ActionProbabilities(
                fold=fold, call=2 * share - fold, raise_totals=totals, raises=np.full(len(totals), share)
            )

    abstract: AbstractAgent = AnyHand()
    agent = translation(abstract)
    for state in states[:-1]:
        assert find_mistake(agent.action_probabilities(state, ()), state, ()) is None


def test_no_samples_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1 sample; got 0"):
        SampledTranslation(OnTree(), num_samples=0)


@pytest.mark.parametrize("how", ["hard", "soft", "sampled-3"])
def test_a_translation_that_was_pickled_answers_alike(how: str) -> None:
    state = parse_betting(NO_LIMIT, "r220r700")
    agent = translate(OnTree(), how)
    expected = agent.action_probabilities(state, ())  # fills the caches
    again = pickle.loads(pickle.dumps(agent))
    assert (type(again), again.name) == (type(agent), agent.name)
    found = again.action_probabilities(state, ())
    assert np.array_equal(found.raise_totals, expected.raise_totals)
    assert np.array_equal(found.raises, expected.raises)
