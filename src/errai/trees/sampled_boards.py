"""Trees of single boards: a whole game whose board cards, up to the last, are known beforehand.

Solvers that sample the public cards draw one such board after another. Every hand stands for itself, and all betting
sequences are there. The value that a board adds is weighted so that its mean over all boards is that of the game: a
board is drawn from all of them, but given both hands only those are dealt that share no card with them.

Where a call is all-in before the last round, the rest of the drawn board decides.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.hands import hands, num_hands
from errai.cards.strength import board_strengths
from errai.games.definition import GameDefinition
from errai.trees.betting_tree import BettingTree
from errai.trees.bucket_layout import HandBuckets
from errai.trees.lane_tree import kernel_block, kernel_shape
from errai.trees.tree_rounds import TreeRound, cut_lanes


@dataclass(frozen=True)
class SampledBoard:
    """A tree of one board for the kernels, and the buckets of its hands."""

    native: kernels.LaneTree
    buckets: kernels.TreeBuckets


@dataclass(frozen=True)
class SampledBoards:
    """Makes trees of single boards; the betting is prepared once."""

    definition: GameDefinition
    betting: BettingTree
    table: HandBuckets

    @property
    def num_hands(self) -> int:
        """Of the deck."""
        return num_hands(self.definition.deck, self.definition.num_hole_cards)

    def draw(self, seed: int, number: int) -> NDArray[np.uint8]:
        """Board `number` of those that belong to `seed`, in the order in which its cards are dealt."""
        size = sum(self.definition.num_board_cards)
        random = np.random.default_rng([seed, number])
        return random.permutation(self.definition.deck.size)[:size].astype(np.uint8)

    def build(self, board: NDArray[np.uint8]) -> SampledBoard:
        """The tree of one board."""
        rounds, num_groups = self._hands_of_rounds(board)
        tree = kernels.LaneTree(num_hole=self.definition.num_hole_cards)
        buckets = []
        for index, (own, (shapes, blocks)) in enumerate(zip(rounds, self._betting_rounds, strict=True)):
            is_last = index + 1 == len(rounds)
            tree.add_round(
                kernels.LaneRound(
                    is_last=is_last,
                    shapes=shapes,
                    blocks=blocks,
                    boards=[
                        kernels.Board(
                            num_hands=[len(own.raw)] * 2,
                            first_child=0,
                            num_children=0 if is_last else 1,
                            first_group=0,
                            num_groups=num_groups,
                            num_orbits=self.definition.deck.size,
                        )
                    ],
                    hands=(own.native, own.native),
                    num_final_boards=1 / prod(self._chance(later) for later in range(index + 1, len(rounds))),
                )
            )
            of_board = self.table.of_boards(index, board[None, : self._board_sizes[index]])[0]
            bucket = np.ascontiguousarray(of_board[own.raw], dtype=np.int32)
            buckets.append(
                kernels.RoundBuckets(num_buckets=self.table.counts[index], bucket=bucket, weight=np.ones(len(own.raw)))
            )
        return SampledBoard(tree, kernels.TreeBuckets(tree, [buckets, buckets]))

    @cached_property
    def _board_sizes(self) -> list[int]:
        return list(accumulate(self.definition.num_board_cards))

    @cached_property
    def _betting_rounds(self) -> list[tuple[list[kernels.BettingShape], list[kernels.LaneBlock]]]:
        rounds = [TreeRound(street, (), cut_lanes(street)) for street in self.betting.streets]
        return [
            (
                [kernel_shape(group.shape) for group in of_street.groups],
                [kernel_block(of_street.groups[block.group], block, below, self.betting) for block in of_street.blocks],
            )
            for of_street, below in zip(rounds, [*rounds[1:], None], strict=True)
        ]

    def _hands_of_rounds(self, board: NDArray[np.uint8]) -> tuple[list["_RoundHands"], int]:
        """Of every round, in order of strength on the whole board, then those that share a card with the rest of it.

        And the number of groups of equal strength.
        """
        definition = self.definition
        every = hands(definition.deck, definition.num_hole_cards)
        strengths = board_strengths(definition.deck, board, num_hole_cards=definition.num_hole_cards)
        is_possible = ~np.isin(every, board).any(axis=1)
        order = np.lexsort((strengths, ~is_possible))
        group_end = np.cumsum(np.unique(strengths[is_possible], return_counts=True)[1]).astype(np.int32)
        rounds: list[_RoundHands] = []
        parent_of_raw = np.arange(len(every), dtype=np.int32)
        for index, size in enumerate(self._board_sizes):
            raw = order[~np.isin(every[order], board[:size]).any(axis=1)]
            chance = self._chance(index) if index else 1.0
            ones = np.ones(raw.size * definition.num_hole_cards)
            native = kernels.HandList(
                parent_hand=parent_of_raw[raw],
                orbit=np.ascontiguousarray(every[raw].ravel()),
                class_weight=ones[: raw.size],
                orbit_weight=ones,
                up_weight=np.full(raw.size, chance),
                group_end=group_end,
                opponent_hand=np.arange(raw.size, dtype=np.int32),
            )
            rounds.append(_RoundHands(raw, native))
            parent_of_raw = np.full(len(every), -1, dtype=np.int32)
            parent_of_raw[raw] = np.arange(raw.size)
        return rounds, len(group_end)

    def _chance(self, round_index: int) -> float:
        """The chance of a round's cards when both hands are known, divided by the chance with which they are drawn."""
        before = self._board_sizes[round_index - 1]
        dealt = self.definition.num_board_cards[round_index]
        left = self.definition.deck.size - before
        return comb(left, dealt) / comb(left - 2 * self.definition.num_hole_cards, dealt)


def infosets_per_board(definition: GameDefinition, betting: BettingTree) -> int:
    """Infosets of hands that a board holds, of both players and all rounds."""
    left = (definition.deck.size - size for size in accumulate(definition.num_board_cards))
    return sum(
        comb(cards, definition.num_hole_cards) * (street.num_nodes(0) + street.num_nodes(1))
        for cards, street in zip(left, betting.streets, strict=False)
    )


@dataclass(frozen=True)
class _RoundHands:
    """The hands of a round, in the order of its list."""

    raw: NDArray[np.int64]
    native: kernels.HandList
