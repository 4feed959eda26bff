"""Values of an abstract game: one for every bucket, action and lane of a player's nodes, in the layout of the kernels.

An abstract game is a betting tree and, for every round, a number of buckets. A player's values are one array per round,
laid out as those of a single board whose hands are the buckets (`native/lanes/bucket_source.hpp`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.trees.betting_tree import BettingTree
from errai.trees.large_arrays import large_zeros
from errai.trees.public_tree import PublicTree, TreeNode
from errai.trees.symmetry import SuitSymmetry, full_symmetry
from errai.trees.tree_rounds import LaneBlock, TreeRound, cut_lanes

BucketArray = tuple[NDArray[Any], ...]  # one array per round
BucketArrays = tuple[BucketArray, BucketArray]  # of both players

_BOARDS_AT_A_TIME = 512


class HandBuckets(Protocol):
    """Which hands a strategy treats alike; `errai.abstraction` has tables of them."""

    @property
    def name(self) -> str: ...

    @property
    def perfect_recall(self) -> bool: ...

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each round has."""

    def of_boards(self, round_index: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The bucket of each hand on each board, [board][hand]; -1 where it cannot be held."""


@dataclass(frozen=True)
class BucketLayout:
    """Where the values of an abstract game are."""

    betting: BettingTree
    counts: tuple[int, ...]  # buckets of each street of the betting

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.betting.streets):
            raise InputError(
                f"a betting tree of {len(self.betting.streets)} rounds needs as many numbers of buckets; "
                f"got `{self.counts}`"
            )

    @property
    def num_infosets(self) -> int:
        return sum(
            count * street.num_nodes(player)
            for count, street in zip(self.counts, self.betting.streets, strict=True)
            for player in (0, 1)
        )

    @property
    def num_infoset_actions(self) -> int:
        return sum(size - kernels.LANE_SPARE for player in (0, 1) for size in self.sizes(player))

    def sizes(self, player: int) -> tuple[int, ...]:
        """How many values the array of each round holds, the unused ones at its end counted."""
        return tuple(
            count * street.num_actions(player) + kernels.LANE_SPARE
            for count, street in zip(self.counts, self.betting.streets, strict=True)
        )

    def zeros(self, player: int, dtype: type[np.floating[Any]] = np.float32) -> BucketArray:
        return tuple(large_zeros(size, dtype) for size in self.sizes(player))

    def node_values(
        self, array: BucketArray, *, round_index: int, node_index: int, group: int = 0
    ) -> NDArray[np.float64]:
        """The values of a node, [bucket][action][lane of the group]."""
        street = self.betting.streets[round_index]
        node = street.groups[group].shape.nodes[node_index]
        values = np.empty((self.counts[round_index], node.num_actions, street.groups[group].num_lanes))
        for block, numbers in self._node_blocks(array[round_index], round_index, group, node_index):
            values[:, :, block.first : block.first + block.num_lanes] = numbers
        return values

    def set_node_values(
        self,
        array: BucketArray,
        values: NDArray[np.floating[Any]],
        *,
        round_index: int,
        node_index: int,
        group: int = 0,
    ) -> None:
        """Write the values of a node."""
        for block, numbers in self._node_blocks(array[round_index], round_index, group, node_index):
            numbers[:] = values[:, :, block.first : block.first + block.num_lanes]

    def rows(self, array: BucketArray, node: TreeNode, buckets: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """The values of some buckets at a node in one lane, [bucket][action]."""
        for block, numbers in self._node_blocks(array[node.round_index], node.round_index, node.group, node.node_index):
            if block.first <= node.lane < block.first + block.num_lanes:
                return numbers[buckets, :, node.lane - block.first].astype(np.float64)
        raise InputError(f"`lane` must be a lane of group {node.group}; got `{node.lane}`")

    def all_nodes(self, player: int, array: BucketArray, *, last_round: int | None = None) -> Iterator[NDArray[Any]]:
        """The values of every node of a player, in place, [bucket][action][lane], one block of lanes at a time."""
        for round_index, street in enumerate(self.betting.streets[: None if last_round is None else last_round + 1]):
            for group, lanes in enumerate(street.groups):
                for node_index, node in enumerate(lanes.shape.nodes):
                    if node.player == player:
                        for _, numbers in self._node_blocks(array[round_index], round_index, group, node_index):
                            yield numbers

    def _node_blocks(
        self, values: NDArray[Any], round_index: int, group: int, node_index: int
    ) -> Iterator[tuple[LaneBlock, NDArray[Any]]]:
        """The blocks of a group with a node's values in place, [bucket][action][lane]."""
        street, count = self.betting.streets[round_index], self.counts[round_index]
        shape = street.groups[group].shape
        node, first_action = shape.nodes[node_index], shape.first_actions[node_index]
        first = 0
        for block in cut_lanes(street):
            if block.group == group:
                begin = first + count * block.num_lanes * first_action
                numbers = values[begin : begin + count * node.num_actions * block.num_lanes]
                yield block, numbers.reshape(count, node.num_actions, block.num_lanes)
            first += count * block.num_lanes * street.groups[block.group].shape.num_actions(node.player)


def verify_bucket_array(sizes: Sequence[int], array: BucketArray, what: str) -> None:
    """Raise an `InputError` unless there is one array of the right size per round."""
    found = tuple(values.shape for values in array)
    if found != tuple((size,) for size in sizes):
        raise InputError(f"{what} must have the sizes `{tuple(sizes)}`; got the shapes `{found}`")


def tree_buckets(
    tree: PublicTree, tables: tuple[HandBuckets | None, HandBuckets | None], *, renumber_hands: bool = False
) -> kernels.TreeBuckets:
    """The buckets of all hands of a tree, and the deals that each hand stands for.

    A player without a table has a bucket for every hand of every board, numbered board after board. To `renumber_hands`
    is to begin with 0 again on every board of the second round, for values of one such board at a time.
    """
    first = _player_buckets(tree, tables[0], 0, renumber_hands)
    is_same = tree.has_one_list and tables[0] is tables[1]
    second = first if is_same else _player_buckets(tree, tables[1], 1, renumber_hands)
    return kernels.TreeBuckets(tree.native, [first, second])


def renumbered_hands(tree: PublicTree, player: int) -> list[NDArray[np.int32]]:
    """The number of each hand of each round, from 0 on every board of the second round."""
    numbers = []
    turn = np.zeros(1, dtype=np.intp)  # of each board of the round: the board of the second round that it is below
    for index, tree_round in enumerate(tree.rounds):
        turn = np.arange(len(tree_round.boards)) if index == 1 else turn[[board.parent for board in tree_round.boards]]
        counts = tree_round.hands_of_boards[player]
        before = np.concatenate(([0], np.cumsum(np.bincount(turn, counts))[:-1]))
        numbers.append((np.arange(counts.sum()) - np.repeat(before[turn], counts)).astype(np.int32))
    return numbers


def can_merge_suits(definition: GameDefinition) -> bool:
    """Whether hands that a tree with merged suits treats as one are always of one bucket.

    They are not where a showdown knows no flushes: there a tree merges the suits of each rank on their own.
    """
    return isinstance(full_symmetry(definition), SuitSymmetry)


def _player_buckets(
    tree: PublicTree, table: HandBuckets | None, player: int, renumber_hands: bool
) -> list[kernels.RoundBuckets]:
    rounds = []
    renumbered = renumbered_hands(tree, player) if renumber_hands and table is None else None
    boards_above = np.ones(1)  # deals that each board of the round above stands for
    for index, tree_round in enumerate(tree.rounds):
        boards = tree_round.boards
        boards_above = boards_above[[board.parent for board in boards]] * [board.multiplicity for board in boards]
        sizes = [
            np.bincount(own.hand_of_raw[own.hand_of_raw >= 0], minlength=own.num_hands)
            for own in (board.hands[player] for board in boards)
        ]
        weight = np.concatenate([times * size for times, size in zip(boards_above, sizes, strict=True)])
        if renumbered is not None:
            count, bucket = int(renumbered[index].max()) + 1, renumbered[index]
        elif table is None:
            count, bucket = len(weight), np.arange(len(weight), dtype=np.int32)
        else:
            count = table.counts[tree_round.betting.round]
            bucket = _bucket_of_hands(tree_round, table, player)
        rounds.append(kernels.RoundBuckets(num_buckets=count, bucket=bucket, weight=weight))
    return rounds


def _bucket_of_hands(tree_round: TreeRound, table: HandBuckets, player: int) -> NDArray[np.int32]:
    parts = []
    for first in range(0, len(tree_round.boards), _BOARDS_AT_A_TIME):
        some = tree_round.boards[first : first + _BOARDS_AT_A_TIME]
        cards = np.array([board.cards for board in some], dtype=np.uint8).reshape(len(some), -1)
        buckets = table.of_boards(tree_round.betting.round, cards)
        parts += [row[board.hands[player].raw_hands] for row, board in zip(buckets, some, strict=True)]
    return np.ascontiguousarray(np.concatenate(parts), dtype=np.int32)
