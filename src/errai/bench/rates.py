"""How many items a second one core does."""

from collections.abc import Callable
from time import process_time


def items_per_second(work: Callable[[], object], items: int, *, repeats: int) -> float:
    """The best of several runs, in the processor's time: what others do on the machine only ever makes a run slower."""
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return items / best
