"""Text files that grow while something is played."""

from pathlib import Path
from typing import TextIO

from errai.errors import StorageError


def open_text(path: Path) -> TextIO:
    """A new file, in place of an older one of that name."""
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise StorageError(f"`{path}` cannot be written: {error.strerror}", hint="name another file") from error
