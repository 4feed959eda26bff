"""Files that survive a crash: written under another name, forced to the disk, and then put into place in one step.

A reader sees the old file or the new one, never a part of either. What a crash can leave behind is a file whose name
ends with `.partial`, which never counts.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from errai.errors import StorageError

PARTIAL_SUFFIX = ".partial"


def partial_path(path: Path) -> Path:
    """A name beside `path` that no other writer uses."""
    return path.with_name(f"{path.name}.{token_hex(4)}{PARTIAL_SUFFIX}")


def replace_durably(partial: Path, path: Path) -> None:
    """Give a complete file, which was forced to the disk, its name."""
    partial.replace(path)
    sync_directory(path.parent)


def write_durably(path: Path, content: bytes) -> None:
    """Write a small file."""
    partial = partial_path(path)
    try:
        with open(partial, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        replace_durably(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def copy_durably(source: Path, path: Path) -> None:
    """Copy a file of any size."""
    partial = partial_path(path)
    try:
        shutil.copyfile(source, partial)
        with open(partial, "rb") as file:
            os.fsync(file.fileno())
        replace_durably(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def sync_directory(directory: Path) -> None:
    """Force the names in a directory to the disk: a new file is on it only when its name is."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writing(path: Path, *, again: str = "errai solve --resume") -> Iterator[None]:
    """Within, an error of the operating system becomes a `StorageError` that names `path` and says what helps.

    `again` is the command that continues the work.
    """
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"`{path}` cannot be written: {error.strerror}",
            hint=_HINTS.get(error.errno or 0, _HINTS[0]).format(again=again),
        ) from error


_HINTS = {
    0: "nothing is lost: once the disk works again, `{again}` continues from here",
    errno.ENOSPC: "make room on the disk; nothing is lost, and `{again}` continues from here",
    errno.EDQUOT: "make room on the disk; nothing is lost, and `{again}` continues from here",
    errno.EROFS: "the disk is read-only: choose a directory on another one, or mount it for writing",
    errno.EACCES: "choose a directory that this user may write to",
    errno.EPERM: "choose a directory that this user may write to",
    errno.EISDIR: "a directory has the name of that file: move it away",
    errno.ENOTDIR: "a file has the name of a directory on the way to it: move it away",
    errno.EEXIST: "a file has the name of a directory on the way to it: move it away",
}
