"""An action that is repeated beside other work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def repeated(action: Callable[[], None], *, seconds: float) -> Iterator[None]:
    """Within, `action` is called every so many seconds by a thread of its own; it must not raise."""
    is_over = Event()

    def repeat() -> None:
        while not is_over.wait(seconds):
            action()

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
