"""The rounds of a public tree: their boards, and their lanes cut into blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.trees.betting_tree import EndKind, LaneGroup, StreetBetting
from errai.trees.symmetry import Symmetry

# Widths of a block of lanes, the widest first. Measured on Rhode Island hold'em with AVX2: 16 lanes are 1.1 times as
# fast as 8.
_WIDTHS = (16, 8, 1)
# Fewer lanes than this are blocks of their own, whose vectors hold hands: half a vector of lanes costs as much.
_LEAST_LANES = 5


@dataclass(frozen=True, eq=False)
class BoardHands:
    """The hands of one player on a board: those of the player's range that can be held there."""

    raw_hands: NDArray[np.int16]  # the hand of the deck that stands for each hand of the board
    hand_of_raw: NDArray[np.int16]  # for each hand of the deck; -1 where it cannot be held or is outside the range

    @property
    def num_hands(self) -> int:
        return len(self.raw_hands)


@dataclass(frozen=True)
class TreeBoard:
    """One board of a round."""

    cards: tuple[int, ...]
    parent: int
    multiplicity: int  # how many boards below the same parent it stands for
    first_child: int
    num_children: int
    hands: tuple[BoardHands, BoardHands]  # of each player
    symmetry: Symmetry


@dataclass(frozen=True)
class LaneBlock:
    """Lanes of one group that are computed together."""

    group: int
    first: int  # of its lanes in the group
    first_padded: int  # in the rows of the round
    width: int
    num_lanes: int


@dataclass(frozen=True)
class TreeRound:
    """All boards of a round, and its lanes."""

    betting: StreetBetting
    boards: tuple[TreeBoard, ...]
    blocks: tuple[LaneBlock, ...]

    @property
    def groups(self) -> tuple[LaneGroup, ...]:
        return self.betting.groups

    @property
    def padded_lanes(self) -> int:
        return self.blocks[-1].first_padded + self.blocks[-1].width

    @property
    def num_infosets(self) -> int:
        return sum(self.num_hands(player) * self.betting.num_nodes(player) for player in (0, 1))

    @property
    def num_infoset_actions(self) -> int:
        return sum(self.num_hands(player) * self.betting.num_actions(player) for player in (0, 1))

    @cached_property
    def hands_of_boards(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The number of hands of each player on every board."""
        first, second = (
            np.array([board.hands[player].num_hands for board in self.boards], dtype=np.int64) for player in (0, 1)
        )
        return first, second

    def num_hands(self, player: int) -> int:
        """Of all boards."""
        return int(self.hands_of_boards[player].sum())

    def most_hands(self, player: int) -> int:
        """Of one board."""
        return int(self.hands_of_boards[player].max())

    @cached_property
    def padded_lane(self) -> tuple[NDArray[np.int32], ...]:
        """For each group, where its lanes are in the rows of the round."""
        places = [np.zeros(group.num_lanes, dtype=np.int32) for group in self.groups]
        for block in self.blocks:
            lanes = slice(block.first, block.first + block.num_lanes)
            places[block.group][lanes] = block.first_padded + np.arange(block.num_lanes)
        return tuple(places)


def rounds_with_edges(rounds: Sequence[TreeRound]) -> list[int]:
    """The rounds of a tree in which a call can be all-in before the last round of the game.

    Where a tree is cut above betting that goes on, the caller computes its last round.
    """
    is_cut = any(EndKind.NEXT_STREET in group.shape.ends for group in rounds[-1].groups)
    return [
        index
        for index, tree_round in enumerate(rounds[: len(rounds) - is_cut])
        if any(EndKind.ALL_IN in group.shape.ends for group in tree_round.groups)
    ]


def cut_lanes(street: StreetBetting) -> tuple[LaneBlock, ...]:
    """Blocks that hold all lanes of every group: the widest ones, then the narrowest that holds what is left.

    A few lanes are blocks of their own. So is one lane beyond the vectors of eight, which costs less than the rest of
    a vector of 16. That is so in every round of a limit spot, whose lanes are 1, 9, 81.
    """
    blocks: list[LaneBlock] = []
    padded = 0
    for index, group in enumerate(street.groups):
        first = 0
        while first < group.num_lanes:
            left = group.num_lanes - first
            if left < _LEAST_LANES or left % 8 == 1:
                width = max(width for width in _WIDTHS if width <= left)
            else:
                width = min((width for width in _WIDTHS if width >= left), default=max(_WIDTHS))
            blocks.append(LaneBlock(index, first, padded, width, min(width, left)))
            first += width
            padded += width
    return tuple(blocks)
