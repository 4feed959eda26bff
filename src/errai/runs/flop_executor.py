"""The contract of an executor, which does the flops of a pass, and the executor on this machine.

It works in threads, as all heavy work is in kernels that let other threads run. Threads take flops, and sections of a
flop where there are fewer flops than threads.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.games.strategies import StrategyKind
from errai.passes.section_pass import PassStoppedError
from errai.runs.flop_worker import FlopAnswer, FlopLostError, FlopWorker
from errai.storage.ledger import PassRecord
from errai.workers.pools import map_as_completed

Float32Array = NDArray[np.float32]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class JudgedValue:
    """The values of a best response on a flop."""

    flop: int
    value: Float32Array


class FlopExecutor(Protocol):
    """Does flops in any order. A flop whose files are missing is answered with a `FlopLostError`, not raised."""

    def update(self, flops: Sequence[int], record: PassRecord) -> Generator[FlopAnswer | FlopLostError, None, None]:
        """Each flop's share of a pass."""
        ...

    def best_response(
        self, flops: Sequence[int], *, player: int, strategy: StrategyKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        """Each flop's share of a best response."""
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
        # One flop more than cores: it computes while another one waits for the disk.
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
        """Answers as they are ready."""
        cores = _Cores(self.num_threads)

        def answer(flop: int) -> Answer | FlopLostError:
            try:
                return do(flop, cores)
            except FlopLostError as lost:
                return lost

        with closing(map_as_completed(answer, flops, num_threads=num_threads)) as answers:
            try:
                yield from answers
            finally:
                cores.close()  # first, so that no flop which waits for a core begins


class _Cores:
    """Lets so many threads compute at once; after `close`, no other one begins."""

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
