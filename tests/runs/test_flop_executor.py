"""Threads that take flops: how many compute at once, and in which order."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Lock
from time import monotonic, sleep

import numpy as np
import pytest

from errai.passes.section_pass import PassStoppedError
from errai.runs.flop_executor import LocalFlops
from errai.runs.flop_worker import FlopAnswer
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage.ledger import PassRecord
from reference.small_holdem import small_holdem

RECORD = PassRecord(1, (1.0,), np.zeros((1, 1), dtype=np.float32))


class FakeWorker:
    """Counts how many compute; the files of flop 0 are not on the disk before somebody says so."""

    def __init__(self) -> None:
        self.computing = self.most_computing = 0
        self.begun: list[int] = []
        self.is_on_disk = Event()
        self._lock = Lock()

    def update(
        self, flop: int, record: PassRecord, *, num_threads: int, core: AbstractContextManager[object]
    ) -> FlopAnswer:
        with core:
            with self._lock:
                self.begun.append(flop)
                self.computing += 1
                self.most_computing = max(self.most_computing, self.computing)
            sleep(0.01)
            with self._lock:
                self.computing -= 1
        if flop == 0:
            assert self.is_on_disk.wait(30)
        return FlopAnswer(flop, np.zeros(1, dtype=np.float32), {}, 0.0)


def answers(worker: FakeWorker, num_flops: int, num_threads: int) -> Iterator[int]:
    for answer in LocalFlops(worker, num_threads).update(range(num_flops), RECORD):  # type: ignore[arg-type]
        assert isinstance(answer, FlopAnswer)
        yield answer.flop


@pytest.mark.parametrize("num_threads", [1, 2])
def test_others_compute_while_the_files_of_one_are_forced_to_the_disk(num_threads: int) -> None:
    worker = FakeWorker()
    found = answers(worker, 8, num_threads)
    others = [next(found) for _ in range(7)]
    assert sorted(others) == list(range(1, 8))
    worker.is_on_disk.set()
    assert list(found) == [0]
    assert worker.most_computing == num_threads


def test_who_waits_for_a_core_does_not_begin_when_nobody_listens_any_more() -> None:
    worker = FakeWorker()
    flops = LocalFlops(worker, 1).update(range(100), RECORD)  # type: ignore[arg-type]
    next(flops)
    worker.is_on_disk.set()
    flops.close()
    begun = len(worker.begun)
    assert begun < 10
    until = monotonic() + 0.05
    while monotonic() < until:
        assert len(worker.begun) == begun


def test_the_largest_flops_of_a_pass_come_first(tmp_path: Path) -> None:
    run = WholeRun.create(tmp_path, RunSettings.of(small_holdem(max_raises=(1, 1, 1, 1)), None))
    asked: list[int] = []

    class Listed(LocalFlops):
        def update(self, flops, record):  # type: ignore[no-untyped-def]
            asked.extend(flops)
            raise PassStoppedError

    run.advance(Listed(run.flop_worker(), 1), iterations=1)
    sizes = [run.game.flops[flop].hands[0].num_hands for flop in asked]
    assert sorted(asked) == list(range(run.num_flops))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
