"""Owning a directory while work is under way in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errai.storage.lease import TOUCH_SECONDS, Lease, acquire_lease
from errai.workers.background import repeated


@contextmanager
def owned_directory(directory: Path) -> Iterator[Lease]:
    """Within, this process owns a directory, which is created if needed; raises an error that names another owner."""
    lease = acquire_lease(directory)
    try:
        with repeated(lease.touch, seconds=TOUCH_SECONDS):
            yield lease
    finally:
        lease.release()
