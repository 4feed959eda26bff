"""How strong hands are: a number each, larger is stronger, equal is a tie.

Five to seven cards are worth their best five by the rules of poker. Three cards have ranks of their own (straight
flush, trips, straight, flush, pair, high card), and with one, two or four cards there are neither straights nor
flushes. Numbers compare within one count of cards only. The arithmetic, and the layout of the number, is in
`native/cards/strength.hpp`.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errai._native import kernels
from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.errors import InputError

MAX_CARDS = 7
_CATEGORY_SHIFT = 27


class Category(IntEnum):
    """What a hand makes, in the order of five-card poker."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


# With three cards trips beat a straight, and a straight a flush: these two change places.
_THREE_CARD_CATEGORIES = np.arange(len(Category), dtype=np.uint8)
_THREE_CARD_CATEGORIES[[Category.TRIPS, Category.FLUSH]] = [Category.FLUSH, Category.TRIPS]


def hand_strengths(deck: Deck, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The strength of each row of `cards`, shape (n, k) with k = 1 to 7 different cards a row."""
    _verify_cards(deck, cards)
    strengths = np.empty(len(cards), dtype=np.int32)
    kernels.hand_strengths(np.ascontiguousarray(cards), deck.num_suits, strengths)
    return strengths


def hand_category(deck: Deck, cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The `Category` of each row of `cards`, shape (n, k) with k = 1 to 7 different cards a row."""
    categories = (hand_strengths(deck, cards) >> _CATEGORY_SHIFT).astype(np.uint8)
    return _THREE_CARD_CATEGORIES[categories] if cards.shape[1] == 3 else categories


def board_strengths(deck: Deck, board: ArrayLike, *, num_hole_cards: int = 2) -> NDArray[np.int32]:
    """The strength of every hand together with `board`, in the order of `hands`; -1 for hands that share its cards.

    One board gives the shape (num_hands,), boards of shape (n, b) give (n, num_hands).
    """
    boards = np.asarray(board, dtype=np.uint8)
    flat = np.ascontiguousarray(np.atleast_2d(boards))
    if flat.ndim != 2 or np.any(flat >= deck.size) or np.any(np.diff(np.sort(flat, axis=1), axis=1) == 0):
        raise InputError(f"`board` must hold different cards of a {deck.size}-card deck; got `{flat.tolist()}`")
    if flat.shape[1] + num_hole_cards > MAX_CARDS:
        raise InputError(f"board and hand hold at most {MAX_CARDS} cards; got {flat.shape[1]} and {num_hole_cards}")
    every_hand = hands(deck, num_hole_cards)
    strengths = np.empty((len(flat), len(every_hand)), dtype=np.int32)
    kernels.board_strengths(flat, every_hand, deck.num_suits, strengths)
    return strengths.reshape(*boards.shape[:-1], len(every_hand))


def _verify_cards(deck: Deck, cards: NDArray[np.uint8]) -> None:
    if cards.dtype != np.uint8 or cards.ndim != 2 or not 1 <= cards.shape[1] <= MAX_CARDS:
        raise InputError(
            f"`cards` must be a `uint8` array of shape (n, k), k = 1 to {MAX_CARDS}; got `{cards.dtype}` {cards.shape}"
        )
    if cards.size and (highest := int(cards.max())) >= deck.size:
        raise InputError(f"cards of this deck are numbered 0 to {deck.size - 1}; got `{highest}`")
