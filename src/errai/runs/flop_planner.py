"""Which worker does which flops. Pure: events in, instructions out; no network, no disk, no clock.

1. A flop belongs to one worker, which has its files, and stays with it. Flops are dealt out so that all workers take
   equally long: the costliest first, each to the worker with the least work per thread.
2. A worker has one flop more than threads, so that it never waits for the next one. Each flop has one thread; when
   fewer flops than threads are left, several.
3. A worker that died keeps its flops until it is back or is given up. Then they are dealt to the others, preferably to
   workers that can read their files.
4. A worker that joins takes its share from the others: flops whose files it can read and that are not under way.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from errai.errors import WorkerError

_MAX_LOSSES = 3


@dataclass(frozen=True)
class Instruction:
    """A worker should do a flop."""

    worker: str
    flop: int
    num_threads: int


@dataclass
class _Worker:
    num_threads: int
    readable: Collection[int]
    is_away: bool = False
    flops: set[int] = field(default_factory=set)
    cost: float = 0.0  # of its flops
    under_way: dict[int, int] = field(default_factory=dict)  # the threads of each

    @property
    def free_threads(self) -> int:
        return self.num_threads - sum(self.under_way.values())

    @property
    def can_begin(self) -> bool:
        """Whether a thread is free for another flop, or every thread has one and the next can wait."""
        return self.free_threads > 0 or len(self.under_way) == self.num_threads

    def seconds(self, more: float = 0.0) -> float:
        """The time its flops take, in some unit."""
        return (self.cost + more) / self.num_threads


class FlopPlanner:
    """The workers, their flops, and the flops left to do."""

    def __init__(self, costs: Sequence[float]) -> None:
        self._costs = costs
        self._workers: dict[str, _Worker] = {}
        self._ownerless = set(range(len(costs)))
        self._waiting: set[int] = set()  # to be done, and not under way
        self._losses: Counter[int] = Counter()

    @property
    def is_complete(self) -> bool:
        """Whether everything is done."""
        return not self._waiting and not any(worker.under_way for worker in self._workers.values())

    @property
    def present(self) -> list[str]:
        """The workers that are available."""
        return [name for name, worker in self._workers.items() if not worker.is_away]

    @property
    def away(self) -> list[str]:
        """The workers that may come back."""
        return [name for name, worker in self._workers.items() if worker.is_away]

    def owner(self, flop: int) -> str | None:
        """The worker that a flop belongs to; None if none is available."""
        self._deal()
        return next((name for name, worker in self._workers.items() if flop in worker.flops), None)

    def begin(self, flops: Iterable[int]) -> None:
        """Plan these flops, and no others."""
        self._waiting = set(flops)
        self._losses.clear()
        for worker in self._workers.values():
            worker.under_way.clear()

    def give_out(self) -> list[Instruction]:
        """The flops to begin now."""
        self._deal()
        instructions = []
        for name, worker in self._workers.items():
            if worker.is_away:
                continue
            waiting = sorted(worker.flops & self._waiting, key=self._costliest_first)
            while waiting and worker.can_begin:
                share = worker.num_threads // (len(waiting) + len(worker.under_way))
                flop = waiting.pop(0)
                self._waiting.remove(flop)
                worker.under_way[flop] = max(1, min(share, worker.free_threads))
                instructions.append(Instruction(name, flop, worker.under_way[flop]))
        return instructions

    def finish(self, name: str, flop: int) -> None:
        """A worker has done a flop."""
        del self._workers[name].under_way[flop]
        del self._losses[flop]

    def join(self, name: str, *, num_threads: int, readable: Collection[int]) -> None:
        """A worker is ready that can read the files of these flops: a new one, or one that was away."""
        if name in self._workers:
            self._workers[name].num_threads = num_threads
            self._workers[name].readable = readable
            self._workers[name].is_away = False
        else:
            self._workers[name] = _Worker(num_threads, readable)
            self._take_share(self._workers[name])

    def pause(self, name: str) -> None:
        """A worker was ended; its unfinished flops are done again."""
        worker = self._workers[name]
        worker.is_away = True
        self._waiting |= worker.under_way.keys()
        worker.under_way.clear()

    def lose(self, name: str, reason: str) -> None:
        """A worker died, and may come back."""
        lost = sorted(self._workers[name].under_way)
        self.pause(name)
        self._losses.update(lost)
        for flop in lost:
            if self._losses[flop] == _MAX_LOSSES:
                raise WorkerError(
                    f"{_MAX_LOSSES} workers died while flop {flop + 1} of {len(self._costs)} was under way; the last "
                    f"one: {reason}",
                    hint="it may need more memory than the nodes have: lower `--memory` or `--threads`",
                )

    def leave(self, name: str) -> None:
        """A worker will not come back; its flops go to the others."""
        self.pause(name)
        self._ownerless |= self._workers.pop(name).flops

    def _deal(self) -> None:
        """Give every flop without a worker to one."""
        present = sorted(self.present)
        if not present or not self._ownerless:
            return
        for flop in sorted(self._ownerless, key=self._costliest_first):
            able = [name for name in present if flop in self._workers[name].readable] or present
            _, name = min((self._workers[name].seconds(self._costs[flop]), name) for name in able)
            self._give(self._workers[name], flop)
        self._ownerless.clear()

    def _take_share(self, newcomer: _Worker) -> None:
        """Take flops from the workers with the most work, as long as that shortens the longest time."""
        while True:
            for donor in sorted(self._workers.values(), key=_Worker.seconds, reverse=True):
                movable = [
                    flop
                    for flop in donor.flops - donor.under_way.keys()
                    if flop in newcomer.readable and newcomer.seconds(self._costs[flop]) < donor.seconds()
                ]
                if movable:
                    flop = min(movable, key=self._costliest_first)
                    donor.flops.remove(flop)
                    donor.cost -= self._costs[flop]
                    self._give(newcomer, flop)
                    break
            else:
                return

    def _give(self, worker: _Worker, flop: int) -> None:
        worker.flops.add(flop)
        worker.cost += self._costs[flop]

    def _costliest_first(self, flop: int) -> tuple[float, int]:
        return -self._costs[flop], flop
