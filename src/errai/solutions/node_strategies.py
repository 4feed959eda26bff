"""A strategy on a public tree, one node of one board after the other, from the root down."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.games.acpc import format_betting
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import PublicTree, TreeBoard
from errai.trees.round_betting import BettingNode


@dataclass(frozen=True, eq=False)
class NodeStrategy:
    """What the player of a node does on one board, in every lane."""

    round: int  # of the game
    board: TreeBoard
    node: BettingNode
    betting: list[str]  # of each lane, up to the node
    probabilities: NDArray[np.float64]  # [hand][action][lane]


def node_strategies(
    tree: PublicTree, weights: tuple[LaneArray, LaneArray], *, last_round: int | None = None
) -> Iterator[NodeStrategy]:
    """All nodes, up to the given round of the tree."""
    lanes = [format_betting(tree.root)]
    for round_index, tree_round in enumerate(tree.rounds[: None if last_round is None else last_round + 1]):
        for board_index, board in enumerate(tree_round.boards):
            for node_index, node in enumerate(tree_round.betting.nodes):
                values = node_values(
                    tree,
                    weights[node.player],
                    round_index=round_index,
                    board_index=board_index,
                    node_index=node_index,
                )
                betting = [lane + node.text for lane in lanes]
                yield NodeStrategy(tree_round.betting.round, board, node, betting, normalise(values))
        lanes = [f"{lane}{end}/" for lane in lanes for end in tree_round.betting.end_texts]
