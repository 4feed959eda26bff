"""Runs that are killed at any moment end with the files and the ledger of a run that was not disturbed."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solvers.lane_solver import LaneSolver
from errai.trees.spot_tree import build_spot_tree
from errai.trees.whole_game import choose_flops
from reference.killed_runs import advance
from reference.mini_game import MINI
from reference.small_holdem import small_holdem
from reference.stored_runs import logical_files, logical_ledger

SMALL = small_holdem(max_raises=(1, 1, 1, 1))
NO_LIMIT = replace(
    MINI, name="mini.nolimit", is_limit=False, raise_sizes=(), max_raises=(), stacks=(40, 40), blinds=(10, 5)
)
FIXED = {"iterations": 9, "measure_every": 3}

Case = tuple[RunSettings, dict[str, Any], bool]  # with the goal, and whether checkpoints are copied

CASES: dict[str, Case] = {
    "fixed point": (RunSettings.of(MINI), FIXED, False),
    "target": (RunSettings.of(MINI, scale=0.0), {"iterations": None, "target_mbb": 40.0}, False),
    "averages": (RunSettings.of(MINI, algorithm="cfr+", with_average=True), FIXED, False),
    "averages begun late": (RunSettings.of(MINI, averaging_delay=3), FIXED, True),
    "drawn boards": (RunSettings.of(MINI, averaging_delay=5, draw_boards=2, draw_until=5), FIXED, True),
    "coded fast": (RunSettings.of(MINI, averaging_delay=3, coding="fast"), FIXED, False),
    "lossless": (RunSettings.of(MINI, algorithm="cfr+", scale=0.0, with_average=True), FIXED, False),
    "checkpoint": (RunSettings.of(MINI), FIXED, True),
    "target and checkpoint": (RunSettings.of(MINI), {"iterations": None, "target_mbb": 60.0}, True),
    "no-limit": (RunSettings.of(NO_LIMIT, bets="fcpa"), FIXED, True),
    "four rounds": (RunSettings.of(SMALL, choose_flops(SMALL, "2")), {"iterations": 4, "measure_every": 2}, True),
}


# Stacks of 20 big blinds: 192,789,860 infosets on 95 flops.
ROYAL_NO_LIMIT = RunSettings.of(load_game("royal.nolimit"), bets="fcpa", scale=0.0, with_average=False)


def kill_and_compare(case: Case, tmp_path: Path, *, kills: int, seed: int) -> dict[str, int]:
    """The number of kills in each phase."""
    settings, goal, with_checkpoint = case
    goal = {"target_mbb": None, "measure_every": None, **goal}
    spec = {
        "directory": str(tmp_path / "killed"),
        "settings": settings.to_json(),
        "goal": goal,
        "with_checkpoint": with_checkpoint,
        "kills": kills,
        "seed": seed,
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    (tmp_path / "killed").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    program = Path(__file__).parents[1] / "reference" / "killed_runs.py"
    done = subprocess.run(
        [sys.executable, program, tmp_path / "spec.json"], capture_output=True, text=True, env=environment, timeout=3600
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)

    copies = tmp_path / "undisturbed-copies" if with_checkpoint else None
    undisturbed = tmp_path / "undisturbed"
    advance(WholeRun.create(undisturbed, settings), goal, copies)
    for number in range(found["runs"]):
        assert_same(tmp_path / "killed" / str(number), undisturbed)
        if copies is not None:
            assert_same(tmp_path / "killed" / f"{number}-copies", copies)
    kills_by_phase: dict[str, int] = found["kills"]
    return kills_by_phase


def assert_same(directory: Path, expected: Path) -> None:
    assert logical_ledger(directory) == logical_ledger(expected)
    assert logical_files(directory) == logical_files(expected)
    assert not list(directory.rglob("*.partial*"))


@pytest.mark.parametrize("case", CASES)
def test_a_run_that_was_killed_ends_like_one_that_was_not(case: str, tmp_path: Path) -> None:
    kills = kill_and_compare(CASES[case], tmp_path, kills=6, seed=1)
    assert sum(kills.values()) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_run_that_was_killed_fifty_times_ends_like_one_that_was_not(case: str, tmp_path: Path) -> None:
    kills = kill_and_compare(CASES[case], tmp_path, kills=50, seed=2)
    print(f"{case}: {kills}")
    assert sum(kills.values()) >= 50
    assert kills["measuring"] >= 3
    assert CASES[case][2] is False or kills["copying"] >= 2


@pytest.mark.slow
def test_the_whole_of_royal_no_limit_killed_a_hundred_times_has_the_numbers_of_the_engine_in_memory(
    tmp_path: Path,
) -> None:
    goal = {"iterations": 2, "measure_every": 1}
    kills = kill_and_compare((ROYAL_NO_LIMIT, goal, False), tmp_path, kills=100, seed=3)
    print(f"royal.nolimit: {kills}")
    assert sum(kills.values()) >= 100
    run = WholeRun.open(tmp_path / "killed" / "0")
    spot = Spot(run.settings.definition, bets="fcpa")
    tree = build_spot_tree(spot, precision="float32")
    solver = LaneSolver(tree, variant=run.settings.variant, with_average=False, num_threads=2)
    solver.run(run.iteration)
    for player, numbers in enumerate(run.preflop_state().weights("current")):
        first_round = numbers.values[:-16]
        assert np.array_equal(first_round, solver.regrets[player].values[: len(first_round)])
    measured = run.measured("current")
    assert measured is not None
    expected = exploitability_lanes(tree, solver.current_strategy(), num_threads=2)
    assert measured.best_response_chips == expected.best_response_chips
