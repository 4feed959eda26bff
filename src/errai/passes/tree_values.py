"""Best response and value of a strategy on a public tree.

A strategy is a pair of `LaneArray`s of weights, not normalised; where none is positive, the player mixes evenly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.trees.lane_arrays import LaneArray, kernel_arrays, verify_layout
from errai.trees.public_tree import PublicTree

Weights = tuple[LaneArray, LaneArray]


def values_at_node(
    tree: PublicTree,
    weights: Weights,
    player: int,
    opponent_reach: NDArray[Any],
    *,
    best_response: bool,
    round_index: int = 0,
    board_index: int = 0,
    group: int | None = None,
    node_index: int = 0,
    num_threads: int = 1,
    action_values: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The value of each hand of `player` at a node on a board of the tree, [hand][padded lane].

    These are chips won in the whole hand, summed over the opponent's hands by their reach at the node,
    [opponent's hand][padded lane]. Only what is below the node is read. Without a group it is the start of all lanes.
    `action_values`, [action][hand][padded lane], is set to the value of each action of a node where `player` acts.
    """
    verify_layout(tree, weights)
    reach = np.ascontiguousarray(opponent_reach, dtype=tree.dtype)
    tree_round = tree.rounds[round_index]
    own, opponent = (tree_round.boards[board_index].hands[who].num_hands for who in (player, 1 - player))
    expected = (opponent, tree_round.padded_lanes)
    if reach.shape != expected:
        raise InputError(f"`opponent_reach` must have the shape {expected}; got {reach.shape}")
    num_nodes = 1 if group is None else len(tree_round.groups[group].shape.nodes)
    if not 0 <= node_index < num_nodes:
        raise InputError(f"`node_index` must be 0 to {num_nodes - 1}; got `{node_index}`")
    value = np.zeros((own, tree_round.padded_lanes), dtype=tree.dtype)
    arrays = kernel_arrays(weights)
    kernels.judge_lanes(
        tree=tree.native,
        request=kernels.PassRequest(
            mode="best_response" if best_response else "evaluate",
            player=player,
            start=kernels.PassStart(round=round_index, board=board_index, shape=group, node=node_index),
            num_threads=num_threads,
        ),
        own_weights=arrays[player],
        opponent_weights=arrays[1 - player],
        opponent_reach=reach,
        value=value,
        action_values=None if action_values is None else action_values.reshape(-1, tree_round.padded_lanes),
    )
    return value


def root_value(tree: PublicTree, weights: Weights, player: int, *, best_response: bool, num_threads: int = 1) -> float:
    """Chips per game that `player` wins against the opponent's weights, by its own weights or by a best response."""
    reach = tree.root_reach(1 - player)
    values = values_at_node(tree, weights, player, reach, best_response=best_response, num_threads=num_threads)
    return tree.expected_value(player, values)
