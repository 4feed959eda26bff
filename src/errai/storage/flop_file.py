"""One array of one flop on disk: one player's regrets or average, in sections.

    sections           one after the other, as the engine made them (`native/lanes/sections.hpp`)
    footer             JSON: what the file holds, and every section's offset, size and checksum
    tail, 24 bytes     length and checksum of the footer, 64 bits each; `ERRAIFL4`

A file is put into place in one step (`durable_files.py`) and never changed afterwards. Every byte that is read is
checked; an error names the path of the damaged file.
"""

import json
import os
import stat
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import StorageError
from errai.storage.durable_files import partial_path, replace_durably, writing
from errai.storage.run_identity import RunIdentity

ByteArray = NDArray[np.uint8]
_MAGIC = b"ERRAIFL4"
_TAIL = struct.Struct("<QQ8s")


@dataclass(frozen=True)
class FlopArray:
    """What a file holds: of the flop `flop` of a run, after pass `pass_number`, one player's numbers of a kind."""

    run: RunIdentity
    flop: str
    kind: str  # regrets or average
    player: int
    pass_number: int
    scales: tuple[float, ...]  # one per round: of fixed point; 0 where numbers are kept as they are
    model: tuple[int, ...] | None  # counts of symbols with which it is encoded
    next_model: tuple[int, ...] | None  # with which the next version will be


@dataclass(frozen=True)
class _Section:
    offset: int
    size: int
    checksum: int


@dataclass
class FlopFileWriter:
    """Writes the sections of a new file in order; `finish` puts it in its place."""

    path: Path
    _sections: list[_Section] = field(default_factory=list)

    def __enter__(self) -> "FlopFileWriter":
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._partial = partial_path(self.path)
            self._file = open(self._partial, "xb", buffering=0)
        return self

    def write(self, section: ByteArray) -> None:
        with writing(self.path):
            self._sections.append(_Section(self._file.tell(), section.size, checksum(section)))
            self._write(section.data)

    def finish(self, array: FlopArray) -> int:
        """Write the footer, force everything to the disk, and give the file its name; its size."""
        footer = json.dumps(
            {"array": asdict(array), "sections": [[s.offset, s.size, s.checksum] for s in self._sections]}
        ).encode()
        with writing(self.path):
            return self._finish(footer)

    def _finish(self, footer: bytes) -> int:
        self._write(footer)
        self._write(_TAIL.pack(len(footer), checksum(np.frombuffer(footer, dtype=np.uint8)), _MAGIC))
        size = self._file.tell()
        os.fsync(self._file.fileno())
        self._file.close()
        replace_durably(self._partial, self.path)
        return size

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._file.close()
        self._partial.unlink(missing_ok=True)

    def _write(self, content: Any) -> None:
        """All of it: one call writes at most 2 GiB, and less on a disk that is full."""
        rest = memoryview(content)
        while rest:
            rest = rest[self._file.write(rest) :]


class FlopFile:
    """Reads a file; sections are read and checked when they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # A named pipe that nobody writes to would block without this flag.
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            raise StorageError(f"`{path}` cannot be read: {error.strerror}") from error
        try:
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise StorageError(
                    f"`{path}` is not a regular file", hint="move it away; the run computes the flop again"
                )
            footer = self._read_footer()
            self.array = _parse_array(footer["array"])
            self._sections = [_Section(*entry) for entry in footer["sections"]]
        except (ValueError, KeyError, TypeError) as error:
            os.close(self._descriptor)
            raise damaged(path, "its footer is not one of this program") from error
        except StorageError:
            os.close(self._descriptor)
            raise

    @property
    def scales(self) -> Sequence[float]:
        return self.array.scales

    @property
    def model(self) -> Sequence[int] | None:
        return self.array.model

    @property
    def next_model(self) -> Sequence[int] | None:
        return self.array.next_model

    @property
    def num_sections(self) -> int:
        return len(self._sections)

    def read(self, section: int) -> ByteArray:
        """A section; the root's, which is written at the end, is number 0."""
        entry = self._sections[section - 1]
        content = self._pread(entry.size, entry.offset)
        if checksum(content) != entry.checksum:
            raise damaged(self.path, f"the checksum of section {section} at byte {entry.offset} is wrong")
        return content

    def verify(self) -> None:
        """Read everything."""
        for section in range(self.num_sections):
            self.read(section)
        end = max((entry.offset + entry.size for entry in self._sections), default=0)
        if end != self._footer_begin:
            raise damaged(self.path, f"its sections end at byte {end}, its footer begins at {self._footer_begin}")

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> "FlopFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _pread(self, size: int, offset: int) -> ByteArray:
        content = np.empty(size, dtype=np.uint8)
        done = 0
        while done < size:
            try:
                count = os.preadv(self._descriptor, [content.data[done:]], offset + done)
            except OSError as error:
                raise StorageError(f"`{self.path}` cannot be read: {error.strerror}") from error
            if count == 0:
                raise damaged(self.path, f"it ends at byte {offset + done}, in the middle of a section")
            done += count
        return content

    def _read_footer(self) -> dict[str, Any]:
        size = os.fstat(self._descriptor).st_size
        if size < _TAIL.size:
            raise damaged(self.path, f"it has {size} bytes, less than the tail of a flop's file")
        length, expected, magic = _TAIL.unpack(self._pread(_TAIL.size, size - _TAIL.size).tobytes())
        if magic != _MAGIC:
            raise damaged(self.path, f"it does not end with `{_MAGIC.decode()}`")
        if length > size - _TAIL.size:
            raise damaged(self.path, "its footer is longer than the file")
        self._footer_begin = size - _TAIL.size - length
        footer = self._pread(length, self._footer_begin)
        if checksum(footer) != expected:
            raise damaged(self.path, "the checksum of its footer is wrong")
        content: dict[str, Any] = json.loads(footer.tobytes())
        return content


@dataclass(frozen=True)
class NoSections:
    """The array of a flop that no pass has changed yet: all zeros."""

    scales: Sequence[float]
    model: Sequence[int] | None = None
    next_model: Sequence[int] | None = None

    def read(self, section: int) -> ByteArray:
        return np.zeros(0, dtype=np.uint8)


def damaged(path: Path, what: str) -> StorageError:
    """An error that names the file."""
    return StorageError(
        f"`{path}` is damaged: {what}",
        hint="delete the file; the run computes it again from its beginning or from a checkpoint",
    )


def checksum(content: ByteArray) -> int:
    """64 bits of some bytes."""
    bits: int = kernels.checksum(content)
    return bits


def _parse_array(entry: dict[str, Any]) -> FlopArray:
    def counts(name: str) -> tuple[int, ...] | None:
        return None if entry[name] is None else tuple(entry[name])

    return FlopArray(
        RunIdentity(entry["run"]["run_id"], entry["run"]["settings_digest"]),
        entry["flop"],
        entry["kind"],
        entry["player"],
        entry["pass_number"],
        tuple(entry["scales"]),
        counts("model"),
        counts("next_model"),
    )
