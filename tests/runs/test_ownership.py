"""A run has one owner at a time: a second process is refused, on this machine and on another one."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errai.errors import StorageError
from errai.runs.checkpoint import Checkpoint
from errai.runs.flop_executor import LocalFlops
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage import lease
from errai.storage.lease import STALE_SECONDS, LeaseHeldError, acquire_lease
from reference.mini_game import MINI
from reference.stored_runs import logical_files, logical_ledger

TESTS = Path(__file__).parents[1]


def begin(directory: Path) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(MINI))


def advance(run: WholeRun, iterations: int, **options: object) -> None:
    executor = LocalFlops(run.flop_worker(), 1)
    options = {"measure": run.settings.measured_strategy, "measure_every": 1, **options}
    run.advance(executor, iterations=iterations, **options)  # type: ignore[arg-type]


def contend(tmp_path: Path, trials: int) -> dict[str, int]:
    run = begin(tmp_path / "run")
    run.ledger.close()
    program = TESTS / "reference" / "contending_runs.py"
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(
        [sys.executable, program, run.directory, str(trials)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    undisturbed = begin(tmp_path / "undisturbed")
    advance(undisturbed, trials)
    assert logical_files(run.directory) == logical_files(undisturbed.directory)
    assert logical_ledger(run.directory) == logical_ledger(undisturbed.directory)
    found: dict[str, int] = json.loads(done.stdout)
    assert found.keys() <= {"finished", "refused"}
    assert sum(found.values()) == 2 * trials
    return found


def test_two_processes_that_resume_one_run_do_not_damage_it(tmp_path: Path) -> None:
    assert contend(tmp_path, 8)["refused"] >= 4


@pytest.mark.slow
def test_two_processes_that_resume_one_run_sixty_times_do_not_damage_it(tmp_path: Path) -> None:
    assert contend(tmp_path, 60)["refused"] >= 50


def test_a_second_process_is_refused_by_the_command_line(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    with run.owned():
        for command in (("solve", "--resume", run.directory), ("exploit", run.directory, "--measure", "current")):
            done = subprocess.run([sys.executable, "-m", "errai", *map(str, command)], capture_output=True, text=True)
            assert done.returncode == 1
            assert f"`{run.directory}` is in use by process {os.getpid()} on `" in done.stderr
            assert "hint: end that process, or wait for it" in done.stderr
        done = subprocess.run([sys.executable, "-m", "errai", "status", run.directory], capture_output=True, text=True)
        assert done.returncode == 0  # readers need no lease


def test_a_run_that_was_taken_over_writes_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a machine slept: another one found the lease stale and continued."""
    run = begin(tmp_path / "run")
    taken_over: list[lease.Lease] = []

    def take_over(progress: object) -> None:
        if run.iteration == 1 and not taken_over:
            path = max((run.directory / "lease").iterdir())
            then = time.time() - STALE_SECONDS - 10
            os.utime(path, (then, then))
            with monkeypatch.context() as patch:
                patch.setattr(lease, "_first_line", lambda _: "another machine")
                taken_over.append(acquire_lease(run.directory))

    with pytest.raises(StorageError, match="this process no longer owns"):
        advance(run, 5, on_progress=take_over)
    assert WholeRun.open(run.directory).iteration == 1
    taken_over[0].verify_owned()
    taken_over[0].release()
    advance(WholeRun.open(run.directory), 3)
    undisturbed = begin(tmp_path / "undisturbed")
    advance(undisturbed, 3)
    assert logical_files(run.directory) == logical_files(undisturbed.directory)
    assert logical_ledger(run.directory) == logical_ledger(undisturbed.directory)


def test_a_checkpoint_is_owned_while_it_is_written(tmp_path: Path) -> None:
    run, copies = begin(tmp_path / "run"), tmp_path / "copies"
    refused: list[bool] = []

    def resume_copies(progress: object) -> None:
        if (copies / "ledger.sqlite").exists() and not refused:
            with pytest.raises(LeaseHeldError):
                advance(WholeRun.open(copies), 9)
            refused.append(True)

    advance(run, 3, checkpoint=Checkpoint(copies, every=1), on_progress=resume_copies)
    assert refused
    advance(WholeRun.open(copies), 4)
    with pytest.raises(Exception, match="is ahead of the run"):
        advance(run, 4, checkpoint=Checkpoint(copies, every=1))
