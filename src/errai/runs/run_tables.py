"""The whole strategy of a run, one node of one board after the other: the first round, then flop by flop."""

from collections.abc import Iterator

import numpy as np

from errai.passes.section_pass import read_node
from errai.runs.run_query import RunReader
from errai.solutions.node_strategies import NodeStrategy, node_strategies
from errai.solutions.stored_strategy import OnShare
from errai.trees.lane_arrays import normalise


def run_strategies(
    reader: RunReader, *, last_round: int | None = None, on_progress: OnShare | None = None
) -> Iterator[NodeStrategy]:
    """All nodes of the game, up to the given round; `on_progress` counts the flops."""
    game = reader.run.game
    yield from node_strategies(game.top, reader.weights, last_round=0)
    if last_round == 0:
        return
    for flop in range(reader.run.num_flops):
        yield from _flop_strategies(reader, flop, last_round)
        if on_progress is not None:
            on_progress(flop + 1, reader.run.num_flops)


def _flop_strategies(reader: RunReader, flop: int, last_round: int | None) -> Iterator[NodeStrategy]:
    tree = reader.tree(flop)
    for round_index, tree_round in enumerate(tree.rounds[:last_round]):
        for board_index, board in enumerate(tree_round.boards):
            for group_index, group in enumerate(tree_round.groups):
                for node_index, node in enumerate(group.shape.nodes):
                    values = read_node(
                        tree,
                        reader.source(flop, node.player),
                        round_index=round_index,
                        board_index=board_index,
                        group=group_index,
                        node_index=node_index,
                        lanes=range(group.num_lanes),
                    ).astype(np.float64)
                    yield NodeStrategy(tree_round.betting.round, board, group, node_index, normalise(values))
