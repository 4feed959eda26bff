"""Who does the flops of a pass: the contract, and the cores of this machine.

The cores are threads, as all work is in kernels that let others run: they take flops, and where there are fewer flops
than threads, sections of a flop.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.cluster.flop_worker import FlopAnswer, FlopLostError, FlopWorker
from errai.cluster.run_settings import ArrayKind
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
        self, flops: Sequence[int], *, player: int, kind: ArrayKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        """Each flop's part of a best response."""
        ...

    def tidy(self, flop: int, passes_done: int) -> None:
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
        yield from self._do_all(flops, lambda flop, core: update(flop, core=core))

    def best_response(
        self, flops: Sequence[int], *, player: int, kind: ArrayKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        judge = partial(
            self.worker.best_response,
            player=player,
            kind=kind,
            passes_done=passes_done,
            next_reach=next_reach,
            num_threads=self._threads_per_flop(flops),
        )

        def judged(flop: int, core: AbstractContextManager[object]) -> JudgedValue:
            with core:
                return JudgedValue(flop, judge(flop))

        yield from self._do_all(flops, judged)

    def tidy(self, flop: int, passes_done: int) -> None:
        self.worker.tidy(flop, passes_done)

    def copy_to(self, checkpoint: Path, flops: Sequence[int], passes_done: int) -> None:
        for flop in flops:
            self.worker.copy_to(checkpoint, flop, passes_done)

    def _threads_per_flop(self, flops: Sequence[int]) -> int:
        return max(1, self.num_threads // max(1, len(flops)))

    def _do_all(
        self, flops: Sequence[int], do: Callable[[int, AbstractContextManager[object]], Answer]
    ) -> Generator[Answer | FlopLostError, None, None]:
        """Answers as they come. There is a flop more than cores, and it takes one while another waits for the disk."""
        cores = Semaphore(self.num_threads)
        most = self.num_threads + 1
        with ThreadPoolExecutor(most) as pool:
            under_way: set[Future[Answer]] = set()
            waiting = iter(flops)
            try:
                while True:
                    for flop in waiting:
                        under_way.add(pool.submit(do, flop, cores))
                        if len(under_way) > most:
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
                pool.shutdown(cancel_futures=True)
