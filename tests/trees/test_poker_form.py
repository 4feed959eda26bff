from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from errai.errors import SizeError
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.solvers.linear_programs import solve_sequence_form
from errai.trees.extensive_form import NodeKind
from errai.trees.form_deals import build_deals, count_round_deals
from errai.trees.poker_form import FormSize, build_extensive_form, count_form
from reference.random_games import small_definitions


@pytest.mark.parametrize(("name", "infosets"), [("kuhn", 12), ("leduc", 288)])  # figures.md, section 1
def test_small_games_have_their_known_number_of_infosets(name: str, infosets: int) -> None:
    assert build_extensive_form(load_game(name)).num_infosets == infosets


def test_leduc_told_apart_by_suits_has_936_infosets() -> None:  # OpenSpiel's number for `leduc_poker`
    assert build_extensive_form(load_game("leduc"), merge_suits=False).num_infosets == 936


def test_infosets_are_labelled_by_what_the_player_sees_and_the_betting() -> None:
    form = build_extensive_form(load_game("leduc"))
    infoset = form.infoset_labels.index("K/Q:rc/r")
    assert form.infoset_player[infoset] == 1
    assert list(form.action_labels[form.actions_of(infoset)]) == ["f", "c", "r"]


def test_suited_cards_are_labelled_by_one_of_their_relabellings() -> None:
    definition = replace(load_game("kuhn"), num_suits=2, num_board_cards=(2,))
    labels = {label.removesuffix(":") for label in build_extensive_form(definition).infoset_labels if label[-1] == ":"}
    assert "Ah/AsKs" in labels
    assert "As/AhKh" not in labels


def test_only_boards_are_public_chance() -> None:
    form = build_extensive_form(load_game("leduc"))
    is_chance = form.kind == NodeKind.CHANCE
    assert is_chance[0]
    assert not form.is_public[0]
    assert np.array_equal(form.is_public[1:], is_chance[1:])


def test_all_in_before_the_last_board_pays_the_expectation_over_it() -> None:
    definition = GameDefinition(
        name="shove",
        is_limit=False,
        blinds=(1, 1),
        first_player=(0, 0),
        num_suits=2,
        num_ranks=3,
        num_hole_cards=1,
        num_board_cards=(0, 1),
        stacks=(3, 3),
        max_raises=(1, 0),
    )
    form = build_extensive_form(definition)
    assert form.action_labels[:3] == ["c", "r2", "r3"]
    # All-in for 3 chips, the lower card wins with one board of four, by pairing: 3 * (3/4 - 1/4) = 1.5 to the higher.
    # All else ends with 1 or 2 chips a player, or a tie.
    assert set(np.abs(form.payoff_chips)) == {0.0, 1.0, 1.5, 2.0}


def test_size_is_counted_before_anything_is_built() -> None:
    assert count_form(load_game("leduc")) == FormSize(num_nodes=1936, num_infosets=288, num_actions=672)
    assert count_form(load_game("leduc"), merge_suits=False).num_nodes == 9451
    assert build_extensive_form(load_game("leduc")).num_nodes == 1936


@pytest.mark.parametrize("name", ["rhode-island", "holdem.limit.2p", "holdem.nolimit.2p"])
def test_game_that_is_too_large_is_refused_at_once(name: str) -> None:
    with pytest.raises(SizeError, match=f"the tree of `{name}` has more than 50000000 nodes") as caught:
        build_extensive_form(load_game(name))
    assert "smaller deck" in (caught.value.hint or "")


@settings(max_examples=25, deadline=None)
@given(definition=small_definitions())
def test_merging_suits_keeps_the_value_of_the_game(definition: GameDefinition) -> None:
    merged = build_extensive_form(definition)
    unmerged = build_extensive_form(definition, merge_suits=False)
    assert merged.num_nodes <= unmerged.num_nodes
    assert solve_sequence_form(merged).value_chips == pytest.approx(solve_sequence_form(unmerged).value_chips, abs=1e-8)


@settings(max_examples=25, deadline=None)
@given(definition=small_definitions())
def test_deals_are_as_many_as_counted_and_their_probabilities_sum_to_one(definition: GameDefinition) -> None:
    for merge_suits in (True, False):
        rounds = build_deals(definition, merge_suits=merge_suits)
        assert tuple(deals.num_deals for deals in rounds) == count_round_deals(definition, merge_suits=merge_suits)
        for deals in rounds:
            assert np.bincount(deals.parent, weights=deals.probability) == pytest.approx(1.0)


def test_equity_of_equal_positions_is_zero_on_average() -> None:
    reach = np.ones(1)
    for deals in build_deals(load_game("rhode-island"), merge_suits=True):
        reach = reach[deals.parent] * deals.probability
        assert reach @ deals.equity == pytest.approx(0.0, abs=1e-12)
