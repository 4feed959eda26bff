from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from errai._native import kernels
from errai.abstraction.bucket_table import lossless_table, random_table, single_bucket_table
from errai.abstraction.card_rounds import CardRounds
from errai.errors import InputError
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.flop_totals import total_over_flops
from errai.evaluate.in_abstraction import in_abstraction_exploitability
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import initial_state
from errai.passes.bucket_pass import BucketedTree, sum_over_boards, update_on_board
from errai.passes.step import Step
from errai.solvers.bucket_solver import AbstractGame, BucketSolver
from errai.solvers.cfr_br import CfrBrSolver
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.sampled_bucket_solver import SampledBucketSolver
from errai.solvers.variants import VARIANTS
from errai.trees.betting_tree import build_betting_tree
from errai.trees.board_deals import num_deals
from errai.trees.bucket_layout import BucketArrays, BucketLayout, HandBuckets, can_merge_suits
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.public_tree import build_public_tree
from errai.trees.sampled_boards import SampledBoards
from errai.trees.symmetry import all_deals
from reference.abstract_game import abstract_form, strategy_on_abstract_form
from reference.random_games import games_with_tables

LEDUC = load_game("leduc")
LEDUC_CARDS = CardRounds.of(LEDUC)
SPARE = kernels.LANE_SPARE


def abstract_game(definition: GameDefinition, table: HandBuckets) -> AbstractGame:
    return AbstractGame(build_public_tree(definition, merge_suits=can_merge_suits(definition)), table)


def sampled_boards(definition: GameDefinition, table: HandBuckets) -> SampledBoards:
    return SampledBoards(definition, build_betting_tree(initial_state(definition)), table)


def judged_mbb(definition: GameDefinition, table: HandBuckets, weights: BucketArrays) -> float:
    layout = BucketLayout(build_betting_tree(initial_state(definition)), table.counts)
    judge = BucketedJudge(definition, BucketedStrategy(layout, table, weights))
    return judge.finish(total_over_flops(judge).total).exploitability_mbb


@pytest.mark.parametrize("variant", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+"])
def test_a_bucket_for_every_hand_is_the_lane_engine(variant: str) -> None:
    game = abstract_game(LEDUC, lossless_table(LEDUC_CARDS))
    ours, lanes = BucketSolver(game, variant=VARIANTS[variant]), LaneSolver(game.tree, variant=VARIANTS[variant])
    for iterations in (1, 9, 10):
        ours.run(iterations)
        lanes.run(iterations)
        expected = exploitability_lanes(game.tree, lanes.average_strategy()).exploitability_mbb
        # The regrets of a hand are scaled by the deals it stands for, which changes the last bits of an iteration.
        assert judged_mbb(LEDUC, game.table, ours.average) == pytest.approx(expected, rel=1e-6)


def test_cfr_plus_gives_the_figures_of_the_original() -> None:
    solver = BucketSolver(abstract_game(LEDUC, lossless_table(LEDUC_CARDS)), variant=VARIANTS["cfr+"])
    for iterations, expected in ((1, 1378.801031), (1, 1280.941908), (1, 999.020378), (7, 180.418106)):
        solver.run(iterations)
        assert judged_mbb(LEDUC, solver.game.table, solver.average) == pytest.approx(expected, abs=5e-7)


def test_one_bucket_for_all_is_blind_to_cards() -> None:
    table = single_bucket_table(LEDUC_CARDS)
    solver = BucketSolver(abstract_game(LEDUC, table), variant=VARIANTS["cfr+"])
    solver.run(50)
    strategy = BucketedStrategy(solver.layout, table, solver.average)
    state = initial_state(LEDUC)
    answer = strategy.action_probabilities(state.apply_raise(), ())
    assert np.ptp(answer.call) == 0.0
    # Without cards there is nothing to fold for: nobody has a reason to give up a pot.
    assert in_abstraction_exploitability(
        solver.game.tree, solver.game.bucketed_tree(), solver.layout, solver.average
    ).exploitability_mbb == pytest.approx(0.0, abs=20.0)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(posed=games_with_tables())
def test_all_engines_and_the_linear_program_agree_on_abstract_games(posed: tuple[GameDefinition, HandBuckets]) -> None:
    definition, table = posed
    form = abstract_form(definition, table)
    flat = FlatSolver(form, variant=VARIANTS["cfr+"])
    ours = BucketSolver(abstract_game(definition, table), variant=VARIANTS["cfr+"])
    flat.run(300)
    ours.run(300)
    value = solve_sequence_form(form).value_chips
    judged = in_abstraction_exploitability(ours.game.tree, ours.game.bucketed_tree(), ours.layout, ours.average)
    low, high = judged.value_bounds_chips
    assert low - 1e-9 <= value <= high + 1e-9
    # Ties are broken by rounding, which differs; both are close to the equilibrium after 300 iterations.
    of_flat = exploitability_flat(form, flat.average_strategy()).exploitability_mbb
    assert judged.exploitability_mbb <= max(2 * of_flat, 5.0)
    on_form = exploitability_flat(form, strategy_on_abstract_form(form, ours.layout, ours.average))
    assert on_form.exploitability_mbb == pytest.approx(judged.exploitability_mbb, abs=1e-6)


@pytest.mark.parametrize("perfect_recall", [True, False])
@pytest.mark.parametrize("stack", [None, 40])  # of a no-limit game, in which calls are all-in on every round
def test_the_mean_over_all_sampled_boards_is_the_sum_over_boards(perfect_recall: bool, stack: int | None) -> None:
    definition = load_game("rhode-island")
    definition = replace(definition, num_ranks=3, num_suits=2)
    if stack is not None:
        definition = replace(definition, is_limit=False, raise_sizes=(), stacks=(stack, stack))
    table = random_table(CardRounds.of(definition), (2, 2, 2), seed=1, perfect_recall=perfect_recall)
    if stack is None:
        boards = sampled_boards(definition, table)
    else:
        spot = Spot(definition, bets="100%,a")
        boards = SampledBoards(definition, build_betting_tree(spot.root, spot.menu), table)
    layout = BucketLayout(boards.betting, table.counts)
    random = np.random.default_rng(4)
    first, second = (tuple(random.random(size) for size in layout.sizes(player)) for player in (0, 1))
    weights = first, second
    tree = build_public_tree(definition, betting=boards.betting, merge_suits=can_merge_suits(definition))
    expected = sum_over_boards(AbstractGame(tree, table).bucketed_tree(), weights, 0, with_average=True)
    regrets, average = (layout.zeros(player, np.float64) for player in (0, 1))
    reach = np.ones((boards.num_hands, 1))
    drawn = [
        (*flop, *turn)
        for flop in all_deals(np.arange(6, dtype=np.uint8), 1)
        for turn in all_deals(np.setdiff1d(np.arange(6, dtype=np.uint8), flop), 1)
    ]
    value = np.zeros_like(reach)
    for cards in drawn:
        board = boards.build(np.array(cards, dtype=np.uint8))
        pair = [(w[0].copy(), w[1].copy(), w[2].copy()) for w in weights]
        before = [values.copy() for values in pair[0]]
        target = layout.zeros(1, np.float64)
        value += update_on_board(
            BucketedTree(board.native, board.buckets, (reach, reach)),
            (pair[0], pair[1]),
            (layout.zeros(0, np.float64), target),
            0,
            Step(floor=False, average_weight=1.0),
        )
        for total, values, old in zip(regrets, pair[0], before, strict=True):
            total += values - old
        for total, values in zip(average, target, strict=True):
            total += values
    # All boards of the last round were added up, so that a board of an earlier round came once per board below it.
    for round_index, following in enumerate((len(drawn), 5, 1)):
        for summed, by_boards in ((regrets, expected.regrets), (average, expected.average)):
            ours = summed[round_index] / following
            np.testing.assert_allclose(ours[:-SPARE], by_boards[round_index][:-SPARE], atol=1e-9)
    mean = value[:, 0].mean() / len(drawn) / num_deals(definition, board_cards=0, hands=1, count=1)
    assert mean == pytest.approx(tree.expected_value(0, expected.value), abs=1e-12)


def test_threads_and_interruptions_change_no_bit() -> None:
    table = random_table(LEDUC_CARDS, (2, 3), seed=2, perfect_recall=False)
    boards = sampled_boards(LEDUC, table)
    variant = VARIANTS["lcfr"]
    whole = SampledBucketSolver(boards, variant=variant, seed=5, boards_per_iteration=7, num_threads=2)
    whole.run(6)
    half = SampledBucketSolver(boards, variant=variant, seed=5, boards_per_iteration=7)
    half.run(2)
    resumed = SampledBucketSolver(boards, variant=variant, seed=5, boards_per_iteration=7)
    resumed.restore({name: array.copy() for name, array in half.state_arrays().items()}, half.iteration)
    resumed.run(4)
    for name, array in whole.state_arrays().items():
        np.testing.assert_array_equal(array, resumed.state_arrays()[name])
    other = SampledBucketSolver(boards, variant=variant, seed=6, boards_per_iteration=7)
    other.run(6)
    assert not np.array_equal(other.average[0][0], whole.average[0][0])

    first, second = (
        BucketSolver(abstract_game(LEDUC, table), variant=variant, num_threads=threads) for threads in (1, 3)
    )
    for solver in (first, second):
        solver.run(5)
    for name, array in first.state_arrays().items():
        np.testing.assert_array_equal(array, second.state_arrays()[name])


@pytest.mark.parametrize("variant", ["cfr+", "dcfr"])
def test_sampling_approaches_the_equilibrium_of_the_abstract_game(variant: str) -> None:
    table = random_table(LEDUC_CARDS, (2, 2), seed=2, perfect_recall=True)
    game = abstract_game(LEDUC, table)
    solver = SampledBucketSolver(
        sampled_boards(LEDUC, table), variant=VARIANTS[variant], boards_per_iteration=10, dtype=np.float64
    )
    solver.run(60)
    judged = in_abstraction_exploitability(game.tree, game.bucketed_tree(), solver.layout, solver.average)
    # Uniform play is 900 mbb away; 600 boards bring both below a ninth of that.
    assert judged.exploitability_mbb < 100.0


def test_cfr_br_is_less_exploitable_and_nested_tables_do_not_get_worse() -> None:
    exploitability = {}
    for counts in ((1, 1), (2, 2), (4, 4)):
        table = _nested_table(counts)
        game = abstract_game(LEDUC, table)
        cfr, cfr_br = BucketSolver(game, variant=VARIANTS["cfr+"]), CfrBrSolver(game, variant=VARIANTS["cfr+"])
        cfr.run(150)
        cfr_br.run(150)
        exploitability[counts] = judged_mbb(LEDUC, table, cfr.average), judged_mbb(LEDUC, table, cfr_br.average)
        assert exploitability[counts][1] < exploitability[counts][0] + 1.0
    _, worst = exploitability[1, 1]
    _, middle = exploitability[2, 2]
    _, best = exploitability[4, 4]
    assert worst >= middle >= best


def _nested_table(counts: tuple[int, int]) -> HandBuckets:
    """Ranks of the hand, and whether it pairs the board, joined into fewer and fewer buckets."""
    table = lossless_table(LEDUC_CARDS)
    return _Joined(table, counts)


class _Joined:
    """Buckets of another table by their numbers, several to one."""

    perfect_recall = False

    def __init__(self, table: HandBuckets, counts: tuple[int, int]) -> None:
        self.name = "joined"
        self.counts = counts
        self._table = table

    def of_boards(self, round_index: int, boards: np.ndarray) -> np.ndarray:
        whole = self._table.of_boards(round_index, boards)
        divisor = self._table.counts[round_index]
        return np.where(whole < 0, -1, whole * self.counts[round_index] // divisor).astype(np.int32)


def test_predictive_variants_are_refused() -> None:
    with pytest.raises(InputError, match="not solved by `pcfr"):
        BucketSolver(abstract_game(LEDUC, single_bucket_table(LEDUC_CARDS)), variant=VARIANTS["pcfr+"])
