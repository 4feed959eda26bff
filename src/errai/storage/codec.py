"""Chunks of regrets as bytes: the regrets of one board, of up to 16 lanes, for one player.

The values of a chunk are, node after node, [hand][action][lane], none negative, with hands in order of strength. With
a `scale` they are stored in fixed point, as round(value * scale), or coarser where that takes more than 15 bits. Each
is predicted from the hand before. In the coding `small`, its residual is coded by its probability in the previous
version of a file; in the coding `fast`, in as many bits as the largest residual of its row takes
(`native/codec/chunks.hpp`). Without a scale they are stored without loss.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError, StorageError

MOST_LANES = kernels.CHUNK_LANES

Coding = Literal["small", "fast"]
CODINGS: tuple[Coding, ...] = ("small", "fast")

# On a river of hold'em, where an opponent has 990 hands: the default of runs of whole games. A turn solved with it gets
# below 1 mbb/g (docs/reference/benchmarks.md).
DEFAULT_SCALE = 5 / 990


@dataclass(frozen=True)
class ChunkShape:
    """The shape of the values of a chunk."""

    num_hands: int
    lanes: int
    actions: tuple[int, ...]  # of each of the player's nodes

    def __post_init__(self) -> None:
        if self.num_hands < 1 or not self.actions or min(self.actions) < 1:
            raise InputError(
                f"a chunk has at least one hand, one node and one action; got {self.num_hands} hands, "
                f"actions {self.actions}"
            )
        if not 1 <= self.lanes <= MOST_LANES:
            raise InputError(f"a chunk has 1 to {MOST_LANES} lanes; got {self.lanes}")

    @property
    def num_values(self) -> int:
        return self.num_hands * sum(self.actions) * self.lanes

    @property
    def native(self) -> kernels.ChunkShape:
        return kernels.ChunkShape(self.num_hands, self.lanes, self.actions)


class SymbolModel:
    """The probability of each symbol in each context, from counts; without them, that of a first version."""

    def __init__(self, counts: NDArray[np.uint64] | None = None) -> None:
        if counts is not None:
            _verify_counts(counts)
        self.native = kernels.SymbolModel() if counts is None else kernels.SymbolModel(np.ascontiguousarray(counts))


def zero_counts() -> NDArray[np.uint64]:
    """The counts before anything was encoded."""
    return np.zeros(kernels.SYMBOL_COUNTS, dtype=np.uint64)


def encode_chunk(
    shape: ChunkShape,
    values: NDArray[np.float32],
    *,
    scale: float | None = None,
    model: SymbolModel | None = None,
    counts: NDArray[np.uint64] | None = None,
    coding: Coding = "small",
) -> bytes:
    """The chunk as bytes, empty if all values are zero. `counts` counts the symbols of one hand of eight."""
    if values.shape != (shape.num_values,) or values.dtype != np.float32 or not values.flags.c_contiguous:
        raise InputError(
            f"a chunk of this shape has {shape.num_values} contiguous values of type `float32`; "
            f"got shape {values.shape} of type `{values.dtype}`"
        )
    if not np.all(values >= 0):
        raise InputError("a chunk holds no negative values")
    if scale is None:
        return kernels.encode_plain(shape.native, values)
    _verify_scale(scale)
    if counts is not None:
        _verify_counts(counts)
    return kernels.encode_packed(
        shape.native, values, scale, (model or SymbolModel()).native, counts, is_fast=coding == "fast"
    )


def decode_chunk(
    shape: ChunkShape, data: bytes, *, scale: float | None = None, model: SymbolModel | None = None
) -> NDArray[np.float32]:
    """The values of a chunk that was encoded with the same shape, scale and model; it says in which coding."""
    values = np.empty(shape.num_values, dtype=np.float32)
    try:
        if scale is None:
            kernels.decode_plain(shape.native, data, values)
        else:
            _verify_scale(scale)
            native = (model or SymbolModel()).native
            kernels.decode_packed([kernels.PackedChunk(shape.native, data, scale, native, values)])
    except RuntimeError as error:
        raise StorageError(f"{error}; it has {len(data)} bytes") from None
    return values


def _verify_counts(counts: NDArray[np.uint64]) -> None:
    if counts.shape != (kernels.SYMBOL_COUNTS,) or counts.dtype != np.uint64:
        raise InputError(
            f"a model is made of {kernels.SYMBOL_COUNTS} counts of type `uint64`; "
            f"got {counts.size} of type `{counts.dtype}`"
        )


def _verify_scale(scale: float) -> None:
    if not (np.isfinite(scale) and scale > 0):
        raise InputError(f"`scale` must be positive; got `{scale}`")
