"""The first cards that come on the board, one set of each class that a relabelling of suits makes.

In hold'em these are the 1,755 flops. Whatever comes after one of them is a game of its own: the flops meet only in the
betting before them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.trees.symmetry import SuitSymmetry, Symmetry, all_deals

AnySymmetry = TypeVar("AnySymmetry", bound=Symmetry)


@dataclass(frozen=True)
class Deal(Generic[AnySymmetry]):
    """Cards that come on a board, and the relabellings that are left with them."""

    cards: tuple[int, ...]
    multiplicity: int  # how many sets of cards it stands for
    symmetry: AnySymmetry


def flop_round(definition: GameDefinition) -> int:
    """The round that begins with the flop; in a game of one round that round, with or without cards."""
    return 0 if definition.num_rounds == 1 or definition.num_board_cards[0] else 1


def deal_flops(definition: GameDefinition, symmetry: SuitSymmetry) -> list[Deal[SuitSymmetry]]:
    """All flops that `symmetry` tells apart."""
    return deal_cards(symmetry, (), definition.num_board_cards[flop_round(definition)])


def deal_cards(symmetry: AnySymmetry, board: Sequence[int], count: int) -> list[Deal[AnySymmetry]]:
    """All sets of `count` cards that can come on `board` and that `symmetry`, which leaves it as it is, tells apart."""
    if count == 0:
        return [Deal((), 1, symmetry)]
    left = np.setdiff1d(np.arange(symmetry.deck.size, dtype=np.uint8), np.array(board, dtype=np.uint8))
    deals = all_deals(left, count)
    _, representative, multiplicity = np.unique(symmetry.deal_keys(deals), return_index=True, return_counts=True)
    return [
        Deal(tuple(deal.tolist()), int(times), symmetry.after(deal))
        for deal, times in zip(deals[representative], multiplicity, strict=True)
    ]


def num_deals(definition: GameDefinition, *, board_cards: int, hands: int, count: int) -> int:
    """The ways to deal `count` cards on a board of `board_cards` when the cards of `hands` hands are known."""
    return comb(definition.deck.size - board_cards - hands * definition.num_hole_cards, count)


def choose_in_steps(multiplicities: Sequence[int], count: int, *, start: float) -> NDArray[np.intp]:
    """So many deals in proportion to their multiplicities: at equal steps along their order, from `start` of a step on.

    With a random start below 1, each is chosen as often as its share of all, on average, and every kind gets its part.
    """
    ends = np.cumsum(multiplicities)
    chosen: NDArray[np.intp] = np.searchsorted(ends, (np.arange(count) + start) * ends[-1] / count, side="right")
    return chosen
