"""The rate of one core."""

from collections.abc import Callable
from time import process_time


def items_per_second(work: Callable[[], object], items: int, *, repeats: int) -> float:
    """The best of several runs in processor time: other work on the machine can only make a run slower."""
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return items / best
