"""Arrays of the kernels: in large pages where the system has them, and beginning with a line of the cache.

Rows of such an array are read in any order. In small pages, which `np.zeros` takes one by one when they are first
written, most rows of a large array miss the processor's table of pages. Rows that begin within a line of the cache
touch one line more than they fill.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_LINE_BYTES = 64


def large_zeros(size: int, dtype: DTypeLike) -> NDArray[Any]:
    """An array of zeros."""
    array = _large_empty(size, np.dtype(dtype))
    array.fill(0)
    return array


def large_copy(values: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array with one dimension."""
    array = _large_empty(len(values), values.dtype)
    array[:] = values
    return array


def _large_empty(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    room: NDArray[Any] = np.empty(size + _LINE_BYTES // dtype.itemsize, dtype=dtype)
    first = -room.__array_interface__["data"][0] % _LINE_BYTES // dtype.itemsize
    return room[first : first + size]
