"""Numbers of a public tree: one for every hand, action and lane of a player's nodes, in the layout of the kernels.

`native/lanes.hpp` gives the layout. Everything else asks `node_values` and never computes an offset itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.games.public_tree import PublicTree


@dataclass(frozen=True)
class LaneArray:
    """One player's numbers: regrets, sums of a strategy, or any weights in proportion to which the player acts."""

    data: NDArray[Any]


def zeros(tree: PublicTree, player: int) -> LaneArray:
    """An array of zeros for `player`."""
    return LaneArray(np.zeros(tree.num_values[player], dtype=tree.dtype))


def node_values(
    tree: PublicTree, array: LaneArray, *, round_index: int, board_index: int, node_index: int
) -> NDArray[np.float64]:
    """What `array` (of the node's player) holds at a node on a board: [hand][action][lane]."""
    tree_round = tree.rounds[round_index]
    num_hands = tree_round.boards[board_index].num_hands
    node = tree_round.betting.nodes[node_index]
    num_actions = tree_round.betting.num_actions(node.player)
    start = _base(tree, node.player, round_index, board_index)
    values = np.empty((num_hands, node.num_actions, tree_round.padded_lanes))
    for first_lane, width in tree_round.blocks:
        first = start + num_hands * (num_actions * first_lane + width * node.first_action)
        block = array.data[first : first + num_hands * node.num_actions * width]
        values[:, :, first_lane : first_lane + width] = block.reshape(num_hands, node.num_actions, width)
    return values[:, :, : tree_round.num_lanes]


def normalise(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the positive parts over axis 1; even where none is positive."""
    positive = np.maximum(weights, 0.0)
    totals = positive.sum(axis=1, keepdims=True)
    probabilities = np.full_like(positive, 1 / positive.shape[1])
    np.divide(positive, totals, out=probabilities, where=totals > 0)
    return probabilities


def _base(tree: PublicTree, player: int, round_index: int, board_index: int) -> int:
    base = 0
    for index, tree_round in enumerate(tree.rounds[: round_index + 1]):
        per_hand = tree_round.betting.num_actions(player) * tree_round.padded_lanes
        boards = tree_round.boards[:board_index] if index == round_index else tree_round.boards
        base += per_hand * sum(board.num_hands for board in boards)
    return base
