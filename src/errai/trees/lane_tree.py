"""A public tree for the kernels: shapes, lanes with their chips, boards, hands, and edges where a call is all-in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.equity import pair_edges
from errai.cards.hands import hand_index, hands
from errai.games.definition import GameDefinition
from errai.trees.betting_tree import BettingShape, BettingTree, EndKind, LaneGroup
from errai.trees.symmetry import all_deals
from errai.trees.tree_rounds import LaneBlock, TreeBoard, TreeRound, rounds_with_edges

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
    definition: GameDefinition,
    rounds: Sequence[TreeRound],
    tables: Sequence[HandTables],
    betting: BettingTree,
    *,
    next_boards: Mapping[tuple[int, ...], float] | None = None,
) -> kernels.LaneTree:
    """The tree of all rounds; `next_boards` are those of the second round that are dealt, unless all are."""
    tree = kernels.LaneTree(num_hole=definition.num_hole_cards)
    with_edges = rounds_with_edges(rounds)
    for index, (tree_round, hand_tables) in enumerate(zip(rounds, tables, strict=True)):
        below = rounds[index + 1] if index + 1 < len(rounds) else None
        tree.add_round(
            kernels.LaneRound(
                is_last=tree_round.betting.round + 1 == definition.num_rounds,
                shapes=[kernel_shape(group.shape, is_cut=index not in with_edges) for group in tree_round.groups],
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
    for index in with_edges:
        for board in rounds[index].boards:
            if index == 0 and next_boards is not None:
                won, num_boards = _some_boards_won(definition, board, rounds[1], next_boards)
            else:
                won, num_boards = _boards_won(definition, board)
            for player, edge in enumerate(_sum_over_classes(board, won)):
                tree.add_all_in_edge(index, player, edge, num_boards)
    return tree


def _num_final_boards(definition: GameDefinition, num_board_cards: int) -> int:
    """On which two hands that meet on a board of so many cards can end."""
    left = definition.deck.size - 2 * definition.num_hole_cards - num_board_cards
    return comb(left, sum(definition.num_board_cards) - num_board_cards)


def _boards_won(definition: GameDefinition, board: TreeBoard) -> tuple[Float64Array, int]:
    """[hand][hand] of those that either player can hold: boards won minus boards lost; and the number of boards."""
    num_boards = _num_final_boards(definition, len(board.cards))
    return np.rint(num_boards * _edges(definition, _raw_hands(board), board.cards)), num_boards


def _some_boards_won(
    definition: GameDefinition, board: TreeBoard, below: TreeRound, factors: Mapping[tuple[int, ...], float]
) -> tuple[Float64Array, int]:
    """The same where only some boards come next: each of them counts as often as its factor says."""
    num_dealt = definition.num_board_cards[below.betting.round]
    num_after = _num_final_boards(definition, len(board.cards) + num_dealt)
    every_hand = hands(definition.deck, definition.num_hole_cards)
    left = np.setdiff1d(np.arange(definition.deck.size, dtype=np.uint8), np.array(board.cards, dtype=np.uint8))
    deals = all_deals(left, num_dealt)
    keys = board.symmetry.deal_keys(deals)
    won = np.zeros((len(every_hand), len(every_hand)))
    for child in below.boards:
        held = _raw_hands(child)
        of_child = np.zeros_like(won)
        of_child[np.ix_(held, held)] = factors[child.cards] * num_after * _edges(definition, held, child.cards)
        target = np.array(child.cards[len(board.cards) :], dtype=np.uint8)
        for deal in deals[keys == board.symmetry.deal_keys(target[None, :])]:
            relabelling = board.symmetry.relabelling(deal, target)
            assert relabelling is not None
            to = hand_index(relabelling[every_hand])
            won += of_child[np.ix_(to, to)]
    raw = _raw_hands(board)
    num_deals = comb(len(left) - 2 * definition.num_hole_cards, num_dealt)
    return won[np.ix_(raw, raw)], num_deals * num_after


def _raw_hands(board: TreeBoard) -> NDArray[np.intp]:
    """The hands of the deck that either player can hold on a board."""
    first, second = board.hands
    return np.flatnonzero((first.hand_of_raw >= 0) | (second.hand_of_raw >= 0))


def _edges(definition: GameDefinition, raw: NDArray[np.intp], cards: Sequence[int]) -> Float64Array:
    return pair_edges(definition.deck, raw, cards, definition.num_hole_cards, sum(definition.num_board_cards))


def _sum_over_classes(board: TreeBoard, edges: Float64Array) -> list[NDArray[np.float32]]:
    """For each player, [hand][opponent's hand]: the edges of raw hands summed over the opponent's class."""
    first, second = board.hands
    raw = _raw_hands(board)
    summed = []
    for own, opponent in ((first, second), (second, first)):
        classes = opponent.hand_of_raw[raw]
        rows = edges[np.searchsorted(raw, own.raw_hands)]
        sums = np.zeros((opponent.num_hands, own.num_hands))
        np.add.at(sums, classes[classes >= 0], rows[:, classes >= 0].T)
        summed.append(np.ascontiguousarray(sums.T, dtype=np.float32))
    return summed


def kernel_shape(shape: BettingShape, *, is_cut: bool = False) -> kernels.BettingShape:
    """A shape for the kernels; the caller computes all that is below the endings of a round that `is_cut`."""
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
        end_is_all_in=[shape.ends[end] is EndKind.ALL_IN and not is_cut for end in shape.call_ends],
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
