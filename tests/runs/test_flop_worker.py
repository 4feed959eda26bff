"""Files of flops in the directories of several workers."""

import shutil
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from errai.errors import StorageError
from errai.runs.flop_executor import LocalFlops
from errai.runs.flop_worker import FlopAnswer, FlopLostError, FlopWorker
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage.ledger import PassRecord
from errai.trees.whole_game import choose_flops
from reference.small_holdem import small_holdem
from reference.stored_runs import logical_files

SMALL = small_holdem(max_raises=(1, 1, 1, 1))


@pytest.fixture
def run(tmp_path: Path) -> WholeRun:
    return WholeRun.create(tmp_path / "run", RunSettings.of(SMALL, choose_flops(SMALL, "2")))


def advance(run: WholeRun, iterations: int, worker: FlopWorker | None = None) -> None:
    executor = LocalFlops(worker or run.flop_worker(), 1)
    run.advance(executor, iterations=iterations, measure_every=iterations)


def files(run: WholeRun) -> dict[str, bytes]:
    return {str(path.relative_to(run.directory)): path.read_bytes() for path in run.directory.rglob("*.flop*")}


def test_a_worker_reads_what_others_wrote_and_writes_into_its_own_directory(run: WholeRun) -> None:
    advance(run, 1)
    advance(run, 2, FlopWorker(run.directory, run.settings, run.identity, name="a"))
    assert len(files(run)) == 8  # two flops, two players, regrets and average
    assert all(name.startswith("worker-a/flop-") for name in files(run))
    advance(run, 3, FlopWorker(run.directory, run.settings, run.identity, name="b"))
    assert all(name.startswith("worker-b/flop-") for name in files(run))


def test_all_directories_of_a_run_are_verified(run: WholeRun) -> None:
    advance(run, 1, FlopWorker(run.directory, run.settings, run.identity, name="a"))
    reader = run.flop_worker()
    assert reader.verify(0, 2) == sum(path.stat().st_size for path in run.directory.glob("worker-a/flop-0000-*/*.flop"))
    (path,) = run.directory.glob("worker-a/flop-0000-*/regrets-1.*")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StorageError, match=rf"worker-a/.*/{path.name}` is damaged"):
        reader.verify(0, 2)


def test_removing_old_files_leaves_what_is_being_written(run: WholeRun) -> None:
    advance(run, 1)
    worker = run.flop_worker()
    (directory,) = run.directory.glob("flop-0000-*")
    before = set(directory.iterdir())
    for name in (
        "regrets-0.00000003.flop",
        "regrets-1.00000004.flop.0123abcd.partial",
    ):
        (directory / name).touch()
        before.add(directory / name)
    for name in ("regrets-1.00000000.flop", "regrets-0.00000001.flop.0123abcd.partial"):
        (directory / name).touch()
    worker.remove_old_files(0, 2)
    assert set(directory.iterdir()) == before


def test_removing_old_files_keeps_older_files_as_long_as_the_new_ones_are_not_seen(run: WholeRun) -> None:
    advance(run, 1)
    before = files(run)
    run.flop_worker().remove_old_files(0, 4)
    assert files(run) == before


@dataclass(frozen=True)
class LosingFlops(LocalFlops):
    """Loses all files once more, in the middle of computing lost ones again."""

    lost: list[int]

    def update(self, flops: Sequence[int], record: PassRecord) -> Generator[FlopAnswer | FlopLostError, None, None]:
        if record.pass_number == 3 and not self.lost:
            self.lost.append(record.pass_number)
            for path in self.worker.directory.glob("flop-*"):
                shutil.rmtree(path)
        return super().update(flops, record)


def test_a_loss_while_a_lost_flop_is_computed_again_is_made_good_too(run: WholeRun, tmp_path: Path) -> None:
    undisturbed = WholeRun.create(tmp_path / "undisturbed", run.settings)
    advance(undisturbed, 3)
    advance(run, 2)
    shutil.rmtree(next(run.directory.glob("flop-0001-*")))
    lost: list[int] = []
    executor = LosingFlops(run.flop_worker(), 1, lost)
    run.advance(executor, iterations=3, measure_every=3)
    assert lost
    assert logical_files(run.directory) == logical_files(undisturbed.directory)
    assert run.measured("current") == undisturbed.measured("current")
