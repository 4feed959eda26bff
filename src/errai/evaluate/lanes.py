"""Best response and value of a strategy on a limit game's public tree.

A strategy is a pair of `LaneArray`s of weights, not normalised; where none is positive, the player mixes evenly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.games.lane_arrays import LaneArray, kernel_arrays, verify_layout
from errai.games.public_tree import PublicTree

Weights = tuple[LaneArray, LaneArray]


def root_values(
    tree: PublicTree, weights: Weights, player: int, *, best_response: bool, num_threads: int = 1
) -> NDArray[Any]:
    """What each root hand of `player` is worth, [hand][padded lane], as a sum over the opponent's weighted hands."""
    verify_layout(tree, weights)
    value = np.zeros_like(tree.root_reach(player))
    arrays = kernel_arrays(weights)
    own, opponent = arrays[player], arrays[1 - player]
    kernels.judge_lanes(
        tree=tree.native,
        best_response=best_response,
        player=player,
        own_weights=own,
        opponent_weights=opponent,
        num_threads=num_threads,
        opponent_reach=tree.root_reach(1 - player),
        value=value,
    )
    return value


def best_response_value(tree: PublicTree, weights: Weights, player: int, *, num_threads: int = 1) -> float:
    """Chips a game that a best response wins as `player` against the opponent's weights."""
    return tree.expected_value(player, root_values(tree, weights, player, best_response=True, num_threads=num_threads))


def profile_value(tree: PublicTree, weights: Weights, *, num_threads: int = 1) -> float:
    """Chips a game that player 0 wins when both play their weights."""
    return tree.expected_value(0, root_values(tree, weights, 0, best_response=False, num_threads=num_threads))
