from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from errai._native import kernels
from errai.abstraction.bucket_table import random_table
from errai.abstraction.card_rounds import CardRounds
from errai.games.acpc import format_betting
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.solvers.bucket_solver import AbstractGame
from errai.solvers.cfr_br import CfrBrSolver
from errai.solvers.sampled_cfr_br import SampledCfrBrSolver
from errai.solvers.variants import VARIANTS
from errai.trees.bucket_layout import BucketArray, BucketLayout, can_merge_suits
from errai.trees.lane_arrays import normalise
from errai.trees.public_tree import build_public_tree
from errai.trees.whole_game import WholeGame
from reference.cfr_br import CfrBrIteration
from reference.mini_game import MINI

FOUR_ROUNDS = replace(
    MINI,
    name="four rounds",
    num_ranks=5,
    num_suits=1,
    num_board_cards=(0, 1, 1, 1),
    first_player=(0, 0, 0, 0),
    max_raises=(1, 1, 0, 1),
    raise_sizes=(10, 20, 20, 20),
)
NO_LIMIT = replace(MINI, name="no-limit", is_limit=False, raise_sizes=(), stacks=(40, 40))
TWO_ON_THE_FLOP = replace(MINI, name="two on the flop", num_hole_cards=2, num_ranks=4, num_board_cards=(0, 2, 1))
ALL_FLOPS = 10**6
SPARE = kernels.LANE_SPARE


def sampled_solver(
    definition: GameDefinition,
    *,
    bets: str = "",
    flops: int = ALL_FLOPS,
    seed: int = 0,
    num_threads: int = 1,
    variant: str = "cfr",
    perfect_recall: bool = True,
) -> SampledCfrBrSolver:
    """With random regrets, so that no two actions are equally good."""
    menu = Spot(definition, bets=bets).menu if bets else None
    table = random_table(CardRounds.of(definition), (2,) * definition.num_rounds, seed=1, perfect_recall=perfect_recall)
    solver = SampledCfrBrSolver(
        WholeGame(definition, menu=menu),
        table,
        variant=VARIANTS[variant],
        flops_per_iteration=flops,
        seed=seed,
        num_threads=num_threads,
    )
    random = np.random.default_rng(7)
    for name, array in solver.state_arrays().items():
        if not name.startswith("average"):
            array[:-SPARE] = random.random(len(array) - SPARE)
    return solver


def rows(
    layout: BucketLayout, array: BucketArray, player: int, *, num_rounds: int | None = None
) -> Iterator[tuple[str, int, NDArray[np.float64]]]:
    """The values of every decision of a player: betting, bucket or hand, [action]."""
    for round_index, street in enumerate(layout.betting.streets[:num_rounds]):
        for group_index, group in enumerate(street.groups):
            for node_index, node in enumerate(group.shape.nodes):
                if node.player != player:
                    continue
                values = layout.node_values(array, round_index=round_index, node_index=node_index, group=group_index)
                for lane, state in enumerate(group.node_states[node_index]):
                    for bucket in range(layout.counts[round_index]):
                        yield format_betting(state), bucket, values[bucket, :, lane]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("definition", "bets", "perfect_recall"),
    [(MINI, "", True), (MINI, "", False), (FOUR_ROUNDS, "", True), (NO_LIMIT, "100%,a", True)],
    ids=["three rounds", "imperfect recall", "four rounds", "no-limit"],
)
def test_with_all_flops_an_iteration_is_that_of_plain_loops(
    definition: GameDefinition, bets: str, perfect_recall: bool, player: int
) -> None:
    verify_iteration(sampled_solver(definition, bets=bets, perfect_recall=perfect_recall), player)


def test_where_the_player_never_comes_its_opponent_plays_evenly() -> None:
    solver = sampled_solver(FOUR_ROUNDS)
    for node_index, node in enumerate(solver.layout.betting.streets[0].groups[0].shape.nodes):
        if node.player == 0 and node.raise_nodes:
            array, place = solver.regrets[0], {"round_index": 0, "node_index": node_index}
            values = solver.layout.node_values(array, **place)
            values[:, -1] = 0.0  # whatever bucket it has, it does not raise
            solver.layout.set_node_values(array, values, **place)
    verify_iteration(solver, 0)


def verify_iteration(solver: SampledCfrBrSolver, player: int) -> None:
    """Run one iteration, and compare what it adds with that of plain loops."""
    top = solver.game.top
    hand_of_raw = top.rounds[0].boards[0].hands[0].hand_of_raw
    of_hands = BucketLayout(solver.layout.betting, (len(top.root_sizes[0]), *solver.layout.counts[1:]))
    opponent = 1 - player

    def probabilities(values: NDArray[np.float64]) -> NDArray[np.float64]:
        row: NDArray[np.float64] = normalise(values[np.newaxis])[0]
        return row

    before = {
        (betting, bucket): values.copy()
        for betting, bucket, values in rows(solver.layout, solver.regrets[player], player)
    }
    first = (solver.opponent_regrets[opponent],)
    opponent_before = {
        (betting, hand): values.copy() for betting, hand, values in rows(of_hands, first, opponent, num_rounds=1)
    }
    expected = CfrBrIteration(
        solver.layout.betting,
        solver.table,
        player,
        lambda betting, bucket: probabilities(before[betting, bucket]),
        lambda betting, hand: probabilities(opponent_before[betting, hand_of_raw[hand]]),
    )
    solver.run(1)
    # Single precision: sums over hundreds of boards of values up to 100.
    for betting, bucket, values in rows(solver.layout, solver.regrets[player], player):
        added = values - before[betting, bucket]
        np.testing.assert_allclose(added, expected.regrets[betting, bucket] * np.ones(len(added)), atol=2e-3)
    for betting, bucket, values in rows(solver.layout, solver.average[player], player):
        np.testing.assert_allclose(values, expected.average[betting, bucket] * np.ones(len(values)), atol=1e-4)
    for betting, hand, values in rows(of_hands, first, opponent, num_rounds=1):
        raw = int(np.flatnonzero(hand_of_raw == hand)[0])
        added = values - opponent_before[betting, hand]
        np.testing.assert_allclose(added, expected.opponent_regrets[betting, raw], atol=2e-3)


def test_the_mean_over_single_flops_is_what_all_flops_add() -> None:
    solver = sampled_solver(TWO_ON_THE_FLOP)
    multiplicities = [flop.multiplicity for flop in solver.game.flops]
    start = {name: array.copy() for name, array in solver.state_arrays().items()}
    solver.run(1)
    expected = {name: array - start[name] for name, array in solver.state_arrays().items()}
    assert solver.draw(1) == dict.fromkeys(range(len(multiplicities)), 1.0)

    mean = {name: np.zeros(len(array)) for name, array in start.items()}
    one_flop = sampled_solver(TWO_ON_THE_FLOP, flops=1)
    for flop, multiplicity in enumerate(multiplicities):
        iteration = next(number for number in range(1, 1000) if flop in one_flop.draw(number))
        assert one_flop.draw(iteration) == {flop: sum(multiplicities) / multiplicity}
        one_flop.restore(start, iteration - 1)
        one_flop.run(1)
        for name, array in one_flop.state_arrays().items():
            mean[name] += multiplicity / sum(multiplicities) * (array - start[name])
    for name, array in expected.items():
        np.testing.assert_allclose(mean[name], array, atol=2e-3)


@pytest.mark.parametrize("flops", [1, 2])
def test_flops_are_drawn_in_proportion_to_how_many_they_stand_for(flops: int) -> None:
    solver = sampled_solver(TWO_ON_THE_FLOP, flops=flops)
    assert len({flop.multiplicity for flop in solver.game.flops}) > 1
    draws = [solver.draw(iteration) for iteration in range(1, 4001)]
    for flop in range(len(solver.game.flops)):
        factors = [drawn.get(flop, 0.0) for drawn in draws]
        assert np.mean(factors) == pytest.approx(1.0, abs=5 * np.std(factors) / 4000**0.5)


def test_where_the_first_round_is_fixed_it_is_cfr_br_of_the_whole_game() -> None:
    definition = replace(MINI, max_raises=(0, 1, 1))
    sampled = sampled_solver(definition, variant="dcfr")
    tree = build_public_tree(definition, precision="float32", merge_suits=can_merge_suits(definition))
    whole = CfrBrSolver(AbstractGame(tree, sampled.table), variant=VARIANTS["dcfr"])
    whole.restore(sampled.state_arrays(), 0)
    for solver in (sampled, whole):
        solver.run(4)
    ours = sampled.state_arrays()
    for name, array in whole.state_arrays().items():
        np.testing.assert_allclose(ours[name], array, rtol=1e-4, atol=2e-3)


def test_threads_and_interruptions_change_no_bit() -> None:
    whole = sampled_solver(FOUR_ROUNDS, flops=2, variant="lcfr", num_threads=3)
    whole.run(6)
    half = sampled_solver(FOUR_ROUNDS, flops=2, variant="lcfr")
    half.run(2)
    resumed = sampled_solver(FOUR_ROUNDS, flops=2, variant="lcfr")
    resumed.restore({name: array.copy() for name, array in half.state_arrays().items()}, half.iteration)
    resumed.run(4)
    for name, array in whole.state_arrays().items():
        np.testing.assert_array_equal(array, resumed.state_arrays()[name])
    other = sampled_solver(FOUR_ROUNDS, flops=2, variant="lcfr", seed=1)
    other.run(6)
    assert not np.array_equal(other.average[0][1], whole.average[0][1])
