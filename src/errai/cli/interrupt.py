"""Ctrl-C during long work: the first asks it to stop at the next good moment, the second stops it at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Within, the first Ctrl-C only makes the yielded function return True."""
    interrupted = False

    def remember(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: interrupted
    finally:
        signal.signal(signal.SIGINT, previous)
