"""A deck and its cards as numbers and as text.

A card is a number: `rank * num_suits + suit`, rank 0 being the lowest. As text it is two characters, as in the ACPC
protocol: `As`, `Td`, `2c`. A smaller deck holds the highest ranks (three ranks: Q K A) and the last suits of c, d, h, s
(two suits: hearts and spades; one suit: spades), as the ACPC's dealer deals them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from errai.errors import InputError

RANK_NAMES = "23456789TJQKA"
SUIT_NAMES = "cdhs"


@dataclass(frozen=True)
class Deck:
    """`num_ranks` x `num_suits` cards."""

    num_ranks: int
    num_suits: int

    def __post_init__(self) -> None:
        if not 1 <= self.num_ranks <= len(RANK_NAMES):
            raise InputError(f"a deck has 1 to {len(RANK_NAMES)} ranks; got `{self.num_ranks}`")
        if not 1 <= self.num_suits <= len(SUIT_NAMES):
            raise InputError(f"a deck has 1 to {len(SUIT_NAMES)} suits; got `{self.num_suits}`")

    @property
    def size(self) -> int:
        return self.num_ranks * self.num_suits

    @property
    def rank_names(self) -> str:
        """The names of this deck's ranks, lowest first."""
        return RANK_NAMES[len(RANK_NAMES) - self.num_ranks :]

    @property
    def suit_names(self) -> str:
        """The names of this deck's suits, lowest first."""
        return SUIT_NAMES[len(SUIT_NAMES) - self.num_suits :]

    def card(self, rank: int, suit: int) -> int:
        return rank * self.num_suits + suit

    def rank(self, card: int) -> int:
        return card // self.num_suits

    def suit(self, card: int) -> int:
        return card % self.num_suits

    def card_text(self, card: int) -> str:
        return self.rank_names[self.rank(card)] + self.suit_names[self.suit(card)]

    def text(self, cards: Iterable[int]) -> str:
        """`AsKd` for two cards, in the order given."""
        return "".join(self.card_text(card) for card in cards)

    def parse(self, text: str) -> tuple[int, ...]:
        """The cards of `AsKd7c`, in the order written, all different."""
        compact = "".join(text.split())
        if len(compact) % 2:
            raise InputError(f"cards are written with two characters each, as in `AsKd`; got `{text}`")
        cards = tuple(self._parse_card(compact[i : i + 2]) for i in range(0, len(compact), 2))
        if len(set(cards)) != len(cards):
            raise InputError(f"every card must be different; got `{text}`")
        return cards

    def _parse_card(self, text: str) -> int:
        rank = self.rank_names.find(text[0].upper())
        suit = self.suit_names.find(text[1].lower())
        if rank < 0 or suit < 0:
            raise InputError(
                f"`{text}` is not a card of this deck",
                hint=f"ranks are {' '.join(self.rank_names)}; suits are {' '.join(self.suit_names)}",
            )
        return self.card(rank, suit)
