"""Who does the flops of a pass: the contract, and the cores of this machine.

The cores are threads, as all work is in kernels that let others run: they take flops, and where there are fewer flops
than threads, sections of a flop.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.passes.section_pass import PassStoppedError
from errai.runs.flop_worker import FlopAnswer, FlopLostError, FlopWorker
from errai.solutions.schedule import StrategyKind
from errai.storage.ledger import PassRecord

Float32Array = NDArray[np.float32]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class JudgedValue:
    """The values of a best response on a flop."""

    flop: int
    value: Float32Array


class FlopExecutor(Protocol):
    """Does flops in any order. A flop whose files are not there is answered with a `FlopLostError`, not raised."""

    def update(self, flops: Sequence[int], record: PassRecord) -> Generator[FlopAnswer | FlopLostError, None, None]:
        """Each flop's part of a pass."""
        ...

    def best_response(
        self, flops: Sequence[int], *, player: int, strategy: StrategyKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        """Each flop's part of a best response."""
        ...

    def remove_old_files(self, flop: int, passes_done: int) -> None:
        """Remove the files of a flop that no longer count."""
        ...

    def copy_to(self, checkpoint: Path, flops: Sequence[int], passes_done: int) -> None:
        """Copy the files of flops."""
        ...


@dataclass(frozen=True)
class LocalFlops:
    """The threads of this process."""

    worker: FlopWorker
    num_threads: int

    def update(self, flops: Sequence[int], record: PassRecord) -> Generator[FlopAnswer | FlopLostError, None, None]:
        update = partial(self.worker.update, record=record, num_threads=self._threads_per_flop(flops))
        # There is a flop more than cores; it takes one while another waits for the disk.
        yield from self._do_all(flops, lambda flop, core: update(flop, core=core), num_threads=self.num_threads + 1)

    def best_response(
        self, flops: Sequence[int], *, player: int, strategy: StrategyKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        judge = partial(
            self.worker.best_response,
            player=player,
            strategy=strategy,
            passes_done=passes_done,
            next_reach=next_reach,
            num_threads=self._threads_per_flop(flops),
        )
        yield from self._do_all(flops, lambda flop, _: JudgedValue(flop, judge(flop)), num_threads=self.num_threads)

    def remove_old_files(self, flop: int, passes_done: int) -> None:
        self.worker.remove_old_files(flop, passes_done)

    def copy_to(self, checkpoint: Path, flops: Sequence[int], passes_done: int) -> None:
        for flop in flops:
            self.worker.copy_to(checkpoint, flop, passes_done)

    def _threads_per_flop(self, flops: Sequence[int]) -> int:
        return max(1, self.num_threads // max(1, len(flops)))

    def _do_all(
        self, flops: Sequence[int], do: Callable[[int, "_Cores"], Answer], *, num_threads: int
    ) -> Generator[Answer | FlopLostError, None, None]:
        """Answers as they come; one flop waits, so that no thread does while an answer is taken."""
        cores = _Cores(self.num_threads)
        with ThreadPoolExecutor(num_threads) as pool:
            under_way: set[Future[Answer]] = set()
            waiting = iter(flops)
            try:
                while True:
                    for flop in waiting:
                        under_way.add(pool.submit(do, flop, cores))
                        if len(under_way) > num_threads:
                            break
                    if not under_way:
                        return
                    done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                    for future in done:
                        try:
                            yield future.result()
                        except FlopLostError as lost:
                            yield lost
            finally:
                cores.close()
                pool.shutdown(cancel_futures=True)


class _Cores:
    """Lets so many compute at once; once it is closed, nobody begins."""

    def __init__(self, num_cores: int) -> None:
        self._free = Semaphore(num_cores)
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True

    def __enter__(self) -> None:
        self._free.acquire()
        if self._is_closed:
            self._free.release()
            raise PassStoppedError

    def __exit__(self, *_: object) -> None:
        self._free.release()
