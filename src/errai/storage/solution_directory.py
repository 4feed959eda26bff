"""A saved solution: a directory with `solution.json` and one `.npy` file per array.

    leduc/
        solution.json
        regret.npy
        average.npy

`solution.json` is UTF-8 JSON, one object:

    format        "errai-solution"
    version       3; a reader refuses another one
    errai         the version of the program that wrote it
    solution      an object that the writer chose: what was solved, how, how far
    arrays        a list, one object per array:
                      name      of the array
                      file      a plain file name in the same directory
                      dtype     as NumPy writes it: `<f8`
                      shape     a list of integers
                      bytes     the size of the file
                      sha256    of the whole file, in hexadecimal
    sha256        of this object without this key, written with sorted keys and without spaces

Writing: everything goes into a sibling directory `.NAME.partial-HOST-PID-*`, which is forced to the disk and renamed
when it is complete. An older solution of that name is set aside as `.NAME.previous` by one rename, replaced by the
next, and then removed; after a crash between the two, readers find the older one. A directory that holds anything else
is never replaced. A symbolic link keeps pointing where it did. Partial directories of processes that ended on this host
are removed.

Reading checks the format, the version and the checksum of `solution.json`, and of every array its file size and, when
it is first used, its header. Arrays of up to 64 MiB are read whole, and their checksums and numbers are checked as
well; larger ones are mapped into memory and only checked on request, since reading them all could take longer than the
work to be done.
"""

import glob
import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import StorageError

FORMAT = "errai-solution"
VERSION = 3
DESCRIPTION_FILE = "solution.json"
ALWAYS_VERIFIED_BYTES = 64 * 2**20
# Above this part of the largest number of its type, sums of a few numbers would overflow.
_LARGEST_PART = 1e-6


@dataclass(frozen=True)
class ArrayFile:
    """The entry of one array in `solution.json`."""

    name: str
    file: str
    dtype: str
    shape: tuple[int, ...]
    bytes: int
    sha256: str

    def verify_size(self, directory: Path) -> None:
        path = directory / self.file
        try:
            found = path.stat().st_size
        except OSError as error:
            raise StorageError(f"`{path}` cannot be read: {error.strerror}", hint=_DAMAGED_HINT) from error
        if found != self.bytes:
            raise StorageError(f"`{path}` must hold {self.bytes} bytes; found {found}", hint=_DAMAGED_HINT)

    def verify_checksum(self, directory: Path) -> None:
        path = directory / self.file
        found = _file_sha256(path)
        if found != self.sha256:
            raise StorageError(
                f"`{path}` is damaged: its SHA-256 must be {self.sha256}; found {found}", hint=_DAMAGED_HINT
            )

    def load(self, directory: Path) -> NDArray[Any]:
        path = directory / self.file
        is_small = self.bytes <= ALWAYS_VERIFIED_BYTES
        if is_small:
            self.verify_checksum(directory)
        try:
            array: NDArray[Any] = np.load(path, mmap_mode=None if is_small else "r", allow_pickle=False)
        except ValueError as error:
            raise StorageError(f"`{path}` must be a NumPy array file; {error}", hint=_DAMAGED_HINT) from error
        if array.dtype.str != self.dtype or array.shape != self.shape:
            raise StorageError(
                f"`{path}` must hold `{self.dtype}` {self.shape}; found `{array.dtype.str}` {array.shape}",
                hint=_DAMAGED_HINT,
            )
        if is_small:
            self.verify_numbers(directory, array)
        return array

    def verify_numbers(self, directory: Path, array: NDArray[Any]) -> None:
        """Raise a `StorageError` where a number is not finite or too large to be added up."""
        if not np.issubdtype(array.dtype, np.floating) or not array.size:
            return
        limit = _LARGEST_PART * float(np.finfo(array.dtype).max)
        # Written so that NaN is caught as well.
        if not (array.max() <= limit and array.min() >= -limit):
            raise StorageError(
                f"`{directory / self.file}` must hold finite numbers of at most {limit:.0e}; found others",
                hint=_DAMAGED_HINT,
            )


class StoredArrays(Mapping[str, NDArray[Any]]):
    """The arrays of a saved solution by name, each loaded when it is first asked for."""

    def __init__(self, directory: Path, files: Mapping[str, ArrayFile]) -> None:
        self._directory = directory
        self._files = files
        self._loaded: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._loaded:
            self._loaded[name] = self._files[name].load(self._directory)
        return self._loaded[name]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an array, which is known without its file."""
        return self._files[name].shape

    def verify_loaded(self) -> None:
        """Check the numbers of all arrays that were asked for so far, also of those that are mapped."""
        for name, array in self._loaded.items():
            self._files[name].verify_numbers(self._directory, array)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@dataclass(frozen=True)
class StoredSolution:
    """The content of a directory: the description as it was written, and the arrays."""

    directory: Path
    errai_version: str
    description: Mapping[str, Any]
    arrays: StoredArrays
    num_bytes: int


def is_saved(directory: Path) -> bool:
    """Whether there is a solution of this name, also one that a crash left as `.NAME.previous`."""
    return (_stored_at(directory) / DESCRIPTION_FILE).exists()


def verify_can_write(directory: Path) -> None:
    """Raise what `write_solution` would raise about `directory` itself, before any work is done."""
    with _partial_directory(_target(directory)):
        pass


def write_solution(directory: Path, *, description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Save a description (anything that JSON can hold) and arrays; all of it, or nothing."""
    directory = _target(directory)
    with _partial_directory(directory) as partial:
        content = {
            "format": FORMAT,
            "version": VERSION,
            "errai": installed_version("errai"),
            "solution": description,
            "arrays": [_write_array(partial, name, array) for name, array in arrays.items()],
        }
        content["sha256"] = _content_sha256(content)
        description_file = partial / DESCRIPTION_FILE
        description_file.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        _force_to_disk(description_file)
        _force_to_disk(partial)
        _replace(directory, partial)
        _force_to_disk(directory.parent)


def read_solution(directory: Path) -> StoredSolution:
    """Open a saved solution."""
    directory = _stored_at(directory)
    description_file = directory / DESCRIPTION_FILE
    content = _read_content(description_file)
    files = {file.name: file for file in map(_array_file, content["arrays"])}
    for file in files.values():
        file.verify_size(directory)
    return StoredSolution(
        directory=directory,
        errai_version=content["errai"],
        description=content["solution"],
        arrays=StoredArrays(directory, files),
        num_bytes=description_file.stat().st_size + sum(file.bytes for file in files.values()),
    )


def find_damage(directory: Path) -> tuple[int, list[str]]:
    """Read every byte of a saved solution: how many are as they were written, and a sentence per file that is not."""
    directory = _stored_at(directory)
    try:
        content = _read_content(directory / DESCRIPTION_FILE)
        files = [_array_file(entry) for entry in content["arrays"]]
    except StorageError as error:
        return 0, [str(error)]
    num_bytes = (directory / DESCRIPTION_FILE).stat().st_size
    problems = []
    for file in files:
        try:
            file.verify_size(directory)
            file.verify_checksum(directory)
            num_bytes += file.bytes
        except StorageError as error:
            problems.append(str(error))
    return num_bytes, problems


_NO_SOLUTION_HINT = "`errai solve GAME --out DIR` saves one"
_DAMAGED_HINT = "restore the directory from a copy, or solve again"


def _write_array(directory: Path, name: str, array: NDArray[Any]) -> dict[str, Any]:
    file = f"{name}.npy"
    path = directory / file
    np.save(path, array, allow_pickle=False)
    _force_to_disk(path)
    return {
        "name": name,
        "file": file,
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "bytes": path.stat().st_size,
        "sha256": _file_sha256(path),
    }


def _array_file(entry: Mapping[str, Any]) -> ArrayFile:
    # A plain name only: a solution that was downloaded must not make us read elsewhere.
    if Path(entry["file"]).name != entry["file"]:
        raise StorageError(
            f"an array's file must lie beside `{DESCRIPTION_FILE}`; found `{entry['file']}`", hint=_DAMAGED_HINT
        )
    return ArrayFile(**{**entry, "shape": tuple(entry["shape"])})


def _read_content(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"there is no saved solution at `{path.parent}`: `{path.name}` cannot be read: {error.strerror}",
            hint=_NO_SOLUTION_HINT,
        ) from error
    except UnicodeDecodeError as error:
        raise StorageError(f"`{path}` must be UTF-8 text; {error}", hint=_DAMAGED_HINT) from error
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise StorageError(f"`{path}` must be JSON; {error}", hint=_DAMAGED_HINT) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        found = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise StorageError(f"`{path}` must be of format `{FORMAT}`; found `{found}`", hint=_NO_SOLUTION_HINT)
    version = content.get("version")
    if version != VERSION:
        is_older = isinstance(version, int) and version < VERSION
        raise StorageError(
            f"`{path}` has version {version}; this program reads version {VERSION}",
            hint=f"it was written by errai {content.get('errai')}; "
            + ("solve again" if is_older else "install that version or a newer one"),
        )
    written = content.pop("sha256", None)
    found = _content_sha256(content)
    if found != written:
        raise StorageError(f"`{path}` is damaged: its SHA-256 must be {written}; found {found}", hint=_DAMAGED_HINT)
    return content


def _content_sha256(content: Mapping[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _partial_directory(directory: Path) -> Iterator[Path]:
    """A new sibling of `directory`, gone at the end unless it was renamed, whatever happens."""
    try:
        _verify_replaceable(directory)
        directory.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(directory)
        sibling = _sibling(directory, f"partial-{platform.node()}-{os.getpid()}-")
        partial = Path(tempfile.mkdtemp(dir=sibling.parent, prefix=sibling.name))
    except OSError as error:
        raise _cannot_write(directory, error) from error
    try:
        partial.chmod(0o755)  # `mkdtemp` lets only the owner in
        yield partial
    except OSError as error:
        raise _cannot_write(directory, error) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _verify_replaceable(directory: Path) -> None:
    if not directory.exists():
        return
    if not directory.is_dir():
        raise StorageError(f"`{directory}` is a file; a solution is saved as a directory", hint="name a directory")
    found = {entry.name for entry in directory.iterdir()}
    if not found:
        return
    expected = {DESCRIPTION_FILE}
    if DESCRIPTION_FILE in found:
        expected |= {entry["file"] for entry in _read_content(directory / DESCRIPTION_FILE)["arrays"]}
    if not found <= expected or DESCRIPTION_FILE not in found:
        stranger = min(found - expected)
        raise StorageError(
            f"`{directory}` holds something that is no part of a solution: `{stranger}`",
            hint="name a new directory, or one that holds an older solution",
        )


def _sibling(directory: Path, purpose: str) -> Path:
    absolute = directory.absolute()  # `.` has no name of its own, and neither has `/`
    return absolute.parent / f".{absolute.name}.{purpose}"


def _target(directory: Path) -> Path:
    """Where a solution is written: behind a symbolic link, which stays."""
    try:
        return directory.resolve() if directory.is_symlink() else directory
    except RuntimeError:  # links that lead to each other
        raise StorageError(f"`{directory}` is a symbolic link to itself", hint="remove the link") from None


def _stored_at(directory: Path) -> Path:
    """Where a solution is read: its directory, or the previous one where a crash left only that."""
    previous = _sibling(_target(directory), "previous")
    return previous if not directory.exists() and previous.exists() else directory


def _remove_abandoned(directory: Path) -> None:
    """Remove the partial directories of processes that ended on this host before they were done."""
    pattern = _sibling(directory, f"partial-{platform.node()}-")
    for partial in pattern.parent.glob(f"{glob.escape(pattern.name)}*"):
        process = partial.name.removeprefix(pattern.name).partition("-")[0]
        if process.isdigit() and not _is_running(int(process)):
            shutil.rmtree(partial, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _force_to_disk(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(directory: Path, partial: Path) -> None:
    previous = _sibling(directory, "previous")
    if directory.exists():
        # What a crash left there is older than what is about to be set aside.
        shutil.rmtree(previous, ignore_errors=True)
        directory.rename(previous)
    partial.rename(directory)
    shutil.rmtree(previous, ignore_errors=True)


def _cannot_write(directory: Path, error: OSError) -> StorageError:
    return StorageError(
        f"`{directory}` cannot be written: {error.strerror}: `{error.filename}`",
        hint="name a directory on a disk that can be written: `--out DIR`",
    )
