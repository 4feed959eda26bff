"""The work on rivers in lanes that the opponent hardly reaches: a table of docs/reference/benchmarks.md.

    python benchmarks/cold_lanes.py [ITERATION ...]

DCFR+ in floats on `four-ranks` with three ranks. For each player's pass the share of infosets of the last round that
lie in blocks of lanes, and in single lanes, where the mean reach of the opponent's hands is at most a threshold. Blocks
at 0 are skipped by every run.
"""

import sys
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import load_game
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import LaneGroup
from errai.trees.lane_arrays import LaneArray, node_values
from errai.trees.public_tree import PublicTree, build_public_tree

NUM_THREADS = 2
THRESHOLDS = np.array([0.0, 0.0001, 0.001, 0.01])
Reach = list[NDArray[np.float64]]  # of each group of lanes, [hand][lane]


@dataclass
class ColdShares:
    """Infosets of the last round, by the reach of one player."""

    tree: PublicTree
    player: int  # whose reach counts
    regrets: LaneArray
    all_infosets: float = 0.0
    in_blocks: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(THRESHOLDS)))  # of each threshold
    in_lanes: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(THRESHOLDS)))

    def count(self) -> None:
        """Walk through all boards."""
        root = self.tree.rounds[0]
        hands = root.boards[0].hands[self.player].num_hands
        self._walk(0, 0, [np.ones((hands, group.num_lanes)) for group in root.groups])

    def _walk(self, round_index: int, board_index: int, reach: Reach) -> None:
        if round_index + 1 == len(self.tree.rounds):
            return self._count_board(board_index, reach)
        below = self.tree.rounds[round_index + 1]
        board = self.tree.rounds[round_index].boards[board_index]
        hands = board.hands[self.player]
        next_reach = [np.zeros((hands.num_hands, group.num_lanes)) for group in below.groups]
        for index, group in enumerate(self.tree.rounds[round_index].groups):
            strategies = self._strategies(group, index, round_index, board_index)
            _pass_down(group, reach[index], strategies, next_reach)
        for child in range(board.first_child, board.first_child + board.num_children):
            rows = hands.hand_of_raw[below.boards[child].hands[self.player].raw_hands]
            self._walk(round_index + 1, child, [values[rows] for values in next_reach])
        return None

    def _count_board(self, board_index: int, reach: Reach) -> None:
        tree_round = self.tree.rounds[-1]
        hands = sum(of_player.num_hands for of_player in tree_round.boards[board_index].hands)
        for block in tree_round.blocks:
            mean = reach[block.group][:, block.first : block.first + block.num_lanes].mean(axis=0)
            infosets = hands * len(tree_round.groups[block.group].shape.nodes)
            self.all_infosets += infosets * block.num_lanes
            self.in_blocks += infosets * block.num_lanes * (mean.max() <= THRESHOLDS)
            self.in_lanes += infosets * (mean[:, None] <= THRESHOLDS).sum(axis=0)

    def _strategies(
        self, group: LaneGroup, number: int, round_index: int, board_index: int
    ) -> dict[int, NDArray[np.float64]]:
        """Of the player's nodes, [hand][action][lane]."""
        strategies = {}
        for index, node in enumerate(group.shape.nodes):
            if node.player == self.player:
                values = node_values(
                    self.tree,
                    self.regrets,
                    round_index=round_index,
                    board_index=board_index,
                    node_index=index,
                    group=number,
                )
                total = values.sum(axis=1, keepdims=True)
                even = np.full_like(values, 1 / node.num_actions)
                strategies[index] = np.divide(values, total, out=even, where=total > 0)
        return strategies


def _pass_down(
    group: LaneGroup, reach: NDArray[np.float64], strategies: dict[int, NDArray[np.float64]], next_reach: Reach
) -> None:
    """Add the reach at the ends of a group that go on to the lanes that they lead to."""
    at_node = {0: reach}
    for index, node in enumerate(group.shape.nodes):
        for action, edge in enumerate(node.edges):
            after = at_node[index] * strategies[index][:, action] if index in strategies else at_node[index]
            if edge.node is not None:
                at_node[edge.node] = after
                continue
            for lane in range(group.num_lanes):
                next_group = group.next_group[edge.end, lane]
                if next_group >= 0:
                    next_reach[next_group][:, group.next_lane[edge.end, lane]] += after[:, lane]


def main(iterations: list[int]) -> None:
    text = format_definition(load_game("four-ranks")).replace("numRanks = 4", "numRanks = 3")
    tree = build_public_tree(parse_definition(text, name="three-ranks", source="three-ranks"), precision="float32")
    solver = LaneSolver(tree, variant=find_variant("dcfr+"), with_average=False, num_threads=NUM_THREADS)
    heads = [f"{what}, reach <= {threshold:g}" for what in ("blocks", "lanes") for threshold in THRESHOLDS]
    print("| iteration | pass of | " + " | ".join(heads) + " |\n" + "|---" * (2 + len(heads)) + "|")
    for iteration in sorted(iterations):
        solver.run(iteration - solver.iteration)
        for player, of_pass in ((0, "the dealer"), (1, "the big blind")):
            shares = ColdShares(tree, player, solver.current_strategy()[player])
            shares.count()
            cells = [f"{share:.1%}" for share in (*shares.in_blocks, *shares.in_lanes) / np.array(shares.all_infosets)]
            print(f"| {iteration} | {of_pass} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [50, 100, 200])
