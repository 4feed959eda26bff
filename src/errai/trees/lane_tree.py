"""A public tree for the kernels: shapes, lanes with their chips, boards, hands, and edges where a call is all-in."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.equity import pair_edges
from errai.games.definition import GameDefinition
from errai.trees.betting_tree import BettingShape, BettingTree, EndKind, LaneGroup
from errai.trees.tree_rounds import LaneBlock, TreeBoard, TreeRound

Float64Array = NDArray[np.float64]
Number = TypeVar("Number", np.float64, np.int32)


@dataclass(frozen=True)
class Grouping:
    """The groups of equal strength and the card orbits of a board."""

    first_group: int
    num_groups: int
    num_orbits: int


@dataclass(frozen=True)
class HandTables:
    """The hands of both players on all boards of a round."""

    hands: tuple[kernels.HandList, kernels.HandList]
    groupings: list[Grouping]


def build_lane_tree(
    definition: GameDefinition, rounds: Sequence[TreeRound], tables: Sequence[HandTables], betting: BettingTree
) -> kernels.LaneTree:
    """The tree of all rounds."""
    tree = kernels.LaneTree(num_hole=definition.num_hole_cards)
    for index, (tree_round, hand_tables) in enumerate(zip(rounds, tables, strict=True)):
        below = rounds[index + 1] if index + 1 < len(rounds) else None
        tree.add_round(
            kernels.LaneRound(
                is_last=tree_round.betting.round + 1 == definition.num_rounds,
                shapes=[kernel_shape(group.shape) for group in tree_round.groups],
                blocks=[
                    kernel_block(tree_round.groups[block.group], block, below, betting) for block in tree_round.blocks
                ],
                boards=[
                    _board(board, grouping)
                    for board, grouping in zip(tree_round.boards, hand_tables.groupings, strict=True)
                ],
                hands=hand_tables.hands,
            )
        )
    for index, tree_round in enumerate(rounds):
        if any(EndKind.ALL_IN in group.shape.ends for group in tree_round.groups):
            for board in tree_round.boards:
                for player, edge in enumerate(all_in_edges(definition, board)):
                    tree.add_all_in_edge(index, player, edge, num_final_boards(definition, board))
    return tree


def num_final_boards(definition: GameDefinition, board: TreeBoard) -> int:
    """On which two hands that meet on a board can end."""
    left = definition.deck.size - 2 * definition.num_hole_cards - len(board.cards)
    return comb(left, sum(definition.num_board_cards) - len(board.cards))


def all_in_edges(definition: GameDefinition, board: TreeBoard) -> list[NDArray[np.float32]]:
    """For each player, [hand][opponent's hand]: boards won minus boards lost, summed over the opponent's class."""
    first, second = board.hands
    raw = np.flatnonzero((first.hand_of_raw >= 0) | (second.hand_of_raw >= 0))
    edges = np.rint(
        num_final_boards(definition, board)
        * pair_edges(definition.deck, raw, board.cards, definition.num_hole_cards, sum(definition.num_board_cards))
    )
    summed = []
    for own, opponent in ((first, second), (second, first)):
        classes = opponent.hand_of_raw[raw]
        rows = edges[np.searchsorted(raw, own.raw_hands)]
        sums = np.zeros((opponent.num_hands, own.num_hands))
        np.add.at(sums, classes[classes >= 0], rows[:, classes >= 0].T)
        summed.append(np.ascontiguousarray(sums.T, dtype=np.float32))
    return summed


def kernel_shape(shape: BettingShape) -> kernels.BettingShape:
    """A shape for the kernels."""
    number_of_end = {end: number for number, end in enumerate(shape.call_ends)}
    return kernels.BettingShape(
        nodes=[
            kernels.BettingNode(
                player=node.player,
                has_fold=node.has_fold,
                call_node=node.call.node,
                call_end=None if node.call.end is None else number_of_end[node.call.end],
                raise_nodes=list(node.raise_nodes),
            )
            for node in shape.nodes
        ],
        end_is_all_in=[shape.ends[end] is EndKind.ALL_IN for end in shape.call_ends],
    )


def kernel_block(
    group: LaneGroup, block: LaneBlock, below: TreeRound | None, betting: BettingTree
) -> kernels.LaneBlock:
    """A block for the kernels. Of a pot that was there before the betting, each player is taken to have put in half."""
    lanes = slice(block.first, block.first + block.num_lanes)
    call_ends = list(group.shape.call_ends)
    actors = [node.player for node in group.shape.nodes]
    half_pot = np.float64(betting.dead_pot / 2)
    folded: Float64Array = group.node_committed[np.arange(len(actors)), :, actors][:, lanes] + half_pot
    matched: Float64Array = group.end_committed[call_ends].min(axis=2)[:, lanes] + half_pot
    next_lanes = np.full(matched.shape, -1, dtype=np.int32)
    if below is not None:
        for place in np.argwhere(group.next_group[call_ends][:, lanes] >= 0):
            end, lane = call_ends[place[0]], block.first + place[1]
            next_lanes[tuple(place)] = below.padded_lane[group.next_group[end, lane]][group.next_lane[end, lane]]
    return kernels.LaneBlock(
        shape=block.group,
        first_lane=block.first_padded,
        width=block.width,
        num_lanes=block.num_lanes,
        fold_chips=_padded(folded, block.width),
        won_chips=_padded(folded - _rake(betting, folded), block.width),
        end_chips=_padded(matched, block.width),
        half_rake=_padded(_rake(betting, matched) / 2, block.width),
        next_lane=_padded(next_lanes, block.width),
    )


def _rake(betting: BettingTree, matched: Float64Array) -> Float64Array:
    """What is taken from the pot when each player has put in so much."""
    if betting.rake is None:
        return np.zeros_like(matched)
    taken = [float(betting.rake.of_pot(Fraction(2 * chips))) for chips in matched.ravel().tolist()]
    return np.array(taken).reshape(matched.shape)


def _padded(table: NDArray[Number], width: int) -> NDArray[Number]:
    """With zeros up to the width of the block."""
    padded = np.zeros((len(table), width), dtype=table.dtype)
    padded[:, : table.shape[1]] = table
    return padded


def _board(board: TreeBoard, grouping: Grouping) -> kernels.Board:
    return kernels.Board(
        num_hands=[own.num_hands for own in board.hands],
        first_child=board.first_child,
        num_children=board.num_children,
        first_group=grouping.first_group,
        num_groups=grouping.num_groups,
        num_orbits=grouping.num_orbits,
    )
