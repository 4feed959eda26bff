"""Values of a public tree: one for every hand, action and lane of a player's nodes, in the layout of the kernels.

`native/lanes/tree.hpp` gives the layout. All other modules call `node_values` and never compute an offset.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.trees.public_tree import PublicTree

_TILE = kernels.LANE_TILE  # hands that share a scale


@dataclass(frozen=True)
class LaneArray:
    """One player's numbers: regrets, sums of a strategy, or any weights in proportion to which the player acts."""

    values: NDArray[Any]
    scales: NDArray[np.float32] | None = None  # of 16-bit values


def zeros(tree: PublicTree, player: int) -> LaneArray:
    """An array of zeros for `player`."""
    scales = None
    if tree.precision == "uint16":
        scales = _filled_with_zeros(tree.num_scales[player], np.dtype(np.float32))
    return LaneArray(_filled_with_zeros(tree.num_values[player], _value_dtype(tree)), scales)


def _filled_with_zeros(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    # `np.zeros` takes small pages one by one when they are first written: 18 times as long for 240 MB as large pages.
    array = np.empty(size, dtype=dtype)
    array.fill(0)
    return array


def array_bytes(tree: PublicTree, player: int) -> int:
    """What `zeros` takes."""
    value_bytes = tree.num_values[player] * _value_dtype(tree).itemsize
    return value_bytes + (tree.num_scales[player] * 4 if tree.precision == "uint16" else 0)


def verify_layout(tree: PublicTree, pair: tuple[LaneArray, LaneArray]) -> None:
    """Raise an `InputError` unless these are arrays of both players as `zeros` makes them."""
    for player, array in enumerate(pair):
        _verify_array(f"the values of player {player}", array.values, tree.num_values[player], _value_dtype(tree))
        if tree.precision == "uint16":
            scales = np.zeros(0) if array.scales is None else array.scales
            _verify_array(f"the scales of player {player}", scales, tree.num_scales[player], np.dtype(np.float32))


def _verify_array(what: str, array: NDArray[Any], size: int, dtype: np.dtype[Any]) -> None:
    if array.shape != (size,) or array.dtype != dtype or not array.flags.c_contiguous:
        raise InputError(
            f"{what} must be a contiguous array of {size} numbers of type `{dtype}`; "
            f"got one of shape {array.shape} and type `{array.dtype}`",
            hint="a strategy belongs to the tree that it was made on",
        )


def _value_dtype(tree: PublicTree) -> np.dtype[Any]:
    """What the numbers are kept as."""
    return np.dtype(np.uint16 if tree.precision == "uint16" else tree.dtype)


def kernel_arrays(pair: tuple[LaneArray, LaneArray]) -> list[tuple[NDArray[Any], NDArray[np.float32] | None]]:
    """Both players' arrays for the kernels."""
    return [(array.values, array.scales) for array in pair]


def node_values(
    tree: PublicTree, array: LaneArray, *, round_index: int, board_index: int, node_index: int
) -> NDArray[np.float64]:
    """What `array` (of the node's player) holds at a node on a board: [hand][action][lane]."""
    tree_round = tree.rounds[round_index]
    betting = tree_round.betting
    hands = tree_round.boards[board_index].num_hands
    tiles = -(-hands // _TILE)
    node = betting.nodes[node_index]
    num_nodes = sum(other.player == node.player for other in betting.nodes)
    ordinal = sum(other.player == node.player for other in betting.nodes[:node_index])
    base, scale_base = _bases(tree, node.player, round_index, board_index)
    values = np.empty((hands, node.num_actions, tree_round.num_lanes))
    for first_lane, lanes, block in _node_blocks(tree, array, base, round_index, board_index, node_index):
        numbers = block.astype(np.float64)
        if array.scales is not None:
            first_scale = scale_base + tiles * (num_nodes * first_lane + lanes * ordinal)
            scales = array.scales[first_scale : first_scale + tiles * lanes].reshape(tiles, 1, lanes)
            numbers *= np.repeat(scales, _TILE, axis=0)[:hands]
        values[:, :, first_lane : first_lane + lanes] = numbers
    return values


def set_node_values(
    tree: PublicTree,
    array: LaneArray,
    values: NDArray[np.float64],
    *,
    round_index: int,
    board_index: int,
    node_index: int,
) -> None:
    """Write the values of a node, to an array without scales."""
    if array.scales is not None:
        raise InputError("16-bit values cannot be set", hint="use an array of `float32` or `float64`")
    player = tree.rounds[round_index].betting.nodes[node_index].player
    base, _ = _bases(tree, player, round_index, board_index)
    for first_lane, lanes, block in _node_blocks(tree, array, base, round_index, board_index, node_index):
        block[:] = values[:, :, first_lane : first_lane + lanes]


def _node_blocks(
    tree: PublicTree, array: LaneArray, base: int, round_index: int, board_index: int, node_index: int
) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """The numbers of a node where they lie: the first lane of a block, its lanes, and its [hand][action][lane]."""
    tree_round = tree.rounds[round_index]
    betting = tree_round.betting
    hands = tree_round.boards[board_index].num_hands
    node = betting.nodes[node_index]
    for first_lane, width in tree_round.blocks:
        lanes = min(width, tree_round.num_lanes - first_lane)
        first = base + hands * (betting.num_actions(node.player) * first_lane + lanes * node.first_action)
        numbers = array.values[first : first + hands * node.num_actions * lanes]
        yield first_lane, lanes, numbers.reshape(hands, node.num_actions, lanes)


def normalise(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the positive parts over axis 1; even where none is positive."""
    positive = np.maximum(weights, 0.0)
    totals = positive.sum(axis=1, keepdims=True)
    probabilities = np.full_like(positive, 1 / positive.shape[1])
    np.divide(positive, totals, out=probabilities, where=totals > 0)
    return probabilities


def _bases(tree: PublicTree, player: int, round_index: int, board_index: int) -> tuple[int, int]:
    """Where a board's values and scales begin."""
    values = scales = 0
    for index, tree_round in enumerate(tree.rounds[: round_index + 1]):
        boards = tree_round.boards[:board_index] if index == round_index else tree_round.boards
        num_nodes = sum(node.player == player for node in tree_round.betting.nodes)
        hands = sum(board.num_hands for board in boards)
        tiles = sum(-(-board.num_hands // _TILE) for board in boards)
        values += hands * tree_round.betting.num_actions(player) * tree_round.num_lanes
        scales += tiles * num_nodes * tree_round.num_lanes
    return values, scales
