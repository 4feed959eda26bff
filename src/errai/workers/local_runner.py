"""A runner on this machine: one worker is this process itself, several are processes of their own."""

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial

from errai.workers.pools import ShouldStop, map_in_processes
from errai.workers.runner import Item, Result


def num_cores() -> int:
    """The number of cores that this process may use."""
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
        else:
            yield from map_in_processes(partial(_make_work, make_work), items, num_processes=num_workers)


def _make_work(make_work: Callable[[], Callable[[Item], Result]], _: ShouldStop) -> Callable[[Item], Result]:
    """A piece of work of a runner is short; it is not interrupted."""
    return make_work()
