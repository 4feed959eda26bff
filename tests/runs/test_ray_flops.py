"""Whole games on a real cluster of Ray, whose workers and nodes die: the same bytes as on one machine."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import NODE
from errai.cli.main import run as run_command
from errai.errors import StorageError
from errai.games.definition_text import format_definition
from errai.games.library import load_game
from errai.runs.checkpoint import Checkpoint
from errai.runs.flop_executor import LocalFlops
from errai.runs.memory import RunResources
from errai.runs.progress import RunProgress
from errai.runs.ray_flops import RayFlops, open_ray_flops
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage.ledger import PassRecord
from errai.storage.run_identity import RunIdentity, write_mark
from errai.trees.whole_game import choose_flops
from reference.small_holdem import small_holdem
from reference.stored_runs import logical_files

pytestmark = pytest.mark.usefixtures("ray_environment")

SMALL = small_holdem(max_raises=(1, 1, 1, 1))
FLOPS = choose_flops(SMALL, "8")
# Lanes of several shapes, and calls that are all-in on every street.
NO_LIMIT = replace(load_game("royal.nolimit"), name="royal.small", num_ranks=3, stacks=(400, 400))
ITERATIONS = 3
CREW = RunResources(num_threads=2, max_trees=8, memory_bytes=0)


def begin(directory: Path) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(SMALL, FLOPS, scale=0.0))


def advance_here(run: WholeRun, iterations: int = ITERATIONS) -> None:
    worker = run.flop_worker(max_trees=8)
    run.advance(LocalFlops(worker, 1), iterations=iterations, measure_every=iterations)


@contextmanager
def on_cluster(run: WholeRun, checkpoint: Path | None = None) -> Iterator[RayFlops]:
    with open_ray_flops(run, CREW, address="auto", checkpoint=checkpoint) as executor:
        yield executor


def advance_there(run: WholeRun, iterations: int = ITERATIONS, **options: Any) -> None:
    with on_cluster(run) as executor:
        run.advance(executor, iterations=iterations, measure_every=iterations, **options)


def all_files(run: WholeRun) -> dict[str, object]:
    """Every file of every flop, in whichever directory it is."""
    return {"/".join(name.split("/")[-2:]): content for name, content in logical_files(run.directory).items()}


def workers(run: WholeRun) -> list[str]:
    """The directories of workers that have files of flops."""
    return sorted({path.parent.parent.name for path in run.directory.rglob("worker-*/*/*.flop")})


def assert_same(run: WholeRun, expected: WholeRun) -> None:
    assert all_files(run) == all_files(expected)
    numbers, others = run.ledger.preflop_arrays(), expected.ledger.preflop_arrays()
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


def test_a_no_limit_run_writes_the_same_bytes_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    settings = RunSettings.of(NO_LIMIT, choose_flops(NO_LIMIT, "4"), bets="fcpa", with_average=True)
    here, there = (WholeRun.create(tmp_path / name, settings) for name in ("here", "there"))
    advance_here(here, 2)
    advance_there(there, 2)
    assert_same(there, here)
    assert len(workers(there)) == 2


def test_a_run_goes_on_on_a_cluster_and_back_on_one_machine(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    advance_here(run, 1)
    advance_there(run, 2)
    assert len(workers(run)) == 2
    assert not list(run.directory.glob("flop-*/*"))
    advance_here(run, 3)
    assert workers(run) == []
    assert_same(run, alone)


@pytest.mark.slow
def test_work_that_nobody_waits_for_any_more_is_done_again(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    asked_within_flops, asked_after_flops = (iter([False] * 3 + [True]) for _ in range(2))
    with open_ray_flops(run, CREW, address="auto", should_stop=lambda: next(asked_within_flops, False)) as executor:
        run.advance(executor, iterations=ITERATIONS, measure_every=ITERATIONS)
        assert run.iteration == 0
        run.advance(
            executor, iterations=ITERATIONS, measure_every=ITERATIONS, should_stop=lambda: next(asked_after_flops)
        )
        assert run.iteration <= 1
        run.advance(executor, iterations=ITERATIONS, measure_every=ITERATIONS)
    assert_same(run, alone)


def test_a_worker_that_is_killed_comes_back_to_its_files(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    killed: list[int] = []

    def kill() -> None:
        killed.append(workers_of(next(iter(cluster.worker_nodes)))[0])
        os.kill(killed[0], signal.SIGKILL)

    advance_there(run, on_progress=once_in_pass(2, 5, kill))
    assert killed
    assert_same(run, alone)
    assert len(workers(run)) == 2


def workers_of(node: Any) -> list[int]:
    """The processes that do flops on a node."""
    (raylet,) = node.all_processes["raylet"]
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_child = f"PPid:\t{raylet.process.pid}\n" in (process / "status").read_text()
            if is_child and (process / "cmdline").read_bytes().startswith(b"ray::_Actor"):
                found.append(int(process.name))
    return found


@pytest.mark.slow
def test_a_node_that_joins_takes_its_share(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    with on_cluster(run) as executor:
        run.advance(executor, iterations=1, measure_every=ITERATIONS)
        assert len(workers(run)) == 2
        cluster.add_node(**NODE)
        executor.gather()
        run.advance(executor, iterations=ITERATIONS, measure_every=ITERATIONS)
    assert_same(run, alone)
    assert len(workers(run)) == 3


def kill_a_node_and_its_disk(cluster: Any, run: WholeRun, executor: RayFlops) -> None:
    node = max(cluster.worker_nodes, key=lambda node: node.unique_id)
    (name,) = (name for name, other in executor.nodes.items() if other.id == node.node_id)
    processes = workers_of(node)
    cluster.remove_node(node, allow_graceful=False)
    for process in processes:  # which would notice after a moment that their node is dead
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    shutil.rmtree(run.directory / f"worker-{name}")


def watch_passes(executor: RayFlops) -> list[int]:
    """The numbers of the passes that flops are asked for from now on."""
    numbers = []
    update = executor.update

    def watched(flops: Sequence[int], record: PassRecord) -> Any:
        numbers.append(record.pass_number)
        return update(flops, record)

    executor.update = watched  # type: ignore[method-assign]
    return numbers


def test_what_a_node_had_is_taken_from_the_checkpoint(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    copies = tmp_path / "copies"
    with on_cluster(run, copies) as executor:
        run.advance(executor, iterations=2, measure_every=2, checkpoint=Checkpoint(copies, every=2))
        assert WholeRun.open(copies).iteration == 2
        passes = watch_passes(executor)
        kill = once_in_pass(3, 5, lambda: kill_a_node_and_its_disk(cluster, run, executor))
        run.advance(executor, iterations=ITERATIONS, measure_every=ITERATIONS, on_progress=kill)
    assert min(passes) == 5  # nothing of the first two iterations
    assert_same(run, alone)


def test_what_a_node_had_is_computed_again_without_a_checkpoint(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    with on_cluster(run) as executor:
        passes = watch_passes(executor)
        kill = once_in_pass(3, 5, lambda: kill_a_node_and_its_disk(cluster, run, executor))
        run.advance(executor, iterations=ITERATIONS, measure_every=ITERATIONS, on_progress=kill)
    assert passes.count(1) > 1  # flops that had done their part of the pass are missed in the next one
    assert_same(run, alone)


def test_one_node_writes_the_same_bytes_as_one_machine(cluster: Any, alone: WholeRun, tmp_path: Path) -> None:
    cluster.remove_node(min(cluster.worker_nodes, key=lambda node: node.unique_id))
    run = begin(tmp_path / "run")
    advance_there(run)
    assert_same(run, alone)
    assert len(workers(run)) == 1


def test_a_directory_of_another_run_is_refused(cluster: Any, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    directory = run.directory / f"worker-{os.uname().nodename}"
    directory.mkdir()
    write_mark(directory, RunIdentity("another", run.identity.settings_digest))
    with pytest.raises(StorageError, match=f"`{directory}` on `.*` holds files of another run: found run another, "):
        advance_there(run)


def test_the_command_line_solves_on_a_cluster_and_reads_what_its_workers_wrote(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.game").write_text(format_definition(SMALL))
    solve = ("solve", "small.game", "--flops", "1", "--iterations", "10", "--every", "10", "--out", "run", "--json")
    assert run_command((*solve, "--cluster", cluster.address, "--checkpoint-to", "copies")) == 0
    solved = WholeRun.open(Path("run"))
    assert workers(solved)
    for directory in ("run", "copies"):
        assert run_command(("verify", directory)) == 0
    assert run_command(("exploit", "copies", "--json")) == 0
    assert run_command(("show", "run", "--betting", "cc/", "--board", solved.game.flop_text(0))) == 0
    assert "error" not in capsys.readouterr().err


@pytest.mark.slow
def test_the_whole_of_a_deck_of_three_ranks_has_the_same_bytes_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    settings = RunSettings.of(small_holdem(), scale=0.0)  # 83,285,652 infosets
    here, there = (WholeRun.create(tmp_path / name, settings) for name in ("here", "there"))
    advance_here(here, 1)
    advance_there(there, 1)
    assert_same(there, here)
