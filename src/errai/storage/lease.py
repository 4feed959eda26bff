"""One owner per directory, also among machines that share a disk.

    DIRECTORY/lease/00000007      the 7th lease: who owns the directory, or that it was released

1. Leases are numbered, and the one with the highest number counts. A process that finds it released, or its owner gone,
   creates the next number, which succeeds for exactly one process (`link`). Then it removes the lower numbers.
2. A lease with the highest number is never removed, so a process that was slow to create its own sees that it lost.
3. The owner touches its lease every few seconds. An owner is gone when its process has ended, if that can be seen from
   here, and otherwise when its lease was not touched for `STALE_SECONDS` by the clock of the disk.
4. The owner checks that its lease still counts before it writes anything that matters.

A process killed at any point leaves at most a `.partial` file, or a lease whose owner is gone.
"""

import errno
import json
import os
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from errai.errors import StorageError
from errai.storage.durable_files import PARTIAL_SUFFIX, partial_path, write_durably, writing

LEASE_DIRECTORY = "lease"
TOUCH_SECONDS = 10.0
STALE_SECONDS = 120.0
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


@dataclass(frozen=True)
class Owner:
    """A process, as far as other machines can tell it apart."""

    host: str
    boot: str  # of the host, and the space in which its process numbers count
    pid: int
    started: str  # when the process was, so that another one with its number is not taken for it
    token: str


class LeaseHeldError(StorageError):
    """A directory that another process owns."""


class Lease:
    """The ownership of a directory by this process, until it is released or lost."""

    def __init__(self, directory: Path, number: int, owner: Owner) -> None:
        self.directory = directory
        self._path = _lease_path(directory, number)
        self._number = number
        self._owner = owner

    def touch(self) -> None:
        """Say that the owner is alive. A disk that does not answer now may do so the next time."""
        with suppress(OSError):
            if self._counts():
                os.utime(self._path)

    def verify_owned(self) -> None:
        """Raise a `StorageError` if another process has taken over."""
        with writing(self._path):
            if self._counts():
                return
        raise StorageError(
            f"this process no longer owns `{self.directory}`: another one took it over",
            hint=f"this process did not answer for {STALE_SECONDS:g} s; let the other one continue",
        )

    def release(self) -> None:
        """Let others own the directory."""
        with writing(self._path):
            if self._counts():
                write_durably(self._path, b"{}")

    def _counts(self) -> bool:
        return max(_numbers(self.directory), default=0) == self._number and _read(self._path) == self._owner


def acquire_lease(directory: Path) -> Lease:
    """Own a directory; raises a `LeaseHeldError` that names the owner if another process does."""
    folder = directory / LEASE_DIRECTORY
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            number = max(_numbers(directory), default=0)
            if number:
                _verify_is_free(directory, number)
            owner = this_process()
            if not _create(_lease_path(directory, number + 1), owner):
                continue  # another process was faster
            if max(_numbers(directory)) > number + 1:
                _lease_path(directory, number + 1).unlink(missing_ok=True)
                continue  # others were faster, twice
            for path in sorted(folder.iterdir()):
                if path.name.endswith(PARTIAL_SUFFIX) or (path.name.isdigit() and int(path.name) <= number):
                    path.unlink(missing_ok=True)
            return Lease(directory, number + 1, owner)


def this_process() -> Owner:
    """This process, with a new token."""
    boot = f"{_first_line('/proc/sys/kernel/random/boot_id')} {_target('/proc/self/ns/pid')}"
    return Owner(socket.gethostname(), boot, os.getpid(), _process_start(os.getpid()), token_hex(16))


def _verify_is_free(directory: Path, number: int) -> None:
    path = _lease_path(directory, number)
    owner = _read(path)
    if owner is None or _is_gone(path, owner):
        return
    raise LeaseHeldError(
        f"`{directory}` is in use by process {owner.pid} on `{owner.host}`",
        hint="end that process, or wait for it; if it is gone, its directory is free "
        f"{STALE_SECONDS:g} s after its end, and at once on the same machine",
    )


def _is_gone(path: Path, owner: Owner) -> bool:
    here = this_process()
    if (owner.host, owner.boot) == (here.host, here.boot):
        return _process_start(owner.pid) != owner.started
    return _seconds_since_touched(path) > STALE_SECONDS


def _seconds_since_touched(path: Path) -> float:
    """By the clock of the disk, as machines that share it may have different times."""
    probe = partial_path(path)
    try:
        probe.touch()
        now = probe.stat().st_mtime
        return now - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0  # it was replaced at this moment
    finally:
        probe.unlink(missing_ok=True)


def _create(path: Path, owner: Owner) -> bool:
    """Create a lease with its content; False if another process was faster."""
    partial = partial_path(path)
    content = json.dumps(asdict(owner)).encode()
    try:
        with open(partial, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(partial, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            # A file system without links: a process killed before the content is written leaves a lease of nobody.
            with open(path, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
    except (FileExistsError, FileNotFoundError):
        return False  # another process created it, and may have removed our `.partial` since
    finally:
        partial.unlink(missing_ok=True)
    return True


def _read(path: Path) -> Owner | None:
    """Who owns a lease; None if it was released, is gone, or says nothing."""
    try:
        entries = json.loads(path.read_bytes())
        return Owner(**entries) if entries else None
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _numbers(directory: Path) -> list[int]:
    return [int(name) for name in os.listdir(directory / LEASE_DIRECTORY) if name.isdigit()]


def _lease_path(directory: Path, number: int) -> Path:
    return directory / LEASE_DIRECTORY / f"{number:08}"


def _process_start(pid: int) -> str:
    """When a process was started; empty if there is none, or it has ended and is only waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "" if Path("/proc/self/stat").exists() or not _is_running(pid) else "unknown"
    return "" if fields[0] in "ZX" else fields[19]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _target(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""
