"""Work that is done for each flop on its own and added up: on all cores, stopped and resumed, always to the same bits.

Flops are taken in order and their results are added in order, whichever worker computed them. So any number of threads
processes or machines gives the same sums, and a run that was stopped and resumed gives those of one that was not.
"""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from errai.evaluate.exploitability import Exploitability
from errai.trees.sequence_form import Float64Array
from errai.workers.pools import ShouldStop, map_in_order, map_in_processes
from errai.workers.runner import Runner


class JudgingStoppedError(Exception):
    """A flop was not finished because the work was asked to stop."""


@dataclass(frozen=True)
class JudgingCost:
    """The cost of judging a whole game; the time is an estimate."""

    flops: int
    public_states: int  # at most so many are queried
    memory_bytes: int
    num_threads: int
    seconds: float


class FlopJudge(Protocol):
    """A judge of a whole game, flop by flop."""

    multiplicities: list[int]  # of each flop: the flops it stands for, to which its cost is about proportional

    @property
    def is_for_threads(self) -> bool:
        """Whether several threads may judge flops at once; if not, several processes may, each with its own judge."""

    def judge_flop(self, index: int, should_stop: ShouldStop) -> Float64Array:
        """What one flop adds; a flop that takes long checks whether it should stop."""

    def added(self, total: Float64Array, values: Float64Array) -> Float64Array:
        """The sum over the flops before the next, and what that one adds."""

    def finish(self, total: Float64Array) -> Exploitability:
        """The exploitability, from the sum over all flops."""

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """The cost of all flops on so many cores, estimated from a sample of them."""


@dataclass(frozen=True)
class FlopTotals:
    """The sum over the first `num_done` flops."""

    num_done: int
    total: Float64Array

    def share_of(self, judge: FlopJudge) -> float:
        """The share of the work that is done."""
        return sum(judge.multiplicities[: self.num_done]) / sum(judge.multiplicities)


MakeJudge = Callable[[], FlopJudge]


def total_over_flops(
    judge: FlopJudge,
    *,
    start: FlopTotals | None = None,
    num_threads: int = 1,
    make_judge: MakeJudge | None = None,
    runner: Runner | None = None,
    on_flop: Callable[[FlopTotals], None] | None = None,
    should_stop: ShouldStop = lambda: False,
) -> FlopTotals:
    """Add up all flops, or those until `should_stop` answers True; `on_flop` sees the sums after every flop.

    A judge that is not for threads works in `num_threads` processes, where `make_judge`, which must be picklable, makes
    it again; without it, in this process alone. With a `runner`, its workers make judges and do all the work.
    """
    sums = start or FlopTotals(0, np.zeros(()))
    indices = range(sums.num_done, len(judge.multiplicities))
    if runner is not None and make_judge is not None:
        results = runner.run(partial(_make_work, make_judge), indices)
    else:
        results = _judge_in_order(judge, make_judge, indices, min(num_threads, len(indices)), should_stop)
    with closing(results):
        for values in results:
            sums = FlopTotals(sums.num_done + 1, judge.added(sums.total, values))
            if on_flop is not None:
                on_flop(sums)
            if should_stop():
                break
    return sums


def _judge_in_order(
    judge: FlopJudge, make_judge: MakeJudge | None, indices: range, num_workers: int, should_stop: ShouldStop
) -> Generator[Float64Array, None, None]:
    """What each flop adds, up to the first that was not finished."""
    try:
        if num_workers > 1 and judge.is_for_threads:
            judge_flop = partial(judge.judge_flop, should_stop=should_stop)
            yield from map_in_order(judge_flop, indices, num_threads=num_workers, max_ahead=2 * num_workers)
        elif num_workers > 1 and make_judge is not None:
            make_work = partial(_make_work, make_judge)
            yield from map_in_processes(make_work, indices, num_processes=num_workers, should_stop=should_stop)
        else:
            yield from (judge.judge_flop(index, should_stop) for index in indices)
    except JudgingStoppedError:
        return


def _make_work(make_judge: MakeJudge, should_stop: ShouldStop = lambda: False) -> Callable[[int], Float64Array]:
    return partial(make_judge().judge_flop, should_stop=should_stop)
