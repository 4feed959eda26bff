"""The part of a game's rules that an abstraction of its cards depends on: deck, hole cards, and cards per round.

Games that differ in their betting only, such as limit and no-limit hold'em, share their bucket tables.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.isomorphism import HandIndexer
from errai.errors import InputError
from errai.games.definition import GameDefinition

Grouping = tuple[int, ...]


@dataclass(frozen=True)
class CardRounds:
    """How a game deals its cards."""

    deck: Deck
    num_hole_cards: int
    num_board_cards: tuple[int, ...]  # dealt at the start of each round

    @classmethod
    def of(cls, definition: GameDefinition) -> "CardRounds":
        return cls(definition.deck, definition.num_hole_cards, definition.num_board_cards)

    @property
    def num_rounds(self) -> int:
        return len(self.num_board_cards)

    @cached_property
    def board_sizes(self) -> tuple[int, ...]:
        """How many cards are on the board in each round."""
        return tuple(accumulate(self.num_board_cards))

    @property
    def hands(self) -> NDArray[np.uint8]:
        """The cards of every hand, in the package's order of hands."""
        return hands(self.deck, self.num_hole_cards)

    def dealt(self, round_index: int) -> Grouping:
        """Hole cards and board cards as they were dealt: two boards differ if their cards came in other rounds."""
        self.verify_round(round_index)
        groups = (self.num_hole_cards, *self.num_board_cards[: round_index + 1])
        return tuple(group for group in groups if group)

    def unordered(self, round_index: int) -> Grouping:
        """Hole cards and board cards, whichever round each board card came in."""
        self.verify_round(round_index)
        groups = (self.num_hole_cards, self.board_sizes[round_index])
        return tuple(group for group in groups if group)

    def indexer(self, grouping: Grouping) -> HandIndexer:
        """Numbers of the hands of a grouping, up to a relabelling of suits."""
        return _indexer(self.deck, grouping)

    def num_hands(self, grouping: Grouping) -> int:
        """How many hands a grouping has, up to a relabelling of suits."""
        return self.indexer(grouping).size(len(grouping) - 1)

    def parse_board(self, text: str) -> tuple[int, ...]:
        """The cards of a board at the start of a round, as in `7h9hQh`."""
        board = self.deck.parse(text)
        sizes = sorted(set(self.board_sizes))
        if len(board) not in sizes:
            raise InputError(f"a board of this game has {' or '.join(map(str, sizes))} cards; got `{text}`")
        return board

    def verify_round(self, round_index: int) -> None:
        if not 0 <= round_index < self.num_rounds:
            raise InputError(f"rounds are numbered 0 to {self.num_rounds - 1}; got `{round_index}`")


@lru_cache(maxsize=64)
def _indexer(deck: Deck, grouping: Grouping) -> HandIndexer:
    return HandIndexer(deck, grouping)
