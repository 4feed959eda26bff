"""Iterations that visit a part of the boards of the last round."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from errai._native import kernels
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.passes.section_pass import PassArrays, pass_over_sections
from errai.passes.step import Step
from errai.runs.flop_executor import LocalFlops
from errai.runs.flop_worker import ArrayName
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solutions.solve import solve
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.public_tree import build_public_tree
from errai.trees.whole_game import choose_flops
from reference.board_draw import visited
from reference.mini_game import MINI
from reference.small_holdem import small_holdem

SMALL = small_holdem(max_raises=(1, 1, 1, 1))


@pytest.mark.parametrize("one_in", [1, 2, 3, 7, 48])
@pytest.mark.parametrize("num_children", [1, 2, 5, 44, 48])
def test_the_boards_that_are_visited_are_those_of_the_twin(one_in: int, num_children: int) -> None:
    for seed, board in ((0, 0), (1, 0), (12_345, 48), (2**53 - 1, 63_192)):
        for part in range(one_in):
            draw = kernels.BoardDraw(one_in=one_in, part=part, seed=seed)
            found = [child for child in range(num_children) if draw.visits(board=board, child=child)]
            assert found == visited(seed, one_in=one_in, part=part, board=board, num_children=num_children)


@pytest.mark.parametrize("one_in", [2, 3, 5])
def test_a_cycle_visits_every_board_once_in_parts_of_equal_size(one_in: int) -> None:
    for seed in range(20):
        parts = [visited(seed, one_in=one_in, part=part, board=seed, num_children=44) for part in range(one_in)]
        assert Counter(child for part in parts for child in part) == Counter(range(44))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("one_in", [2, 3, 5])
def test_of_neighbours_one_is_visited(one_in: int) -> None:
    for seed in range(20):
        children = visited(seed, one_in=one_in, part=1, board=seed, num_children=9 * one_in)
        assert [child // one_in for child in children] == list(range(9))


def test_every_cycle_deals_the_boards_out_anew() -> None:
    firsts = {tuple(visited(seed, one_in=2, part=0, board=0, num_children=44)) for seed in range(50)}
    assert len(firsts) == 50


@pytest.mark.parametrize(("one_in", "part"), [(0, 0), (2, 2), (2, -1)])
def test_a_part_that_a_cycle_does_not_have_is_refused(one_in: int, part: int) -> None:
    with pytest.raises(ValueError, match=r"`one_in` must be positive|`part`"):
        kernels.BoardDraw(one_in=one_in, part=part)


@pytest.mark.parametrize("one_in", [2, 3])
def test_over_a_cycle_values_are_on_average_those_of_all_boards(tmp_path: Path, one_in: int) -> None:
    run = WholeRun.create(tmp_path / "run", RunSettings.of(SMALL, choose_flops(SMALL, "1"), with_average=False))
    run.advance(LocalFlops(run.flop_worker(), 1), iterations=3, measure_every=3)
    tree = run.game.flop_tree(0)
    # Any reach will do.
    reach = np.random.default_rng(1).random((tree.rounds[0].most_hands(0), tree.rounds[0].padded_lanes), np.float32)

    def value(step: Step, mode: str) -> np.ndarray:
        worker = run.flop_worker()
        own, opponent = (worker.open_array(0, ArrayName("current", player), 6) for player in (0, 1))
        arrays = PassArrays(own if mode == "evaluate" else None, opponent)
        return pass_over_sections(tree, arrays, mode=mode, player=0, reach=reach, step=step).value  # type: ignore[arg-type]

    whole = value(Step(), "evaluate")
    parts = [value(Step(boards_one_in=one_in, boards_part=part, boards_seed=9), "evaluate") for part in range(one_in)]
    assert not any(np.allclose(part, whole, rtol=1e-3) for part in parts)
    # Sums of floats in another order.
    assert np.mean(parts, axis=0) == pytest.approx(whole, rel=1e-4, abs=1e-3 * float(np.abs(whole).max()))


def test_a_solver_that_drew_boards_comes_to_the_value_of_the_linear_program() -> None:
    tree = build_public_tree(MINI, precision="float64")
    variant = find_variant("dcfr+").with_exponents(gamma=0.0)
    solver = LaneSolver(tree, variant=variant, averaging_delay=500)
    solver._steps.draw_boards, solver._steps.draw_until = 2, 80
    solver.run(1000)
    measured = exploitability_lanes(tree, solver.average_strategy())
    assert measured.exploitability_mbb < 0.2  # 0.148 was seen; after 200 iterations 3.5, and without draws 0.021
    low, high = measured.value_bounds_chips
    assert low <= solve(MINI, algorithm="sequence-form-lp").exploitability().value_bounds_chips[0] <= high
