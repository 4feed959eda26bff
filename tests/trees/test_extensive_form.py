from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.errors import InputError
from errai.games.library import load_game
from errai.trees.extensive_form import ExtensiveForm, NodeKind
from errai.trees.poker_form import build_extensive_form
from reference.flat import expected_value
from reference.random_games import random_trees


@pytest.fixture(scope="module")
def kuhn() -> ExtensiveForm:
    return build_extensive_form(load_game("kuhn"))


def changed(array: np.ndarray, index: int, value: float) -> np.ndarray:
    copy = array.copy()
    copy[index] = value
    return copy


def test_uniform_strategy_gives_every_action_of_an_infoset_the_same_probability(kuhn: ExtensiveForm) -> None:
    assert kuhn.uniform_strategy().tolist() == [0.5] * 24


def test_normalize_divides_by_the_sum_of_each_infoset_and_is_uniform_without_weight(kuhn: ExtensiveForm) -> None:
    weights = np.zeros(24)
    weights[:2] = 3.0, 1.0
    assert kuhn.normalize(weights).tolist() == [0.75, 0.25] + [0.5] * 22


@given(form=random_trees(), seed=st.integers(0, 99))
def test_sequence_form_gives_the_value_that_playing_out_the_tree_gives(form: ExtensiveForm, seed: int) -> None:
    strategy = form.normalize(np.random.default_rng(seed).random(form.num_actions))
    own = form.sequence_form.players[0]
    value = own.realization_plan(strategy[own.actions]) @ form.sequence_form.values(0, strategy)
    assert value == pytest.approx(expected_value(form, strategy), abs=1e-12)


@given(form=random_trees())
def test_infosets_come_after_those_where_their_player_acted_before(form: ExtensiveForm) -> None:
    for sequences in form.sequence_form.players:
        assert (sequences.parent_sequence < sequences.first_sequence[:-1]).all()
        levels = [infoset for level in sequences.levels for infoset in level.infosets.tolist()]
        assert sorted(levels) == list(range(sequences.num_infosets))


def test_strategy_of_the_wrong_length_is_refused_with_both_lengths(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match=r"`kuhn` has 24 probabilities; got an array of \(23,\)"):
        kuhn.verify_strategy(np.ones(23))


def test_strategy_that_does_not_sum_to_one_is_refused_with_the_infoset(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match=r"sum to 1; got \[0.7, 0.5\] at infoset `K:`"):
        kuhn.verify_strategy(changed(kuhn.uniform_strategy(), 2, 0.7))


def test_strategy_with_a_negative_probability_is_refused(kuhn: ExtensiveForm) -> None:
    strategy = changed(changed(kuhn.uniform_strategy(), 2, 1.5), 3, -0.5)
    with pytest.raises(InputError, match=r"at least 0 .* got \[1.5, -0.5\] at infoset `K:`"):
        kuhn.verify_strategy(strategy)


def test_chance_that_does_not_sum_to_one_is_refused(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match=r"must sum to 1; at node 0 they sum to 1\.3"):
        replace(kuhn, probability=changed(kuhn.probability, 1, 0.5))


def test_outcome_without_probability_is_refused(kuhn: ExtensiveForm) -> None:
    probability = changed(changed(kuhn.probability, 1, 0.0), 2, 1 / 3)
    with pytest.raises(InputError, match=r"positive probability; node 1 has 0\.0"):
        replace(kuhn, probability=probability)


def test_player_who_forgets_is_refused(kuhn: ExtensiveForm) -> None:
    first, second = (kuhn.infoset_labels.index(label) for label in ("Q:", "Q:cr"))
    infoset = np.where(kuhn.infoset == second, first, kuhn.infoset).astype(np.int32)
    with pytest.raises(InputError, match="player 0 of `kuhn` forgets at infoset `Q:`") as caught:
        replace(kuhn, infoset=infoset)
    assert "perfect recall" in (caught.value.hint or "")


def test_infoset_with_nodes_of_both_players_is_refused(kuhn: ExtensiveForm) -> None:
    node = int(np.flatnonzero(kuhn.kind == NodeKind.PLAYER_1)[0])
    with pytest.raises(InputError, match="belongs to one player"):
        replace(kuhn, kind=changed(kuhn.kind, node, NodeKind.PLAYER_0))


def test_child_of_two_nodes_is_refused(kuhn: ExtensiveForm) -> None:
    nodes = np.flatnonzero(kuhn.kind == NodeKind.PLAYER_0)
    with pytest.raises(InputError, match="child of exactly one node"):
        replace(kuhn, first_child=changed(kuhn.first_child, nodes[1], kuhn.first_child[nodes[0]]))


def test_parent_after_its_child_is_refused(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match="parents must come before their children"):
        replace(kuhn, first_child=changed(kuhn.first_child, 0, 0))


def test_terminal_with_children_is_refused(kuhn: ExtensiveForm) -> None:
    node = int(np.flatnonzero(kuhn.kind == NodeKind.TERMINAL)[0])
    with pytest.raises(InputError, match="no terminal may have any"):
        replace(kuhn, num_children=changed(kuhn.num_children, node, 1))


def test_missing_entry_is_refused_with_both_lengths(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match="`payoff_chips` needs 55 entries, one a node; got 54"):
        replace(kuhn, payoff_chips=kuhn.payoff_chips[1:])


def test_missing_label_is_refused_with_both_counts(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match="12 infosets and 24 infoset-actions need a label each; got 11 and 24"):
        replace(kuhn, infoset_labels=kuhn.infoset_labels[1:])


def test_infoset_with_different_numbers_of_actions_is_refused(kuhn: ExtensiveForm) -> None:
    first_action = np.cumsum([0, 3, 1] + [2] * 10, dtype=np.int32)
    with pytest.raises(InputError, match="the same number of actions"):
        replace(kuhn, first_action=first_action)


def test_array_of_another_type_is_refused_with_both_types(kuhn: ExtensiveForm) -> None:
    with pytest.raises(
        InputError, match=r"`infoset` must be a contiguous `int32` array .* got `int64` of shape \(55,\)"
    ):
        replace(kuhn, infoset=kuhn.infoset.astype(np.int64))


def test_payoff_that_is_no_number_is_refused(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match="payoffs must be finite; node 54 has another"):
        replace(kuhn, payoff_chips=changed(kuhn.payoff_chips, 54, np.nan))


def test_infoset_that_does_not_exist_is_refused(kuhn: ExtensiveForm) -> None:
    node = int(np.flatnonzero(kuhn.kind == NodeKind.PLAYER_1)[0])
    with pytest.raises(InputError, match="needs one of the 12 infosets"):
        replace(kuhn, infoset=changed(kuhn.infoset, node, 12))


def test_infoset_without_actions_is_refused(kuhn: ExtensiveForm) -> None:
    with pytest.raises(InputError, match="`first_action` must rise from 0"):
        replace(kuhn, first_action=changed(kuhn.first_action, 1, 0))
