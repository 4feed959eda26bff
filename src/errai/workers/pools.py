"""The threads and processes of this machine: the only pools of the program.

    map_in_order        threads; results in the order of the items
    map_as_completed    threads; results as they are ready
    map_in_processes    processes that prepare their work once; results in the order of the items

All of them take items only as results are consumed, so that a bounded number is under way. Closing the generator stops
the work: items that have not begun are dropped, and those that have are waited for. An error of the work is raised from
the generator as it was.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

from errai.errors import WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")
ShouldStop = Callable[[], bool]

_SECONDS_BETWEEN_LOOKS = 0.2  # at whether to stop, while processes work


def map_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], *, num_threads: int, max_ahead: int
) -> Generator[Result, None, None]:
    """Apply `function` in threads; at most `max_ahead` items are begun beyond the one whose result is next."""
    with ThreadPoolExecutor(num_threads) as pool:
        yield from _in_order(lambda item: pool.submit(function, item), items, max_ahead)


def map_as_completed(
    function: Callable[[Item], Result], items: Iterable[Item], *, num_threads: int
) -> Generator[Result, None, None]:
    """Apply `function` in threads; one item waits, so that no thread does while a result is consumed."""
    with ThreadPoolExecutor(num_threads) as pool:
        under_way: set[Future[Result]] = set()
        waiting = iter(items)
        try:
            while True:
                free = num_threads + 1 - len(under_way)
                under_way.update(pool.submit(function, item) for item in islice(waiting, free))
                if not under_way:
                    return
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in under_way:
                future.cancel()


def map_in_processes(
    make_work: Callable[[ShouldStop], Callable[[Item], Result]],
    items: Iterable[Item],
    *,
    num_processes: int,
    should_stop: ShouldStop = lambda: False,
) -> Generator[Result, None, None]:
    """Apply the work that each process makes once, with a function by which it can see that it should stop.

    The work should stop when `should_stop` answers True here, or when the generator is closed. `make_work`, items and
    results must be picklable.
    """
    # Not forked: threads of NumPy or of the caller would be copied in the middle of what they do.
    context = get_context("spawn")
    stop = context.Event()

    def look() -> None:
        if should_stop():
            stop.set()

    with ProcessPoolExecutor(
        num_processes, mp_context=context, initializer=_start_process, initargs=(make_work, stop)
    ) as pool:

        def submit(item: Item) -> Future[Result]:
            with _interrupts_blocked():  # in this thread, and forever in a process that it starts
                return pool.submit(_do, item)

        try:
            yield from _in_order(submit, items, 2 * num_processes, while_waiting=look)
        except KeyboardInterrupt:
            # The user does not want to wait, and a bot that sleeps never looks at `stop`.
            for process in list(pool._processes.values()):
                process.terminate()
            raise
        except BrokenProcessPool:
            raise WorkerError(
                "a worker process died", hint="it may have needed too much memory; try fewer `--workers`"
            ) from None
        finally:
            stop.set()


def _in_order(
    submit: Callable[[Item], Future[Result]],
    items: Iterable[Item],
    max_ahead: int,
    while_waiting: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    begun: deque[Future[Result]] = deque()
    waiting = iter(items)
    try:
        while True:
            begun.extend(submit(item) for item in islice(waiting, max_ahead + 1 - len(begun)))
            if not begun:
                return
            first = begun.popleft()
            while while_waiting is not None and not wait([first], timeout=_SECONDS_BETWEEN_LOOKS).done:
                while_waiting()
            yield first.result()
    except KeyboardInterrupt:
        if while_waiting is not None:
            begun.clear()  # processes will be ended, and their pool must not find futures that were cancelled
        raise
    finally:
        for future in begun:
            future.cancel()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Within, Ctrl-C waits. A process that is started inherits this: Ctrl-C is for the process that started it."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


# In a worker process: how it makes its work, and the work, made once.
_make_work: Callable[[], Callable[[Any], Any]] | None = None
_work: Callable[[Any], Any] | None = None


def _start_process(make_work: Callable[[ShouldStop], Callable[[Any], Any]], stop: Event) -> None:
    global _make_work
    # Results of the process that started this one may go to stdout: neither Python nor a library in C writes there.
    sys.stdout = sys.stderr
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # so a `KeyboardInterrupt` here was raised by the work itself
    _make_work = lambda: make_work(stop.is_set)  # noqa: E731


def _do(item: Any) -> Any:
    global _work
    if _work is None:
        # Not when the process starts: an error there would break the pool, and its message would be lost.
        assert _make_work is not None
        _work = _make_work()
    return _work(item)
