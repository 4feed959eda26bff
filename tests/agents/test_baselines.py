import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.agents.agent import find_mistake
from errai.agents.baselines import BASELINES, Mixture, SeededMixture
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.state import BettingState
from reference.game_strategies import hands as played_hands

NO_LIMIT = load_game("holdem.nolimit.2p")
LIMIT = load_game("holdem.limit.2p")


def answer(name: str, betting: str, *, limit: bool = False) -> tuple[float, float, dict[int, float]]:
    """The probabilities of fold, call and raises."""
    state = parse_betting(LIMIT if limit else NO_LIMIT, betting)
    found = BASELINES[name].action_probabilities(state, ())
    raises = dict(zip(found.raise_totals.tolist(), found.raises[0].tolist(), strict=True))
    return found.fold.item(), found.call.item(), raises


@settings(max_examples=100, deadline=None)
@given(
    played_hands(),
    st.sampled_from([*BASELINES.values(), SeededMixture(3), Mixture({"pot-raise": 1, "raise": 2, "clipped-raise": 1})]),
)
def test_every_baseline_answers_with_a_strategy_wherever_it_is_asked(states: list[BettingState], agent: object) -> None:
    for state in states[:-1]:
        assert find_mistake(agent.action_probabilities(state, ()), state, ()) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "betting", "expected"),
    [
        ("always-call", "r300", (0.0, 1.0, {})),
        ("always-fold", "r300", (1.0, 0.0, {})),
        ("always-fold", "c", (0.0, 1.0, {})),
        ("always-raise", "r300", (0.0, 0.0, {500: 1.0})),
        ("always-raise", "r20000", (0.0, 1.0, {})),
        ("all-in-or-fold", "r300", (0.5, 0.0, {20000: 0.5})),
        ("all-in-or-fold", "c", (0.0, 0.5, {20000: 0.5})),
        ("all-in-or-fold", "r20000", (0.5, 0.5, {})),
        ("call-or-raise", "r20000", (0.0, 1.0, {})),
        ("random", "r20000", (0.5, 0.5, {})),
    ],
)
def test_a_baseline_does_what_its_name_says(
    name: str, betting: str, expected: tuple[float, float, dict[int, float]]
) -> None:
    assert answer(name, betting) == expected


def test_random_counts_every_raise_size_as_an_action_of_its_own() -> None:
    fold, call, raises = answer("random", "r300")
    assert list(raises) == list(range(500, 20001))
    assert {fold, call, *raises.values()} == {1 / (2 + 19501)}


def test_call_or_raise_raises_every_size_equally_often() -> None:
    fold, call, raises = answer("call-or-raise", "r300")
    assert (fold, call) == (0.0, 0.5)
    assert list(raises) == list(range(500, 20001))
    assert set(raises.values()) == {0.5 / 19501}


def test_a_clipped_raise_that_is_too_small_becomes_the_smallest_legal_one() -> None:
    fold, call, raises = answer("call-or-clipped-raise", "r300")
    assert (fold, call) == (0.0, 0.5)
    assert raises[500] == pytest.approx(0.5 * 500 / 20000)
    assert {raises[total] for total in range(501, 20001)} == {0.5 / 20000}


@pytest.mark.parametrize(("name", "fold", "call"), [("random", 1 / 3, 1 / 3), ("call-or-raise", 0.0, 0.5)])
def test_in_limit_there_is_one_size_of_raise(name: str, fold: float, call: float) -> None:
    found_fold, found_call, raises = answer(name, "r", limit=True)
    assert (found_fold, found_call) == pytest.approx((fold, call))
    assert raises == pytest.approx({30: 1 - fold - call})


@pytest.mark.parametrize("name", ["always-raise", "call-or-raise"])
def test_a_raise_at_the_cap_of_limit_becomes_a_call(name: str) -> None:
    assert answer(name, "rrr", limit=True) == (0.0, 1.0, {})


def test_a_pot_raise_calls_and_adds_the_pot() -> None:
    state = parse_betting(NO_LIMIT, "r300")
    found = Mixture({"pot-raise": 1}).action_probabilities(state, ())
    assert found.raise_totals.tolist() == [300 + 600]


def test_a_seeded_mixture_is_the_same_for_the_same_seed_and_differs_between_hands() -> None:
    state = parse_betting(NO_LIMIT, "cc/r300")
    board = NO_LIMIT.deck.parse("Ks8s3d")
    first, again, other = (SeededMixture(seed).action_probabilities(state, board) for seed in (7, 7, 8))
    assert np.array_equal(first.fold, again.fold)
    assert not np.array_equal(first.fold, other.fold)
    assert len(np.unique(first.fold)) == 1326


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"bluff": 1.0}, "knows no action `bluff`"),
        ({"call": -1.0}, "weight of `call` must be at least 0; got `-1`"),
        ({"call": float("nan")}, "weight of `call` must be at least 0; got `nan`"),
        ({"call": 0.0}, "needs a positive weight"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Mixture(weights)
