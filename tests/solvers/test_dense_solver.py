from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from errai.abstraction.bucket_table import BucketTable, lossless_table, random_table, single_bucket_table
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.joint_weights import count_joint_weights
from errai.errors import InputError
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.in_abstraction import exploitability_joint, in_abstraction_exploitability
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import initial_state
from errai.solvers.bucket_solver import AbstractGame, BucketSolver
from errai.solvers.dense_solver import DenseSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import VARIANTS
from errai.trees.betting_tree import BettingTree, build_betting_tree
from errai.trees.bucket_layout import BucketArrays, can_merge_suits
from errai.trees.joint_tree import build_joint_tree
from errai.trees.lane_arrays import normalise
from errai.trees.public_tree import build_public_tree
from reference.abstract_game import abstract_form, strategy_on_abstract_form
from reference.random_games import games_with_tables

LEDUC = load_game("leduc")
LEDUC_CARDS = CardRounds.of(LEDUC)


def limit_betting(definition: GameDefinition) -> BettingTree:
    return build_betting_tree(initial_state(definition))


def dense_solver(
    definition: GameDefinition,
    table: BucketTable,
    variant: str,
    betting: BettingTree | None = None,
    *,
    dtype: type[np.floating] = np.float64,
    num_threads: int = 1,
) -> DenseSolver:
    joint = count_joint_weights(table)
    tree = build_joint_tree(definition, betting or limit_betting(definition), joint, dtype=dtype)
    return DenseSolver(tree, variant=VARIANTS[variant], num_threads=num_threads)


def bucket_solver(
    definition: GameDefinition, table: BucketTable, variant: str, betting: BettingTree | None = None
) -> BucketSolver:
    tree = build_public_tree(definition, betting=betting, merge_suits=can_merge_suits(definition))
    return BucketSolver(AbstractGame(tree, table), variant=VARIANTS[variant])


def assert_same_strategies(solver: DenseSolver, one: BucketArrays, other: BucketArrays, atol: float) -> None:
    """Regrets of the two solvers differ by a factor for each bucket, their strategies do not."""
    for player in (0, 1):
        for ours, theirs in zip(
            solver.layout.all_nodes(player, one[player]), solver.layout.all_nodes(player, other[player]), strict=True
        ):
            is_reached = theirs.max(axis=1, keepdims=True) > 1e-9
            np.testing.assert_allclose(normalise(ours) * is_reached, normalise(theirs) * is_reached, atol=atol)


@pytest.mark.parametrize("variant", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+"])
@pytest.mark.parametrize("counts", [(1, 1), (2, 3), (3, 2)])
def test_it_makes_the_iterations_of_the_solver_that_walks_all_boards(variant: str, counts: tuple[int, int]) -> None:
    table = random_table(LEDUC_CARDS, counts, seed=2, perfect_recall=True)
    dense, boards = dense_solver(LEDUC, table, variant), bucket_solver(LEDUC, table, variant)
    for _ in range(4):
        dense.run(3)
        boards.run(3)
        assert_same_strategies(dense, dense.average, boards.average, atol=1e-9)
    game = boards.game
    expected = in_abstraction_exploitability(game.tree, game.bucketed_tree(), game.layout, dense.average)
    found = exploitability_joint(dense.tree, dense.flat_average)
    assert found.best_response_chips == pytest.approx(expected.best_response_chips, abs=1e-12)


def test_a_bucket_for_every_hand_gives_the_figures_of_the_original() -> None:
    solver = dense_solver(LEDUC, lossless_table(LEDUC_CARDS), "cfr+")
    for iterations, expected in ((1, 1378.801031), (1, 1280.941908), (1, 999.020378), (7, 180.418106)):
        solver.run(iterations)
        found = exploitability_joint(solver.tree, solver.flat_average).exploitability_mbb
        assert found == pytest.approx(expected, abs=5e-7)


def test_many_buckets_and_lanes_in_both_precisions() -> None:
    # 876 buckets fill more than one panel of a matrix, and 49 lanes several blocks.
    definition = replace(load_game("rhode-island"), num_ranks=6)
    table = lossless_table(CardRounds.of(definition))
    boards = bucket_solver(definition, table, "cfr+")
    boards.run(2)
    game = boards.game
    expected = in_abstraction_exploitability(game.tree, game.bucketed_tree(), game.layout, boards.average)
    for dtype, rel in ((np.float64, 1e-9), (np.float32, 1e-4)):
        dense = dense_solver(definition, table, "cfr+", dtype=dtype)
        dense.run(2)
        found = exploitability_joint(dense.tree, dense.flat_average)
        assert found.exploitability_mbb == pytest.approx(expected.exploitability_mbb, rel=rel)


def test_one_bucket_for_all_is_blind_to_cards() -> None:
    solver = dense_solver(LEDUC, single_bucket_table(LEDUC_CARDS), "cfr+")
    solver.run(200)
    # Without cards there is nothing to fold for: nobody has a reason to give up a pot.
    assert exploitability_joint(solver.tree, solver.flat_average).exploitability_mbb < 1.0


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(posed=games_with_tables())
def test_it_agrees_with_the_flat_engine_and_the_linear_program(posed: tuple[GameDefinition, BucketTable]) -> None:
    definition, table = posed
    form = abstract_form(definition, table)
    solver = dense_solver(definition, table, "cfr+")
    solver.run(300)
    judged = exploitability_joint(solver.tree, solver.flat_average)
    low, high = judged.value_bounds_chips
    assert low - 1e-9 <= solve_sequence_form(form).value_chips <= high + 1e-9
    on_form = exploitability_flat(form, strategy_on_abstract_form(form, solver.layout, solver.average))
    assert on_form.exploitability_mbb == pytest.approx(judged.exploitability_mbb, abs=1e-6)


def test_no_limit_betting_with_calls_that_are_all_in() -> None:
    definition = GameDefinition(
        name="small no-limit",
        is_limit=False,
        blinds=(2, 1),
        first_player=(1, 0, 0),
        num_suits=2,
        num_ranks=4,
        num_hole_cards=1,
        num_board_cards=(0, 1, 1),
        raise_sizes=(),
        max_raises=load_game("holdem.nolimit.2p").max_raises[:3],
        stacks=(12, 12),
    )
    spot = Spot(definition, bets="50%, 100%, a")
    betting = build_betting_tree(spot.root, spot.menu)
    table = random_table(CardRounds.of(definition), (2, 2, 2), seed=4, perfect_recall=True)
    dense = dense_solver(definition, table, "dcfr+", betting)
    boards = bucket_solver(definition, table, "dcfr+", betting)
    dense.run(10)
    boards.run(10)
    # The equity of a call that is all-in has single precision in the tree of boards.
    assert_same_strategies(dense, dense.average, boards.average, atol=1e-4)
    game = boards.game
    expected = in_abstraction_exploitability(game.tree, game.bucketed_tree(), game.layout, dense.average)
    found = exploitability_joint(dense.tree, dense.flat_average)
    assert found.exploitability_mbb == pytest.approx(expected.exploitability_mbb, rel=1e-6)


def test_threads_and_interruptions_change_no_bit() -> None:
    definition = replace(load_game("rhode-island"), num_ranks=3)
    table = random_table(CardRounds.of(definition), (3, 3, 3), seed=2, perfect_recall=True)
    whole = dense_solver(definition, table, "dcfr", dtype=np.float32, num_threads=3)
    half, resumed = (dense_solver(definition, table, "dcfr", dtype=np.float32) for _ in range(2))
    whole.run(6)
    half.run(2)
    resumed.restore({name: array.copy() for name, array in half.state_arrays().items()}, half.iteration)
    resumed.run(4)
    for name, array in whole.state_arrays().items():
        np.testing.assert_array_equal(array, resumed.state_arrays()[name])


def test_predictive_variants_are_refused() -> None:
    with pytest.raises(InputError, match="not solved by `pcfr"):
        dense_solver(LEDUC, single_bucket_table(LEDUC_CARDS), "pcfr+")
