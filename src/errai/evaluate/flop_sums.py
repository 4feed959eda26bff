"""Work that is done for each flop on its own and added up: in threads, stopped and resumed, always to the same bits.

Flops are taken in order, and what they give is added in order, whoever computed it and whenever. So any number of
threads gives the same sums, and a run that was stopped and resumed those of one that was not.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from errai.evaluate.exploitability import Exploitability
from errai.games.sequence_form import Float64Array


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
    def max_threads(self) -> int | None:
        """How many threads may judge flops at once."""

    def judge_flop(self, index: int) -> Float64Array:
        """What one flop adds."""

    def finish(self, total: Float64Array) -> Exploitability:
        """What follows from the sum over all flops."""

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """What all flops will take, from a sample of them."""


@dataclass(frozen=True)
class FlopSums:
    """The sum over the first `num_done` flops."""

    num_done: int
    total: Float64Array

    def share_of(self, judge: FlopJudge) -> float:
        """The part of the work that is done."""
        return sum(judge.multiplicities[: self.num_done]) / sum(judge.multiplicities)


ShouldStop = Callable[[FlopSums], bool]


def sum_over_flops(
    judge: FlopJudge, *, start: FlopSums | None = None, num_threads: int = 1, should_stop: ShouldStop | None = None
) -> FlopSums:
    """Add up all flops, or those until `should_stop`, which sees the sums after every flop, answers True."""
    sums = start
    indices = range(start.num_done if start else 0, len(judge.multiplicities))
    for added in _judge_in_order(judge, indices, num_threads=min(num_threads, judge.max_threads or num_threads)):
        sums = FlopSums(sums.num_done + 1, sums.total + added) if sums else FlopSums(1, added)
        if should_stop is not None and should_stop(sums):
            break
    assert sums is not None, "a game has a flop"
    return sums


def _judge_in_order(judge: FlopJudge, indices: range, *, num_threads: int) -> Iterator[Float64Array]:
    if num_threads == 1:
        yield from map(judge.judge_flop, indices)
        return
    with ThreadPoolExecutor(num_threads) as pool:
        waiting: deque[Future[Float64Array]] = deque()
        try:
            for index in indices:
                waiting.append(pool.submit(judge.judge_flop, index))
                if len(waiting) > 2 * num_threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
