import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.errors import InputError
from errai.evaluate.flat_best_response import best_response_flat, expected_value_flat
from errai.games.library import load_game
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form
from reference import flat as reference
from reference.random_games import random_trees


def random_strategy(form: ExtensiveForm, seed: int) -> np.ndarray:
    """Some actions have probability 0, so that parts of the tree are never reached."""
    random = np.random.default_rng(seed)
    return form.normalize(random.random(form.num_actions) * (random.random(form.num_actions) < 0.8))


@settings(max_examples=60, deadline=None)
@given(form=random_trees(max_depth=4), seed=st.integers(0, 99), player=st.integers(0, 1))
def test_best_response_is_the_best_of_all_pure_strategies(form: ExtensiveForm, seed: int, player: int) -> None:
    counts = np.diff(form.first_action)[form.infoset_player == player]
    assume(np.prod(counts.astype(float)) <= 300)
    strategy = random_strategy(form, seed)
    response = best_response_flat(form, strategy, player=player)
    assert response.value_chips == pytest.approx(reference.best_response_value(form, strategy, player), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(form=random_trees(), seed=st.integers(0, 99), player=st.integers(0, 1))
def test_best_response_wins_its_value_when_played(form: ExtensiveForm, seed: int, player: int) -> None:
    strategy = random_strategy(form, seed)
    response = best_response_flat(form, strategy, player=player)
    form.verify_strategy(response.strategy)
    value = reference.expected_value(form, response.strategy) * (1 if player == 0 else -1)
    assert value == pytest.approx(response.value_chips, abs=1e-12)
    opponent = form.sequence_form.players[1 - player].actions
    assert np.array_equal(response.strategy[opponent], strategy[opponent])
    assert set(response.strategy[form.sequence_form.players[player].actions]) <= {0.0, 1.0}


@settings(max_examples=60, deadline=None)
@given(form=random_trees(), seed=st.integers(0, 99))
def test_best_response_wins_at_least_what_the_strategy_wins(form: ExtensiveForm, seed: int) -> None:
    strategy = random_strategy(form, seed)
    value = expected_value_flat(form, strategy)
    assert value == pytest.approx(reference.expected_value(form, strategy), abs=1e-12)
    assert best_response_flat(form, strategy, player=0).value_chips >= value - 1e-12
    assert best_response_flat(form, strategy, player=1).value_chips >= -value - 1e-12


def test_best_response_takes_the_first_of_equally_good_actions() -> None:
    kuhn = build_extensive_form(load_game("kuhn"))
    folds = np.array([label in "fc" for label in kuhn.action_labels], dtype=float)
    for infoset in range(kuhn.num_infosets):
        actions = kuhn.actions_of(infoset)
        folds[actions] = [1.0, 0.0]
    # Nobody ever raises and everybody folds to a raise, so the second player's raise after a check wins the same ante.
    response = best_response_flat(kuhn, folds, player=1)
    assert response.value_chips == pytest.approx(1.0)
    facing_a_raise = kuhn.actions_of(kuhn.infoset_labels.index("Q:r"))
    assert response.strategy[facing_a_raise].tolist() == [1.0, 0.0]


def test_strategy_that_is_none_is_refused() -> None:
    kuhn = build_extensive_form(load_game("kuhn"))
    with pytest.raises(InputError, match="must be at least 0 and sum to 1"):
        best_response_flat(kuhn, np.ones(24), player=0)
