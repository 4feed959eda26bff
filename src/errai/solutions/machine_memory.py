"""How much memory this machine can give, and refusing what does not fit."""

import ctypes
from pathlib import Path

from errai.errors import SizeError


def available_bytes() -> int | None:
    """Memory that can be taken without swapping; None where the system does not say."""
    meminfo = Path("/proc/meminfo")
    if not meminfo.exists():
        return None
    for line in meminfo.read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def verify_fits(memory_bytes: int, *, hint: str) -> None:
    """Raise a `SizeError` where this machine has less memory than the solve takes."""
    available = available_bytes()
    if available is not None and memory_bytes > available:
        raise SizeError(
            f"the solve takes {memory_bytes / 1e9:,.1f} GB of memory; this machine can give {available / 1e9:,.1f} GB",
            hint=hint,
        )


def return_freed_memory() -> None:
    """Give back to the system what this process has freed.

    The allocator of glibc keeps the many small arrays that building a tree takes and frees: 96 MB for 1,755 flops. The
    large arrays of a solver are mapped and never use them.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
