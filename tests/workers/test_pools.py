"""Threads and processes: the order of results, how far the work runs ahead, and how it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from errai.workers.background import repeated
from errai.workers.pools import ShouldStop, map_as_completed, map_in_order, map_in_processes


def square(number: int) -> int:
    return number**2


def fail_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def wait_until_stopped(should_stop: ShouldStop) -> Callable[[int], int]:
    def work(number: int) -> int:
        end = time.monotonic() + 60
        while number and not should_stop():
            assert time.monotonic() < end
            time.sleep(0.01)
        return number

    return work


def watched(items: range, taken: list[int]) -> Iterator[int]:
    for item in items:
        taken.append(item)
        yield item


@pytest.mark.parametrize("num_threads", [1, 3])
def test_results_come_in_the_order_of_the_items(num_threads: int) -> None:
    delays = [0.02, 0.0, 0.01, 0.0, 0.0]

    def work(index: int) -> int:
        time.sleep(delays[index])
        return index

    assert list(map_in_order(work, range(5), num_threads=num_threads, max_ahead=3)) == list(range(5))


def test_results_come_as_they_are_ready() -> None:
    release = Event()

    def work(index: int) -> int:
        if index == 0:
            assert release.wait(30)
        return index

    results = map_as_completed(work, range(6), num_threads=2)
    assert sorted(next(results) for _ in range(5)) == [1, 2, 3, 4, 5]
    release.set()
    assert list(results) == [0]


def test_items_are_taken_only_as_results_are_consumed() -> None:
    taken: list[int] = []
    with closing(map_in_order(square, watched(range(1000), taken), num_threads=2, max_ahead=4)) as results:
        assert next(results) == 0
        assert len(taken) == 5
    taken.clear()
    with closing(map_as_completed(square, watched(range(1000), taken), num_threads=2)) as results:
        next(results)
        assert len(taken) == 3


@pytest.mark.parametrize("ordered", [True, False])
def test_an_error_of_the_work_is_raised_as_it_was(ordered: bool) -> None:
    results = (
        map_in_order(fail_at_three, range(9), num_threads=2, max_ahead=2)
        if ordered
        else map_as_completed(fail_at_three, range(9), num_threads=2)
    )
    with pytest.raises(ValueError, match=r"^three$"):
        list(results)


def test_an_error_of_the_items_ends_the_work() -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        list(map_in_order(square, items(), num_threads=2, max_ahead=2))


def test_processes_see_that_they_should_stop() -> None:
    is_stopped = [False]
    results = map_in_processes(wait_until_stopped, range(4), num_processes=2, should_stop=lambda: is_stopped[0])
    assert next(results) == 0
    is_stopped[0] = True
    assert list(results) == [1, 2, 3]


def test_processes_stop_when_their_results_are_no_longer_read() -> None:
    started = time.monotonic()
    with closing(map_in_processes(wait_until_stopped, range(4), num_processes=2)) as results:
        assert next(results) == 0
    assert time.monotonic() - started < 30


PROGRAM = """
import sys, time
sys.path.insert(0, sys.argv[1])
from test_pools import wait_until_stopped
from errai.workers.pools import map_in_processes
if __name__ == "__main__":
    try:
        print("began", flush=True)
        list(map_in_processes(wait_until_stopped, range(4), num_processes=2))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 1.0])
def test_ctrl_c_reaches_only_the_process_that_started_the_others(delay: float, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal; those that are still starting must not print a traceback."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, program, str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "began\n"
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (output, errors, process.returncode) == ("interrupted\n", "", 0)


def test_a_background_action_is_repeated_until_the_end() -> None:
    calls: list[float] = []
    with repeated(lambda: calls.append(time.monotonic()), seconds=0.01):
        while len(calls) < 3:
            time.sleep(0.01)
    count = len(calls)
    time.sleep(0.05)
    assert len(calls) == count
