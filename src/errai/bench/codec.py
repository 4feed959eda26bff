"""The codec on the regrets of a solved turn: rates per core, and bytes beside those of general compressors."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.bench.rates import items_per_second
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.reports.bench_report import Figures
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.storage.codec import CODINGS, DEFAULT_SCALE, MOST_LANES, ChunkShape, Coding, SymbolModel, zero_counts
from errai.trees.betting_tree import build_betting_trees
from errai.trees.public_tree import PublicTree, build_public_tree

_TURN = "Ks8s3s7s"  # few hands, up to suits: solved in seconds
_ROOT_LANES = (20, 40)  # two pots, so that its rivers fill a chunk
_ITERATIONS = 150
_CACHE_LINE = 64  # bytes

Chunk = tuple[ChunkShape, NDArray[np.float32]]


def measure_codec() -> Figures:
    """Rivers of a turn after 150 iterations of DCFR+, coded `small` and `fast`.

    zstd and Blosc2 compress the same numbers as 4-byte integers.
    """
    chunks = list(_river_chunks())
    num_values = sum(values.size for _, values in chunks)
    counts = zero_counts()
    _encode(chunks, SymbolModel(), counts)
    model = SymbolModel(counts)
    encoded, fast = (_encode(chunks, model, coding=coding) for coding in CODINGS)
    ours = sum(map(len, encoded))
    decoded = _aligned(np.zeros(max(shape.num_values for shape, _ in chunks), dtype=np.float32))
    codes = [np.rint(values * np.float32(DEFAULT_SCALE)).astype(np.int32).tobytes() for _, values in chunks]
    return {
        "decode_values_per_second_per_core": items_per_second(
            lambda: _decode(chunks, encoded, model, decoded), num_values, repeats=7
        ),
        "encode_values_per_second_per_core": items_per_second(lambda: _encode(chunks, model), num_values, repeats=7),
        "ratio": 4 * num_values / ours,
        "bits_per_value": 8 * ours / num_values,
        "fast_decode_values_per_second_per_core": items_per_second(
            lambda: _decode(chunks, fast, model, decoded), num_values, repeats=7
        ),
        "fast_encode_values_per_second_per_core": items_per_second(
            lambda: _encode(chunks, model, coding="fast"), num_values, repeats=7
        ),
        "fast_ratio": 4 * num_values / sum(map(len, fast)),
        "zstd_ratio": _ratio_of("zstandard", codes, lambda zstd, data: zstd.compress(data, 3)),
        "blosc2_ratio": _ratio_of("blosc2", codes, lambda blosc2, data: blosc2.compress2(data, typesize=4)),
    }


def _river_chunks() -> Iterator[Chunk]:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/")
    tree = build_public_tree(
        game,
        betting=build_betting_trees(tuple(replace(root, committed=(chips, chips)) for chips in _ROOT_LANES)),
        board=game.deck.parse(_TURN),
        precision="float32",
    )
    solver = LaneSolver(tree, variant=find_variant("dcfr+"), with_average=False)
    solver.run(_ITERATIONS)
    for player in (0, 1):
        yield from _chunks_of(tree, player, solver.regrets[player].values)


def _chunks_of(tree: PublicTree, player: int, regrets: NDArray[np.float32]) -> Iterator[Chunk]:
    """The full blocks of lanes of every river."""
    turn, river = tree.rounds
    actions = tuple(node.num_actions for node in river.groups[0].shape.nodes if node.player == player)
    first = turn.num_hands(player) * turn.betting.num_actions(player)
    for board in river.boards:
        shape = ChunkShape(board.hands[player].num_hands, MOST_LANES, actions)
        yield shape, _aligned(regrets[first : first + shape.num_values])
        first += board.hands[player].num_hands * river.betting.num_actions(player)


def _aligned(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same values from the beginning of a cache line on, as the buffers of a run have them."""
    room = np.empty(values.size + _CACHE_LINE // values.itemsize, dtype=np.float32)
    first = -room.ctypes.data % _CACHE_LINE // values.itemsize
    copy = room[first : first + values.size]
    copy[:] = values
    return copy


def _encode(
    chunks: list[Chunk], model: SymbolModel, counts: NDArray[np.uint64] | None = None, *, coding: Coding = "small"
) -> list[bytes]:
    return [
        kernels.encode_packed(shape.native, values, DEFAULT_SCALE, model.native, counts, is_fast=coding == "fast")
        for shape, values in chunks
    ]


def _decode(chunks: list[Chunk], encoded: list[bytes], model: SymbolModel, values: NDArray[np.float32]) -> None:
    for (shape, _), data in zip(chunks, encoded, strict=True):
        kernels.decode_packed(
            [kernels.PackedChunk(shape.native, data, DEFAULT_SCALE, model.native, values[: shape.num_values])]
        )


def _ratio_of(library: str, codes: list[bytes], compress: Callable[[Any, bytes], bytes]) -> float | None:
    """Against 4-byte values; nothing where the library is not installed."""
    try:
        module = import_module(library)
    except ImportError:
        return None
    return sum(map(len, codes)) / sum(len(compress(module, data)) for data in codes)
