"""What players call a board: by its suits, by its pairs, by the highest of the cards that came last."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from errai.cards.deck import Deck

SUIT_TEXTURES = ("rainbow", "two-tone", "monotone", "three of a suit", "four of a suit", "five of a suit")
PAIR_TEXTURES = ("unpaired", "paired", "two pair", "trips", "full house", "quads")
_PAIR_TEXTURES_BY_COUNTS = {
    (2,): "paired",
    (2, 1): "paired",
    (2, 2): "two pair",
    (3,): "trips",
    (3, 1): "trips",
    (3, 2): "full house",
    (4,): "quads",
    (4, 1): "quads",
}


@dataclass(frozen=True)
class Texture:
    """The texture of a board."""

    suits: str  # one of `SUIT_TEXTURES`
    pairing: str  # one of `PAIR_TEXTURES`
    high: str  # the rank of the highest card that came last

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def board_texture(deck: Deck, board: Sequence[int], dealt: Sequence[int]) -> Texture:
    """The texture of a board of which the cards `dealt` came last."""
    ranks, suits = zip(*(divmod(card, deck.num_suits) for card in board), strict=True)
    by_suit = max(Counter(suits).values())
    by_rank = tuple(sorted(Counter(ranks).values(), reverse=True)[:2])
    is_monotone = len(board) == by_suit == 3
    return Texture(
        suits="monotone" if is_monotone else ("rainbow", "two-tone", *SUIT_TEXTURES[3:])[by_suit - 1],
        pairing=_PAIR_TEXTURES_BY_COUNTS.get(by_rank, "unpaired"),
        high=deck.rank_names[max(dealt) // deck.num_suits],
    )
