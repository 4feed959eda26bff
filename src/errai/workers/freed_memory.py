"""What the C library does with memory that is freed."""

import ctypes
from functools import cache

# Parameters of `mallopt` in the header `malloc.h` of glibc.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_MOST_KEPT_BYTES = 1 << 30
_LARGEST_BYTES = 1 << 25  # of a piece that is kept: the most that the manual of `mallopt` allows


@cache
def keep_freed_memory() -> None:
    """Keep freed memory in this process, for the next piece of the same size, instead of returning it at once.

    A pass from disk takes and frees buffers of megabytes for every section; with memory that is new each time, the
    operating system clears and maps every page again, a third of the time that it takes. Other C libraries than glibc
    have no such setting.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _MOST_KEPT_BYTES)
