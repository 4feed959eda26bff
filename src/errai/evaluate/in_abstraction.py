"""How far a strategy is from an equilibrium of its abstract game: both players see only their buckets.

A best response that sees buckets is found by policy improvement. Each pass computes, for the response so far, the
regret of every action of every bucket; each bucket then takes its best action. With perfect recall, the deepest
decisions are right after one pass, those before them after two, and so on: as many passes as a player can have
decisions in a hand.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.evaluate.exploitability import Exploitability
from errai.passes.bucket_pass import BucketedTree, sum_over_boards
from errai.trees.betting_tree import BettingShape
from errai.trees.bucket_layout import BucketArray, BucketArrays, BucketLayout
from errai.trees.joint_tree import JointTree
from errai.trees.public_tree import PublicTree


def in_abstraction_exploitability(
    tree: PublicTree, bucketed: BucketedTree, layout: BucketLayout, weights: BucketArrays, *, num_threads: int = 1
) -> Exploitability:
    """The exact exploitability within an abstract game with perfect recall.

    With imperfect recall, the responses need not be the best ones, and the result is a lower bound.
    """
    first, second = (
        tree.expected_value(player, _best_values(bucketed, layout, weights, player, num_threads)) for player in (0, 1)
    )
    return Exploitability((first, second), None, float(tree.definition.unit_chips))


def exploitability_joint(
    tree: JointTree, weights: tuple[NDArray[Any], NDArray[Any]], *, num_threads: int = 1
) -> Exploitability:
    """The same from joint weights, in one pass per player; `weights` have all rounds one after the other."""
    first, second = (_joint_value(tree, weights, player, num_threads) for player in (0, 1))
    return Exploitability((first, second), None, float(tree.definition.unit_chips))


def _joint_value(tree: JointTree, weights: tuple[NDArray[Any], NDArray[Any]], player: int, num_threads: int) -> float:
    reach = tree.root_reach()
    value = np.zeros_like(reach)
    kernels.judge_lanes(
        tree=tree.native,
        request=kernels.PassRequest(mode="best_response", player=player, num_threads=num_threads),
        own_weights=(weights[player], None),
        opponent_weights=(weights[1 - player], None),
        opponent_reach=reach,
        value=value,
        action_values=None,
    )
    return tree.expected_value(value)


def _best_values(
    bucketed: BucketedTree, layout: BucketLayout, weights: BucketArrays, player: int, num_threads: int
) -> NDArray[Any]:
    response = layout.zeros(player, bucketed.dtype.type)
    pair = (response, weights[1]) if player == 0 else (weights[0], response)
    for _ in range(_most_decisions(layout, player)):
        sums = sum_over_boards(bucketed, pair, player, with_average=False, num_threads=num_threads)
        _take_best_actions(layout, player, response, sums.regrets)
    return sum_over_boards(bucketed, pair, player, with_average=False, num_threads=num_threads).value


def _take_best_actions(layout: BucketLayout, player: int, response: BucketArray, regrets: BucketArray) -> None:
    for chosen, values in zip(layout.all_nodes(player, response), layout.all_nodes(player, regrets), strict=True):
        best = values.argmax(axis=1)
        for action in range(values.shape[1]):
            chosen[:, action] = best == action


def _most_decisions(layout: BucketLayout, player: int) -> int:
    """Of a player in a hand, over all betting sequences."""
    return sum(max(_deepest(group.shape, player, 0) for group in street.groups) for street in layout.betting.streets)


def _deepest(shape: BettingShape, player: int, node_index: int) -> int:
    node = shape.nodes[node_index]
    below = [_deepest(shape, player, edge.node) for edge in node.edges if edge.node is not None]
    return (node.player == player) + max(below, default=0)
