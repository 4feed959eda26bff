"""Chunks of regrets as bytes: the regrets of one board, of up to 16 lanes, for one player.

A chunk's values are, node after node, [hand][action][lane], none negative, hands in order of strength. With a `scale`
they are kept in fixed point, as round(value * scale), or coarser where that takes more than 15 bits, predicted from the
hand before and coded by how probable each residual was in the last version of a file (`native/codec.hpp`); without one
they are kept as they are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError, StorageError

MOST_LANES: int = kernels.CHUNK_LANES

# On a river of hold'em, where an opponent has 990 hands: what runs of whole games use. A turn solved with it passes 1
# mbb/g (docs/reference/benchmarks.md).
DEFAULT_SCALE = 5 / 990


@dataclass(frozen=True)
class ChunkShape:
    """How many values a chunk has, and what they are."""

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
    def kernel_arguments(self) -> dict[str, Any]:
        return {"num_hands": self.num_hands, "lanes": self.lanes, "actions": list(self.actions)}


class SymbolModel:
    """How probable each symbol is in each context, from how often it was seen; without counts a guess."""

    def __init__(self, counts: NDArray[np.uint64] | None = None) -> None:
        if counts is not None:
            _verify_counts(counts)
        self.native = kernels.SymbolModel() if counts is None else kernels.SymbolModel(np.ascontiguousarray(counts))


def zero_counts() -> NDArray[np.uint64]:
    """Nothing was seen yet."""
    return np.zeros(kernels.SYMBOL_COUNTS, dtype=np.uint64)


def encode_chunk(
    shape: ChunkShape,
    values: NDArray[np.float32],
    *,
    scale: float | None = None,
    model: SymbolModel | None = None,
    counts: NDArray[np.uint64] | None = None,
) -> bytes:
    """The chunk as bytes, none where all values are zero. `counts` takes in the symbols of one hand of eight."""
    if values.shape != (shape.num_values,) or values.dtype != np.float32 or not values.flags.c_contiguous:
        raise InputError(
            f"a chunk of this shape has {shape.num_values} contiguous values of type `float32`; "
            f"got shape {values.shape} of type `{values.dtype}`"
        )
    if not np.all(values >= 0):
        raise InputError("a chunk holds no negative values")
    if scale is None:
        plain: bytes = kernels.encode_plain(**shape.kernel_arguments, values=values)
        return plain
    _verify_scale(scale)
    if counts is not None:
        _verify_counts(counts)
    packed: bytes = kernels.encode_packed(
        **shape.kernel_arguments,
        values=values,
        scale=scale,
        model=(model or SymbolModel()).native,
        counts=counts,
    )
    return packed


def decode_chunk(
    shape: ChunkShape, data: bytes, *, scale: float | None = None, model: SymbolModel | None = None
) -> NDArray[np.float32]:
    """The values of a chunk that was encoded with the same shape, scale and model."""
    values = np.empty(shape.num_values, dtype=np.float32)
    try:
        if scale is None:
            kernels.decode_plain(**shape.kernel_arguments, data=data, values=values)
        else:
            _verify_scale(scale)
            native = (model or SymbolModel()).native
            kernels.decode_packed(**shape.kernel_arguments, data=data, scale=scale, model=native, values=values)
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
