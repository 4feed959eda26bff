"""All private hands of a deck, numbered.

A hand is a set of cards. Hands are numbered in colexicographic order: one card is its own number, two cards a < b have
number b (b - 1) / 2 + a, and so on. Hands without a card beyond c therefore come first, whatever the deck.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.errors import InputError


def num_hands(deck: Deck, num_hole_cards: int) -> int:
    """How many different hands of `num_hole_cards` cards there are."""
    return comb(deck.size, num_hole_cards)


@lru_cache(maxsize=16)
def hands(deck: Deck, num_hole_cards: int) -> NDArray[np.uint8]:
    """The cards of every hand, shape (num_hands, num_hole_cards), ascending in each row. Read-only."""
    if not 1 <= num_hole_cards <= deck.size:
        raise InputError(f"a hand of a {deck.size}-card deck has 1 to {deck.size} cards; got `{num_hole_cards}`")
    # Descending combinations of the reversed deck are in reversed colexicographic order.
    descending = np.array(list(combinations(range(deck.size - 1, -1, -1), num_hole_cards)), dtype=np.uint8)
    table = np.ascontiguousarray(descending[::-1, ::-1])
    table.flags.writeable = False
    return table


@lru_cache(maxsize=16)
def held_cards(deck: Deck, num_hole_cards: int) -> NDArray[np.float64]:
    """A row for every hand and a column for every card, 1 where the hand holds it. Read-only."""
    held = np.zeros((num_hands(deck, num_hole_cards), deck.size))
    np.put_along_axis(held, hands(deck, num_hole_cards).astype(np.int64), 1.0, axis=1)
    held.flags.writeable = False
    return held


def hand_index(cards: NDArray[np.integer]) -> NDArray[np.int64]:
    """The number of each hand; `cards` has the shape (..., num_hole_cards), its cards in any order."""
    ascending = np.sort(cards.astype(np.int64), axis=-1)
    index = np.zeros(ascending.shape[:-1], dtype=np.int64)
    for position in range(ascending.shape[-1]):
        binomial = np.ones_like(index)
        for factor in range(position + 1):
            binomial = binomial * (ascending[..., position] - factor) // (factor + 1)
        index += binomial
    return index


def number_of_hand(cards: Iterable[int]) -> int:
    """The number of one hand, its cards in any order."""
    return sum(comb(card, position) for position, card in enumerate(sorted(cards), start=1))
