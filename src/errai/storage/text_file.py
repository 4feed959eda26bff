"""Text files that grow while hands are played."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errai.errors import StorageError


class TextFile:
    """A new file in place of an older one of that name; whatever the disk refuses is a `StorageError`.

    A named pipe must have a reader: waiting for one would look like a program that hangs.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._reported():
            self._file = os.fdopen(_open_without_waiting(path), "w", encoding="utf-8", newline="\n")

    def write(self, text: str) -> None:
        """Write `text`; it leaves this process at once."""
        with self._reported():
            self._file.write(text)
            self._file.flush()

    def close(self) -> None:
        with self._reported():
            self._file.close()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"`{self._path}` cannot be written: {error.strerror}", hint="name a file on a disk with space"
            ) from error


def _open_without_waiting(path: Path) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor
