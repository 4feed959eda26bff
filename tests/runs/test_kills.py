"""Runs that are killed at any moment end with the files and the ledger of a run that was not disturbed."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
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

CASES: dict[str, tuple[RunSettings, dict[str, Any], bool]] = {
    "fixed point": (RunSettings.of(MINI), FIXED, False),
    "target": (RunSettings.of(MINI, scale=0.0), {"iterations": None, "target_mbb": 40.0}, False),
    "averages": (RunSettings.of(MINI, algorithm="cfr+", with_average=True), FIXED, False),
    "averages begun late": (RunSettings.of(MINI, averaging_delay=3), FIXED, True),
    "lossless": (RunSettings.of(MINI, algorithm="cfr+", scale=0.0, with_average=True), FIXED, False),
    "checkpoint": (RunSettings.of(MINI), FIXED, True),
    "target and checkpoint": (RunSettings.of(MINI), {"iterations": None, "target_mbb": 60.0}, True),
    "no-limit": (RunSettings.of(NO_LIMIT, bets="fcpa"), FIXED, True),
    "four rounds": (RunSettings.of(SMALL, choose_flops(SMALL, "2")), {"iterations": 4, "measure_every": 2}, True),
}


def kill_and_compare(case: str, tmp_path: Path, *, kills: int, seed: int) -> dict[str, int]:
    """The number of kills in each phase."""
    settings, goal, with_checkpoint = CASES[case]
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
        [sys.executable, program, tmp_path / "spec.json"], capture_output=True, text=True, env=environment, timeout=900
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
    kills = kill_and_compare(case, tmp_path, kills=6, seed=1)
    assert sum(kills.values()) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_run_that_was_killed_fifty_times_ends_like_one_that_was_not(case: str, tmp_path: Path) -> None:
    kills = kill_and_compare(case, tmp_path, kills=50, seed=2)
    print(f"{case}: {kills}")
    assert sum(kills.values()) >= 50
    assert kills["measuring"] >= 3
    assert CASES[case][2] is False or kills["copying"] >= 2
