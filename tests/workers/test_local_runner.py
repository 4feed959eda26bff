"""Workers that are processes of this machine."""

import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from errai.errors import AgentError, WorkerError
from errai.workers.local_runner import LocalRunner


def make_square(log: Path) -> Callable[[int], int]:
    with log.open("a") as file:
        file.write(f"{os.getpid()}\n")
    return square


def square(number: int) -> int:
    return number**2


def make_nothing() -> Callable[[int], int]:
    raise AgentError("there is no bot", hint="write one")


def die(number: int) -> int:
    os._exit(1)


@pytest.mark.parametrize("num_workers", [1, 2])
def test_results_come_in_order_and_each_worker_makes_its_work_once(num_workers: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    results = list(LocalRunner(num_workers).run(partial(make_square, log), range(30)))
    assert results == [number**2 for number in range(30)]
    workers = log.read_text().splitlines()
    assert len(set(workers)) == len(workers) <= num_workers
    assert (str(os.getpid()) in workers) == (num_workers == 1)


def test_nothing_to_do_is_done() -> None:
    assert list(LocalRunner().run(partial(make_square, Path(os.devnull)), [])) == []


def test_only_a_bounded_number_is_begun_ahead(tmp_path: Path) -> None:
    taken: list[int] = []

    class Items(list[int]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            for item in super().__iter__():
                taken.append(item)
                yield item

    with closing(LocalRunner(2).run(partial(make_square, tmp_path / "log"), Items(range(1000)))) as results:
        assert next(results) == 0
        assert len(taken) <= 5


@pytest.mark.parametrize("num_workers", [1, 2])
def test_why_a_worker_cannot_make_its_work_is_told(num_workers: int) -> None:
    with pytest.raises(AgentError, match=r"^there is no bot$") as caught:
        list(LocalRunner(num_workers).run(make_nothing, range(4)))
    assert caught.value.hint == "write one"


def test_a_worker_that_died_is_told() -> None:
    with pytest.raises(WorkerError, match=r"^a worker process died$"):
        list(LocalRunner(2).run(partial(partial, die), range(4)))
