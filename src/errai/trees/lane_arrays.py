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
from errai.trees.large_arrays import large_zeros
from errai.trees.public_tree import PublicTree
from errai.trees.tree_rounds import LaneBlock

_TILE = kernels.LANE_TILE  # hands that share a scale


@dataclass(frozen=True)
class LaneArray:
    """One player's numbers: regrets, sums of a strategy, or any weights in proportion to which the player acts."""

    values: NDArray[Any]
    scales: NDArray[np.float32] | None = None  # of 16-bit values


def zeros(tree: PublicTree, player: int, *, signed: bool = False) -> LaneArray:
    """An array of zeros for `player`. Values of 16 bits can be negative only if they are `signed`."""
    scales = None
    if tree.precision == "uint16":
        scales = large_zeros(tree.num_scales[player], np.float32)
    dtypes = _value_dtypes(tree)
    return LaneArray(large_zeros(tree.num_values[player], dtypes[-1 if signed else 0]), scales)


def array_bytes(tree: PublicTree, player: int) -> int:
    """What `zeros` takes."""
    value_bytes = tree.num_values[player] * _value_dtypes(tree)[0].itemsize
    return value_bytes + (tree.num_scales[player] * 4 if tree.precision == "uint16" else 0)


def verify_layout(tree: PublicTree, pair: tuple[LaneArray, LaneArray]) -> None:
    """Raise an `InputError` unless these are arrays of both players as `zeros` makes them."""
    dtypes = _value_dtypes(tree)
    dtype = pair[0].values.dtype if pair[0].values.dtype in dtypes else dtypes[0]
    for player, array in enumerate(pair):
        _verify_array(f"the values of player {player}", array.values, tree.num_values[player], dtype)
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


def _value_dtypes(tree: PublicTree) -> tuple[np.dtype[Any], ...]:
    """What the numbers are kept as, first where none is negative, last where some are."""
    if tree.precision == "uint16":
        return np.dtype(np.uint16), np.dtype(np.int16)
    return (np.dtype(tree.dtype),)


def kernel_arrays(pair: tuple[LaneArray, LaneArray]) -> list[tuple[NDArray[Any], NDArray[np.float32] | None]]:
    """Both players' arrays for the kernels."""
    return [(array.values, array.scales) for array in pair]


def node_values(
    tree: PublicTree, array: LaneArray, *, round_index: int, board_index: int, node_index: int, group: int = 0
) -> NDArray[np.float64]:
    """The values of `array` (of the node's player) at a node on a board, [hand][action][lane of the group]."""
    tree_round = tree.rounds[round_index]
    shape = tree_round.groups[group].shape
    node = shape.nodes[node_index]
    hands = tree_round.boards[board_index].hands[node.player].num_hands
    tiles = -(-hands // _TILE)
    values = np.empty((hands, node.num_actions, tree_round.groups[group].num_lanes))
    for block, first_scale, numbers in _node_blocks(tree, array, round_index, board_index, group, node_index):
        block_values = numbers.astype(np.float64)
        if array.scales is not None:
            begin = first_scale + tiles * block.num_lanes * shape.ordinals[node_index]
            scales = array.scales[begin : begin + tiles * block.num_lanes].reshape(tiles, 1, block.num_lanes)
            block_values *= np.repeat(scales, _TILE, axis=0)[:hands]
        values[:, :, block.first : block.first + block.num_lanes] = block_values
    return values


def set_node_values(
    tree: PublicTree,
    array: LaneArray,
    values: NDArray[np.float64],
    *,
    round_index: int,
    board_index: int,
    node_index: int,
    group: int = 0,
) -> None:
    """Write the values of a node, to an array without scales."""
    if array.scales is not None:
        raise InputError("16-bit values cannot be set", hint="use an array of `float32` or `float64`")
    for block, _, numbers in _node_blocks(tree, array, round_index, board_index, group, node_index):
        numbers[:] = values[:, :, block.first : block.first + block.num_lanes]


def write_locks(tree: PublicTree, pair: tuple[LaneArray, LaneArray]) -> None:
    """Set what locked hands do, in arrays of both players without scales: strategies need no common factor."""
    for lock in tree.locks:
        node = lock.node
        player = tree.rounds[node.round_index].groups[node.group].shape.nodes[node.node_index].player
        for block, _, numbers in _node_blocks(
            tree, pair[player], node.round_index, lock.board_index, node.group, node.node_index
        ):
            if block.first <= node.lane < block.first + block.num_lanes:
                numbers[lock.is_locked, :, node.lane - block.first] = lock.probabilities[lock.is_locked]


def _node_blocks(
    tree: PublicTree, array: LaneArray, round_index: int, board_index: int, group: int, node_index: int
) -> Iterator[tuple[LaneBlock, int, NDArray[Any]]]:
    """The blocks of a group, where their scales begin, and a node's values in place, [hand][action][lane]."""
    tree_round = tree.rounds[round_index]
    shape = tree_round.groups[group].shape
    node, first_action = shape.nodes[node_index], shape.first_actions[node_index]
    hands = tree_round.boards[board_index].hands[node.player].num_hands
    tiles = -(-hands // _TILE)
    first, first_scale = _bases(tree, node.player, round_index, board_index)
    for block in tree_round.blocks:
        block_shape = tree_round.groups[block.group].shape
        if block.group == group:
            begin = first + hands * block.num_lanes * first_action
            numbers = array.values[begin : begin + hands * node.num_actions * block.num_lanes]
            yield block, first_scale, numbers.reshape(hands, node.num_actions, block.num_lanes)
        first += hands * block.num_lanes * block_shape.num_actions(node.player)
        first_scale += tiles * block.num_lanes * block_shape.num_nodes(node.player)


def normalise(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the positive parts over axis 1; even where none is positive."""
    positive = np.maximum(weights, 0.0)
    totals = positive.sum(axis=1, keepdims=True)
    probabilities = np.full_like(positive, 1 / positive.shape[1])
    np.divide(positive, totals, out=probabilities, where=totals > 0)
    return probabilities


def _bases(tree: PublicTree, player: int, round_index: int, board_index: int) -> tuple[int, int]:
    """Where the values and the scales of a board begin."""
    values = scales = 0
    for index, tree_round in enumerate(tree.rounds[: round_index + 1]):
        hands = tree_round.hands_of_boards[player][: board_index if index == round_index else None]
        values += int(hands.sum()) * tree_round.betting.num_actions(player)
        scales += int((-(-hands // _TILE)).sum()) * tree_round.betting.num_nodes(player)
    return values, scales
