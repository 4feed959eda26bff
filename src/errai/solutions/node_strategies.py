"""A strategy on a public tree, one node of one board after the other, from the root down."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.games.acpc import format_action, format_betting
from errai.trees.betting_tree import LaneGroup, ShapeNode
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import PublicTree
from errai.trees.tree_rounds import BoardHands, TreeBoard


@dataclass(frozen=True, eq=False)
class NodeStrategy:
    """What the player of a node does on one board, in every lane of a group."""

    round: int  # of the game
    board: TreeBoard
    group: LaneGroup
    node_index: int
    probabilities: NDArray[np.float64]  # [hand][action][lane]

    @property
    def node(self) -> ShapeNode:
        return self.group.shape.nodes[self.node_index]

    @property
    def hands(self) -> BoardHands:
        """Those of the player to act."""
        return self.board.hands[self.node.player]

    @property
    def betting(self) -> list[str]:
        """Of each lane, up to the node."""
        return [format_betting(state) for state in self.group.node_states[self.node_index]]

    def actions(self, lane: int) -> tuple[str, ...]:
        """As the ACPC writes them."""
        is_limit = self.group.starts[lane].definition.is_limit
        actions = self.group.actions(self.node_index, lane)
        return tuple(format_action(action, is_limit=is_limit) for action in actions)


def node_strategies(
    tree: PublicTree, weights: tuple[LaneArray, LaneArray], *, last_round: int | None = None
) -> Iterator[NodeStrategy]:
    """All nodes, up to the given round of the tree."""
    for round_index, tree_round in enumerate(tree.rounds[: None if last_round is None else last_round + 1]):
        for board_index, board in enumerate(tree_round.boards):
            for group_index, group in enumerate(tree_round.groups):
                for node_index, node in enumerate(group.shape.nodes):
                    values = node_values(
                        tree,
                        weights[node.player],
                        round_index=round_index,
                        board_index=board_index,
                        group=group_index,
                        node_index=node_index,
                    )
                    yield NodeStrategy(tree_round.betting.round, board, group, node_index, normalise(values))
