"""Work on machines that can fail: workers are replaced when they die, and their unfinished items are done again.

1. The requested number of workers is started. A worker gets no item before it has answered that it is ready, because a
   cluster may never find a place for it.
2. A ready worker has two items: one under way, and one that it begins when the first is done.
3. The items of a worker that dies are taken back, and the worker is replaced on any node that has room.
"""

from collections.abc import Callable, Collection, Generator, Sequence
from typing import Any, Protocol

from errai.errors import WorkerError
from errai.workers.assignments import Assignments
from errai.workers.runner import Item, Result

_ITEMS_PER_WORKER = 2
_MAX_STARTS = 3  # of a worker and its replacements, as long as none of them gets ready
_START_SECONDS = 120.0


class WorkerLost(Exception):
    """A worker died, or its node did; the message gives the reason as far as it is known."""


class Call(Protocol):
    """A request to a worker. Hashable."""

    def result(self) -> Any:
        """The worker's answer; raises the error of the work, or `WorkerLost`."""


class RemoteWorker(Protocol):
    """A worker somewhere. Hashable."""

    def get_ready(self) -> Call:
        """Ask it to make its work."""

    def do(self, item: Any) -> Call:
        """Ask it to do an item."""

    def stop(self) -> None:
        """End it at once."""


class Workplace(Protocol):
    """Where workers live."""

    def start_worker(self, make_work: Callable[[], Callable[[Any], Any]]) -> RemoteWorker:
        """A new worker, on any node."""

    def wait(self, calls: Collection[Call], *, timeout_seconds: float) -> Sequence[Call]:
        """Some calls that are finished, successfully or not; none after the timeout."""


def run_remotely(
    workplace: Workplace,
    make_work: Callable[[], Callable[[Item], Result]],
    items: Sequence[Item],
    *,
    num_workers: int,
    start_seconds: float = _START_SECONDS,
) -> Generator[Result, None, None]:
    """The result of every item, in order, even if workers die meanwhile."""
    assignments: Assignments[Item, Result] = Assignments(items, max_ahead=2 * _ITEMS_PER_WORKER * num_workers)
    workers = _LiveWorkers(workplace, make_work)
    try:
        for _ in range(min(num_workers, len(items))):
            workers.start()
        while not assignments.is_complete:
            workers.give_out(assignments)
            finished = workplace.wait(workers.calls, timeout_seconds=start_seconds)
            if not finished and not workers.has_ready_workers:
                raise WorkerError(
                    f"no worker started within {start_seconds:g} s", hint="`ray status` says what the cluster has free"
                )
            for call in finished:
                workers.finish(call, assignments)
            yield from assignments.hand_on()
    finally:
        workers.stop()


class _LiveWorkers:
    """The workers that are alive, and their requests."""

    def __init__(self, workplace: Workplace, make_work: Callable[[], Callable[[Any], Any]]) -> None:
        self._workplace = workplace
        self._make_work = make_work
        self._num_starts: dict[RemoteWorker, int] = {}  # of each worker that is alive, its predecessors included
        self._num_items: dict[RemoteWorker, int] = {}  # of each worker that is ready
        self._asked: dict[Call, tuple[RemoteWorker, int | None]] = {}  # the number of the item; None: to get ready

    @property
    def calls(self) -> Collection[Call]:
        return self._asked.keys()

    @property
    def has_ready_workers(self) -> bool:
        return bool(self._num_items)

    def start(self, num_starts: int = 1) -> None:
        worker = self._workplace.start_worker(self._make_work)
        self._num_starts[worker] = num_starts
        self._asked[worker.get_ready()] = worker, None

    def give_out(self, assignments: Assignments[Any, Any]) -> None:
        """Give items to workers that have too few: a first one to all before any gets a second."""
        for enough in range(1, _ITEMS_PER_WORKER + 1):
            for worker, num_items in self._num_items.items():
                if num_items < enough and (taken := assignments.take()) is not None:
                    number, item = taken
                    self._asked[worker.do(item)] = worker, number
                    self._num_items[worker] += 1

    def finish(self, call: Call, assignments: Assignments[Any, Any]) -> None:
        """Record the answer of a worker, or its death."""
        worker, number = self._asked.pop(call)
        try:
            result = call.result()
        except WorkerLost as lost:
            self._replace(worker, str(lost))
            if number is not None:
                assignments.lose(number, str(lost))
            return
        if number is None:
            self._num_items[worker] = 0
            self._num_starts[worker] = 0
        else:
            assignments.finish(number, result)
            if worker in self._num_items:
                self._num_items[worker] -= 1

    def stop(self) -> None:
        for worker in self._num_starts:
            worker.stop()

    def _replace(self, worker: RemoteWorker, reason: str) -> None:
        if worker not in self._num_starts:
            return  # already replaced: it had several items
        num_starts = self._num_starts.pop(worker)
        self._num_items.pop(worker, None)
        worker.stop()
        if num_starts == _MAX_STARTS:
            raise WorkerError(
                f"{_MAX_STARTS} workers in a row died while they started; the last one: {reason}",
                hint="is the same version of errai installed on every node?",
            )
        self.start(num_starts + 1)
