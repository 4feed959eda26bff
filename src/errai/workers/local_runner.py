"""The cores of this machine: one worker is this process itself, several are processes of their own."""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from errai.errors import WorkerError
from errai.workers.runner import Item, Result


def num_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class LocalRunner:
    """A runner on this machine."""

    num_workers: int = field(default_factory=num_cores)

    def run(
        self, make_work: Callable[[], Callable[[Item], Result]], items: Sequence[Item]
    ) -> Generator[Result, None, None]:
        num_workers = min(self.num_workers, len(items))
        if num_workers <= 1:
            yield from map(make_work(), items)
            return
        # Not forked: threads of NumPy or of the caller would be copied in the middle of whatever they do.
        with ProcessPoolExecutor(
            num_workers, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(make_work,)
        ) as pool:
            under_way: deque[Future[Result]] = deque()
            try:
                for item in items:
                    under_way.append(pool.submit(_do, item))
                    if len(under_way) > 2 * num_workers:
                        yield under_way.popleft().result()
                while under_way:
                    yield under_way.popleft().result()
            except BrokenProcessPool:
                raise WorkerError(
                    "a worker process died", hint="it may have needed too much memory; try fewer `--workers`"
                ) from None
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


# What a worker process does, made once.
_make_work: Callable[[], Callable[[Any], Any]] | None = None
_work: Callable[[Any], Any] | None = None


def _start_worker(make_work: Callable[[], Callable[[Any], Any]]) -> None:
    global _make_work
    # Ctrl-C is for the process that asked; it stops its workers itself. So is stdout, where its results may go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    _make_work = make_work


def _do(item: Any) -> Any:
    global _work
    if _work is None:
        # Here and not when the process starts, as an error would only break the pool there and never be told.
        assert _make_work is not None
        _work = _make_work()
    return _work(item)
