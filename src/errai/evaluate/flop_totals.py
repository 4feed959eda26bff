"""Work that is done for each flop on its own and added up: on all cores, stopped and resumed, always to the same bits.

Flops are taken in order, and what they give is added in order, whoever computed it and whenever. So any number of
threads or processes gives the same sums, and a run that was stopped and resumed those of one that was not.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Protocol

import numpy as np

from errai.evaluate.exploitability import Exploitability
from errai.trees.sequence_form import Float64Array

_SECONDS_BETWEEN_LOOKS = 0.2  # at whether to stop, while other processes work

ShouldStop = Callable[[], bool]


class JudgingStoppedError(Exception):
    """A flop was not finished because it was to stop."""


@dataclass(frozen=True)
class JudgingCost:
    """What judging a whole game will take; the time is an estimate."""

    flops: int
    public_states: int  # at most so many that the strategy is asked about
    memory_bytes: int
    num_threads: int
    seconds: float


class FlopJudge(Protocol):
    """A judge of a whole game that takes it flop by flop."""

    multiplicities: list[int]  # of all flops: how many each stands for, and in about that proportion what it costs

    @property
    def is_for_threads(self) -> bool:
        """Whether several threads may judge flops at once; if not, several processes may, each with its own judge."""

    def judge_flop(self, index: int, should_stop: ShouldStop) -> Float64Array:
        """What one flop adds; a flop that takes long looks whether it should stop."""

    def finish(self, total: Float64Array) -> Exploitability:
        """What follows from the sum over all flops."""

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """What all flops will take on so many cores, from a sample of them."""


@dataclass(frozen=True)
class FlopTotals:
    """The sum over the first `num_done` flops."""

    num_done: int
    total: Float64Array

    def share_of(self, judge: FlopJudge) -> float:
        """The part of the work that is done."""
        return sum(judge.multiplicities[: self.num_done]) / sum(judge.multiplicities)


MakeJudge = Callable[[], FlopJudge]


def total_over_flops(
    judge: FlopJudge,
    *,
    start: FlopTotals | None = None,
    num_threads: int = 1,
    make_judge: MakeJudge | None = None,
    on_flop: Callable[[FlopTotals], None] | None = None,
    should_stop: ShouldStop = lambda: False,
) -> FlopTotals:
    """Add up all flops, or those until `should_stop` answers True; `on_flop` sees the sums after every flop.

    A judge that is not for threads works in `num_threads` processes if `make_judge`, which must be picklable, can make
    it there once more; otherwise alone.
    """
    sums = start or FlopTotals(0, np.zeros(()))
    indices = range(sums.num_done, len(judge.multiplicities))
    for added in _judge_in_order(judge, make_judge, indices, min(num_threads, len(indices)), should_stop):
        sums = FlopTotals(sums.num_done + 1, sums.total + added)
        if on_flop is not None:
            on_flop(sums)
        if should_stop():
            break
    return sums


def _judge_in_order(
    judge: FlopJudge, make_judge: MakeJudge | None, indices: range, num_workers: int, should_stop: ShouldStop
) -> Iterator[Float64Array]:
    """What each flop adds, up to the first that was not finished."""
    try:
        if num_workers > 1 and judge.is_for_threads:
            with ThreadPoolExecutor(num_workers) as threads:

                def submit(index: int) -> Future[Float64Array]:
                    return threads.submit(judge.judge_flop, index, should_stop)

                yield from _in_order(submit, indices, 2 * num_workers)
        elif num_workers > 1 and make_judge is not None:
            yield from _judge_in_processes(make_judge, indices, num_workers, should_stop)
        else:
            yield from (judge.judge_flop(index, should_stop) for index in indices)
    except JudgingStoppedError:
        return


def _judge_in_processes(
    make_judge: MakeJudge, indices: range, num_workers: int, should_stop: ShouldStop
) -> Iterator[Float64Array]:
    # Not forked: threads of NumPy or of the caller would be copied in the middle of whatever they do.
    context = get_context("spawn")
    stop = context.Event()

    def look() -> None:
        if should_stop():
            stop.set()

    with ProcessPoolExecutor(
        num_workers, mp_context=context, initializer=_start_worker, initargs=(make_judge, stop)
    ) as processes:

        def submit(index: int) -> Future[Float64Array]:
            return processes.submit(_judge_in_worker, index)

        try:
            yield from _in_order(submit, indices, 2 * num_workers, while_waiting=look)
        finally:
            stop.set()  # so that flops which were begun, and which nobody wants any more, end soon


def _in_order(
    submit: Callable[[int], Future[Float64Array]],
    indices: range,
    ahead: int,
    while_waiting: Callable[[], None] = lambda: None,
) -> Iterator[Float64Array]:
    """The results in the order of the indices, of which at most `ahead` are submitted beyond the one waited for."""
    submitted: deque[Future[Float64Array]] = deque()
    not_submitted = iter(indices)
    try:
        while True:
            submitted.extend(submit(index) for index in islice(not_submitted, ahead + 1 - len(submitted)))
            if not submitted:
                return
            first = submitted.popleft()
            while not wait([first], timeout=_SECONDS_BETWEEN_LOOKS).done:
                while_waiting()
            yield first.result()
    finally:
        for future in submitted:
            future.cancel()


# What a worker process judges with, made once when it starts.
_worker: tuple[FlopJudge, Event] | None = None


def _start_worker(make_judge: MakeJudge, stop: Event) -> None:
    global _worker
    # Ctrl-C is for the process that asked; it stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = make_judge(), stop


def _judge_in_worker(index: int) -> Float64Array:
    assert _worker is not None
    judge, stop = _worker
    return judge.judge_flop(index, stop.is_set)
