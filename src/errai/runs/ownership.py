"""Owning a directory while work is under way in it, and what a process that was killed left there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errai.storage.durable_files import writing
from errai.storage.lease import LEASE_DIRECTORY, TOUCH_SECONDS, Lease, acquire_lease
from errai.storage.ledger import LEDGER_FILE
from errai.storage.run_identity import MARK_FILE
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


def is_unused(directory: Path) -> bool:
    """Whether a directory does not exist, or holds nothing but what a process killed in its first steps left there."""
    if not directory.is_dir():
        return not directory.exists()
    return all(path.name == LEASE_DIRECTORY or _is_partial(path) for path in directory.iterdir())


def remove_partial_files(directory: Path) -> None:
    """Remove ledgers and marks that were not complete when their writer was killed; the directory must be owned."""
    for path in directory.iterdir():
        if _is_partial(path):
            with writing(path):
                path.unlink(missing_ok=True)


def _is_partial(path: Path) -> bool:
    # SQLite has its journal beside a ledger.
    return any(path.match(f"{name}.*.partial*") for name in (LEDGER_FILE, MARK_FILE))
