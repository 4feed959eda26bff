"""Whole games on a real cluster of Ray, whose workers and nodes die: the same bytes as on one machine."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errai.cli.main import run as run_command
from errai.cluster.flop_executor import LocalFlops
from errai.cluster.flop_worker import FlopWorker
from errai.cluster.ray_flops import RayFlops, open_ray_flops
from errai.cluster.run_memory import Crew
from errai.cluster.run_settings import RunSettings
from errai.cluster.whole_run import Checkpoint, RunProgress, WholeRun
from errai.errors import StorageError
from errai.games import format_definition
from errai.games.whole_game import choose_flops
from reference.small_holdem import small_holdem

from conftest import NODE

pytestmark = pytest.mark.usefixtures("ray_environment")

SMALL = small_holdem(max_raises=(1, 1, 1, 1))
FLOPS = choose_flops(SMALL, "12")
ITERATIONS = 3
CREW = Crew(num_threads=2, max_trees=12, memory_bytes=0)


def begin(directory: Path) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(SMALL, FLOPS, scale=0.0))


def advance_here(run: WholeRun, iterations: int = ITERATIONS) -> None:
    worker = FlopWorker(run.directory, run.settings, max_trees=12)
    run.advance(LocalFlops(worker, 1), iterations=iterations, measure_every=iterations)


@contextmanager
def on_cluster(run: WholeRun, checkpoint: Path | None = None) -> Iterator[RayFlops]:
    with open_ray_flops(run, CREW, address="auto", checkpoint=checkpoint) as executor:
        yield executor


def advance_there(run: WholeRun, iterations: int = ITERATIONS, **options: Any) -> None:
    with on_cluster(run) as executor:
        run.advance(executor, iterations=iterations, measure_every=iterations, **options)


def all_bytes(run: WholeRun) -> dict[str, bytes]:
    """Every file of every flop, whoever has it."""
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in run.directory.rglob("*.flop*")}


def workers(run: WholeRun) -> list[str]:
    """The directories of workers that have files of flops."""
    return sorted({path.parent.parent.name for path in run.directory.rglob("worker-*/*/*.flop")})


def assert_same(run: WholeRun, expected: WholeRun) -> None:
    assert all_bytes(run) == all_bytes(expected)
    numbers, others = run.ledger.top_numbers(), expected.ledger.top_numbers()
    assert numbers is not None
    assert others is not None
    assert all(np.array_equal(numbers[name], others[name]) for name in others)
    assert run.measured("current") == expected.measured("current")


def once_in_pass(iteration: int, flops_done: int, do: Callable[[], None]) -> Callable[[RunProgress], None]:
    """What is told of a run, which has something done in the middle of an iteration."""
    left = [do]

    def on_progress(progress: RunProgress) -> None:
        if left and (progress.iteration, progress.flops_done) == (iteration, flops_done):
            left.pop()()

    return on_progress


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> WholeRun:
    """A run that nobody disturbs, on this machine alone."""
    run = begin(tmp_path_factory.mktemp("alone") / "run")
    advance_here(run)
    return run


# Before this process is connected to the cluster of the fixture.
def test_a_cluster_that_is_none_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(("solve", "royal", "--out", "run", "--cluster", "127.0.0.1:1")) == 1
    assert "error: cannot connect to the cluster `127.0.0.1:1`: Connection refused" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_two_nodes_write_the_same_bytes_as_one_machine(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    advance_there(run)
    assert_same(run, alone)
    assert len(workers(run)) == 2
