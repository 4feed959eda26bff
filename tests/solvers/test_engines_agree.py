"""Random limit games: the flat engine, the lane engine and the sequence-form program must tell the same story."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errai
from errai.cards.deck import SUIT_NAMES
from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.solutions.tree_query import query_tree
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import find_variant
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.lane_arrays import LaneArray, zeros
from errai.trees.poker_form import build_extensive_form
from errai.trees.public_tree import PublicTree, build_public_tree
from reference.random_games import tree_definitions

Weights = tuple[LaneArray, LaneArray]


def random_weights(tree: PublicTree, seed: int) -> Weights:
    """Some actions are never taken, and at some infosets none has any weight."""
    generator = np.random.default_rng(seed)
    weights = zeros(tree, 0), zeros(tree, 1)
    for array in weights:
        array.values[:] = np.maximum(generator.normal(size=array.values.shape), 0.0)
    return weights


def strategy_on_form(form: ExtensiveForm, tree: PublicTree, weights: Weights) -> np.ndarray:
    """The strategy of the tree on a form, at the infosets that its labels name."""
    deck = tree.definition.deck
    is_merged = len(form.infoset_labels[0].partition(":")[0].partition("/")[0]) == tree.definition.num_hole_cards

    @cache
    def probabilities(board: str, betting: str) -> np.ndarray:
        """[hand of the deck][action]"""
        state = parse_betting(tree.definition, betting)
        return query_tree(
            tree, weights, state=state, board=tuple(deck.parse(board)), with_values=False, num_threads=1
        ).probabilities

    strategy = form.uniform_strategy()
    for infoset, label in enumerate(form.infoset_labels):
        cards, _, betting = label.partition(":")
        hole, *board = (_with_suits(cards) if is_merged else cards).split("/")
        row = probabilities("".join(board), betting)[number_of_hand(deck.parse(hole))]
        strategy[form.actions_of(infoset)] = row
    return strategy


def _with_suits(ranks: str) -> str:
    """Cards of these ranks: where no hand is a flush, forms merge all suits, and each rank takes the next suit."""
    seen: Counter[str] = Counter()
    cards = ""
    for rank in ranks:
        cards += rank if rank == "/" else rank + SUIT_NAMES[-1 - seen[rank]]
        seen[rank] += 1
    return cards


@settings(max_examples=30, deadline=None)
@given(definition=tree_definitions(merge_suits=False, max_nodes=4000), seed=st.integers(0, 2**32))
def test_both_judges_agree_on_any_strategy(definition: GameDefinition, seed: int) -> None:
    tree = build_public_tree(definition)
    weights = random_weights(tree, seed)
    form = build_extensive_form(definition, merge_suits=False)
    on_tree = exploitability_lanes(tree, weights, with_value=True)
    on_form = exploitability_flat(form, strategy_on_form(form, tree, weights), with_value=True)
    scale = definition.unit_chips
    assert on_tree.best_response_chips == pytest.approx(on_form.best_response_chips, abs=1e-10 * scale)
    assert on_tree.value_chips == pytest.approx(on_form.value_chips, abs=1e-10 * scale)


@settings(max_examples=40, deadline=None)
@given(definition=tree_definitions())
def test_both_engines_close_in_on_the_value_of_the_linear_program(definition: GameDefinition) -> None:
    tree, form = build_public_tree(definition), build_extensive_form(definition)
    assert tree.num_infosets == form.num_infosets
    value = solve_sequence_form(form).value_chips
    most_chips = max(definition.blinds) + sum(
        size * raises for size, raises in zip(definition.raise_sizes, definition.max_raises, strict=True)
    )
    lanes = LaneSolver(tree, variant=find_variant("cfr+"))
    flat = FlatSolver(form, variant=find_variant("cfr+"))
    lanes.run(400)
    flat.run(400)
    for measured in (
        exploitability_lanes(tree, lanes.average_strategy()),
        exploitability_flat(form, flat.average_strategy()),
    ):
        low, high = measured.value_bounds_chips
        # The program's tolerance is 1e-10 of the numbers in it; what may be won decides how close 400 iterations come.
        assert low - 1e-8 <= value <= high + 1e-8
        assert high - low <= 0.01 * most_chips


def test_a_game_that_begins_with_a_board_is_left_to_the_flat_engine() -> None:
    definition = replace(errai.load_game("leduc"), num_board_cards=(1, 1))
    solution = errai.solve(definition, iterations=200)
    assert solution.plan.engine == "flat"
    low, high = solution.exploitability().value_bounds_chips
    assert low <= solve_sequence_form(build_extensive_form(definition)).value_chips <= high
    with pytest.raises(InputError, match="round 1 has 1 cards on the board; got 0"):
        errai.solve(definition, iterations=1, engine="lanes")
