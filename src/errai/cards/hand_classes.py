"""What players call a hand on a board: `set`, `top pair`, `flush draw`.

A hand is named by what its own cards add to the board: a pair on the board belongs to everybody. On the last board
there are no draws. Names are for boards of three to five cards and hands of two.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.strength import Category, board_strengths, hand_category, hand_strengths
from errai.errors import InputError

MADE_HANDS = (
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "set",
    "trips",
    "two pair",
    "overpair",
    "top pair",
    "middle pair",
    "weak pair",
    "ace high",
    "nothing",
)
DRAWS = ("flush draw", "open-ended", "gutshot", "no draw")
_FIRST_BOARD, _LAST_BOARD = 3, 5
_STRAIGHT_RANKS = 5
_FLUSH_CARDS = 5

Int8Array = NDArray[np.int8]


@dataclass(frozen=True)
class HandClasses:
    """Numbers into `MADE_HANDS` and `DRAWS`, one per hand of the deck; -1 where the board holds a card of it."""

    made: Int8Array
    draw: Int8Array


def can_classify(deck: Deck, num_hole_cards: int, num_board_cards: int) -> bool:
    """Whether the hands of a game have these names on such a board."""
    return num_hole_cards == 2 and deck.num_suits == 4 and _FIRST_BOARD <= num_board_cards <= _LAST_BOARD


@lru_cache(maxsize=64)
def classify_hands(deck: Deck, board: tuple[int, ...]) -> HandClasses:
    """The names of all hands of the deck on a board."""
    if not can_classify(deck, 2, len(board)):
        raise InputError(f"hands have names on boards of 3 to 5 cards of four suits; got `{deck.text(board)}`")
    every_hand = hands(deck, 2)
    possible = board_strengths(deck, np.array(board, dtype=np.uint8)) >= 0
    cards = np.hstack((every_hand, np.tile(np.array(board, dtype=np.uint8), (len(every_hand), 1))))[possible]
    made = np.full(len(every_hand), -1, dtype=np.int8)
    draw = np.full(len(every_hand), -1, dtype=np.int8)
    made[possible] = _made_hands(deck, cards, board)
    draw[possible] = _draws(deck, cards, board)
    return HandClasses(made, draw)


def _made_hands(deck: Deck, cards: NDArray[np.uint8], board: tuple[int, ...]) -> Int8Array:
    category = hand_category(deck, cards)
    adds = np.ones(len(cards), dtype=bool)
    if len(board) == _LAST_BOARD:
        adds = hand_strengths(deck, cards) > hand_strengths(deck, np.array([board], dtype=np.uint8))[0]
    low, high = (cards[:, column].astype(np.int64) // deck.num_suits for column in (0, 1))
    on_board = np.bincount(np.array(board) // deck.num_suits, minlength=deck.num_ranks)
    board_ranks = np.flatnonzero(on_board)[::-1]
    is_pocket = low == high
    low_hits, high_hits = (on_board[ranks] for ranks in (low, high))
    is_set = is_pocket & (low_hits == 1)
    is_trips = ~is_pocket & ((low_hits == 2) | (high_hits == 2))
    is_two_pair = ~is_pocket & (low_hits == 1) & (high_hits == 1)
    pair_rank = np.select([is_pocket, high_hits > 0, low_hits > 0], [high, high, low], default=-1)
    has_pair = pair_rank >= 0
    is_overpair = is_pocket & (pair_rank > board_ranks[0])
    second = board_ranks[1] if len(board_ranks) > 1 else -1
    conditions = [
        *(category == name for name in (Category.STRAIGHT_FLUSH, Category.QUADS, Category.FULL_HOUSE)),
        *(category == name for name in (Category.FLUSH, Category.STRAIGHT)),
        is_set,
        is_trips,
        is_two_pair,
        is_overpair,
        has_pair & ~is_pocket & (pair_rank == board_ranks[0]),
        has_pair & (pair_rank >= second),
        has_pair,
        high == deck.num_ranks - 1,
    ]
    nothing = len(conditions)
    return np.where(adds, np.select(conditions, range(nothing), default=nothing), nothing).astype(np.int8)


def _draws(deck: Deck, cards: NDArray[np.uint8], board: tuple[int, ...]) -> Int8Array:
    none = DRAWS.index("no draw")
    if len(board) == _LAST_BOARD:
        return np.full(len(cards), none, dtype=np.int8)
    category = hand_category(deck, cards)
    ranks, suits = np.divmod(cards.astype(np.int64), deck.num_suits)
    of_suit = np.stack([(suits == suit).sum(axis=1) for suit in range(deck.num_suits)])
    own = np.stack([(suits[:, :2] == suit).any(axis=1) for suit in range(deck.num_suits)])
    has_flush_draw = ((of_suit == _FLUSH_CARDS - 1) & own).any(axis=0) & (category < Category.FLUSH)
    held = np.zeros((len(cards), deck.num_ranks), dtype=bool)
    np.put_along_axis(held, ranks, True, axis=1)
    bare = np.zeros((1, deck.num_ranks), dtype=bool)
    bare[0, np.array(board) // deck.num_suits] = True
    outs = _straight_outs(held) & ~_straight_outs(bare)
    num_outs = np.where(category < Category.STRAIGHT, outs.sum(axis=1), 0)
    return np.select([has_flush_draw, num_outs >= 2, num_outs == 1], range(3), default=none).astype(np.int8)


def _straight_outs(held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[hand][rank]: whether a card of that rank would make a straight; the ace is below the lowest rank as well."""
    num_ranks = held.shape[1]
    wheel = np.hstack((held[:, -1:], held))
    outs = np.zeros_like(wheel)
    for first in range(num_ranks + 1 - _STRAIGHT_RANKS + 1):
        window = slice(first, first + _STRAIGHT_RANKS)
        is_open = wheel[:, window].sum(axis=1, keepdims=True) == _STRAIGHT_RANKS - 1
        outs[:, window] |= is_open & ~wheel[:, window]
    found = outs[:, 1:].copy()
    found[:, -1] |= outs[:, 0]
    return found
