"""Workers that die, without a cluster: a workplace in this process, in which everything goes as a test says."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from errai.errors import AgentError, WorkerError
from errai.workers.remote import Call, WorkerLost, run_remotely


@dataclass(eq=False)
class FakeCall:
    worker: "FakeWorker"
    answer: Callable[[], Any]

    def result(self) -> Any:
        if not self.worker.is_alive:
            raise WorkerLost("the power failed")
        return self.answer()


@dataclass(eq=False)
class FakeWorker:
    place: "FakeWorkplace"
    number: int
    make_work: Callable[[], Callable[[Any], Any]]
    is_alive: bool = True
    was_stopped: bool = False
    work: Any = None

    def get_ready(self) -> FakeCall:
        def get_ready() -> None:
            self.work = self.make_work()

        return FakeCall(self, get_ready)

    def do(self, item: Any) -> FakeCall:
        return FakeCall(self, lambda: self.work(item))

    def stop(self) -> None:
        self.was_stopped = True


@dataclass
class FakeWorkplace:
    """Finishes one call at a time, in an order of its own; `dies` says who dies when, seen at every wait."""

    seed: int = 0
    dies: Callable[[FakeWorker], bool] = lambda _worker: False
    has_room: bool = True
    workers: list[FakeWorker] = field(default_factory=list)
    most_under_way: int = 0

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)

    def start_worker(self, make_work: Callable[[], Callable[[Any], Any]]) -> FakeWorker:
        self.workers.append(FakeWorker(self, len(self.workers), make_work))
        return self.workers[-1]

    def wait(self, calls: Collection[Call], *, timeout_seconds: float) -> Sequence[Call]:
        self.most_under_way = max(self.most_under_way, len(calls))
        if not self.has_room:
            return []
        for worker in self.workers:
            worker.is_alive = worker.is_alive and not self.dies(worker)
        return [self.chance.choice(list(calls))]


def square() -> Callable[[int], int]:
    return lambda number: number**2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("num_workers", [1, 3, 50])
def test_results_come_in_order_whatever_the_workers(num_workers: int, seed: int) -> None:
    place = FakeWorkplace(seed)
    assert list(run_remotely(place, square, range(20), num_workers=num_workers)) == [n**2 for n in range(20)]
    assert len(place.workers) == min(num_workers, 20)
    assert all(worker.was_stopped for worker in place.workers)


@pytest.mark.parametrize("seed", range(5))
def test_what_dead_workers_had_is_done_by_others(seed: int) -> None:
    chance = Random(seed)
    deaths: list[FakeWorker] = []

    def dies(worker: FakeWorker) -> bool:
        if worker.work is not None and worker.is_alive and len(deaths) < 8 and chance.random() < 0.02:
            deaths.append(worker)
            return True
        return False

    place = FakeWorkplace(seed, dies)
    results = run_remotely(place, square, range(200), num_workers=4)
    assert list(results) == [n**2 for n in range(200)]
    assert len(deaths) == 8
    assert len(place.workers) == 4 + 8


def test_each_worker_makes_its_work_once_and_has_at_most_two_items() -> None:
    made: list[None] = []

    def make_work() -> Callable[[int], int]:
        made.append(None)
        return square()

    place = FakeWorkplace()
    assert len(list(run_remotely(place, make_work, range(100), num_workers=3))) == 100
    assert len(made) == 3
    assert place.most_under_way == 6


def test_what_the_work_raises_is_raised_and_everybody_is_stopped() -> None:
    def fail(number: int) -> int:
        raise AgentError(f"no answer to {number}", hint="think")

    place = FakeWorkplace()
    with pytest.raises(AgentError, match=r"^no answer to \d$") as caught:
        list(run_remotely(place, lambda: fail, range(9), num_workers=2))
    assert caught.value.hint == "think"
    assert all(worker.was_stopped for worker in place.workers)


def test_whoever_stops_listening_stops_the_workers() -> None:
    place = FakeWorkplace()
    results = run_remotely(place, square, range(1000), num_workers=2)
    assert next(results) == 0
    results.close()
    assert all(worker.was_stopped for worker in place.workers)


def test_an_item_that_kills_every_worker_is_given_up() -> None:
    place = FakeWorkplace(dies=lambda worker: worker.work is not None)
    with pytest.raises(WorkerError, match="was given to 3 workers, and all of them died; the last one: the power"):
        list(run_remotely(place, square, range(4), num_workers=2))
    assert all(worker.was_stopped for worker in place.workers)


def test_workers_that_die_before_they_are_ready_are_not_started_for_ever() -> None:
    place = FakeWorkplace(dies=lambda worker: worker.number != 0)
    with pytest.raises(WorkerError, match=r"^3 workers in a row died while they started; the last one: the power"):
        list(run_remotely(place, square, range(1000), num_workers=2))
    assert len(place.workers) == 4
    assert all(worker.was_stopped for worker in place.workers)


def test_a_cluster_without_room_is_not_waited_for_for_ever() -> None:
    place = FakeWorkplace(has_room=False)
    with pytest.raises(WorkerError, match=r"^no worker started within 7 s$"):
        list(run_remotely(place, square, range(4), num_workers=2, start_seconds=7))
    assert all(worker.was_stopped for worker in place.workers)
