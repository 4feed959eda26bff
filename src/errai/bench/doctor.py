"""What `errai doctor` looks at: the installation, the machine, and whether each optional part works."""

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from math import isclose
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter

from errai._native import available_levels, level
from errai.errors import StorageError
from errai.reports.doctor import DoctorReport, OptionalPart
from errai.solutions.machine_memory import available_bytes
from errai.solutions.solve import solve
from errai.workers.local_runner import num_cores

_DISK_BYTES = 64_000_000
_CHUNK_BYTES = 1_000_000
_KUHN_VALUE_CHIPS = -1 / 18

# Module, distribution, what it is for, extra.
_PARTS = (
    ("matplotlib", "matplotlib", "pictures: `--plot`, `--png`, `errai figures`", "plot"),
    ("pyarrow", "pyarrow", "Parquet files", "parquet"),
    ("starlette", "starlette", "the explorer, `errai browse`", "serve"),
    ("uvicorn", "uvicorn", "the explorer, `errai browse`", "serve"),
    ("pokerkit", "pokerkit", "PokerStars histories in `errai replay`", "histories"),
    ("pyspiel", "open_spiel", "OpenSpiel: `to_openspiel`, `PolicyAgent`, `TensorAgent`", "openspiel"),
    ("ray", "ray", "clusters: `--cluster`", "cluster"),
)


def examine(directory: Path) -> DoctorReport:
    """Look at everything; the disk is that of `directory`, on which 64 MB are written and deleted."""
    write_rate, read_rate = _disk_rates(directory)
    stat = os.statvfs(directory)
    return DoctorReport(
        version=metadata.version("errai"),
        python=platform.python_version(),
        level=level,
        levels=available_levels(),
        num_cores=num_cores(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        free_memory_bytes=available_bytes() or 0,
        disk=str(directory),
        disk_free_bytes=stat.f_bavail * stat.f_frsize,
        disk_write_bytes_per_second=write_rate,
        disk_read_bytes_per_second=read_rate,
        kernels_work=_solves_kuhn(),
        parts=tuple(_look_at(*part) for part in _PARTS),
    )


def _solves_kuhn() -> bool:
    """Whether the kernels find the known value of a game."""
    value = solve("kuhn", iterations=2000).exploitability().value_chips
    return value is not None and isclose(value, _KUHN_VALUE_CHIPS, abs_tol=1e-3)


def _look_at(module: str, distribution: str, serves: str, extra: str) -> OptionalPart:
    install = f"{sys.executable} -m pip install 'errai[{extra}]'"
    try:
        version = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return OptionalPart(distribution, None, serves, install)
    try:
        import_module(module)
    except Exception as error:  # whatever a foreign library raises when it is broken
        return OptionalPart(distribution, version, serves, install, f"{type(error).__name__}: {error}")
    return OptionalPart(distribution, version, serves, install)


def _disk_rates(directory: Path) -> tuple[float, float]:
    """Bytes per second of writing to the disk, and of reading back, where the system lets its cache be bypassed."""
    chunk = os.urandom(_CHUNK_BYTES)
    try:
        with NamedTemporaryFile(dir=directory, prefix=".errai-doctor-") as file:
            with _timed() as writing:
                for _ in range(_DISK_BYTES // _CHUNK_BYTES):
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            file.seek(0)
            with _timed() as reading:
                while file.read(_CHUNK_BYTES):
                    pass
    except OSError as error:
        raise StorageError(
            f"`{directory}` cannot be written: {error.strerror}", hint="`--disk DIR` names another directory"
        ) from error
    return _DISK_BYTES / writing[0], _DISK_BYTES / reading[0]


@contextmanager
def _timed() -> Iterator[list[float]]:
    """The seconds that the block takes, once it is over."""
    seconds: list[float] = []
    began = perf_counter()
    yield seconds
    seconds.append(max(perf_counter() - began, 1e-9))
