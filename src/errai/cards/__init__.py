"""Decks, cards as text, ranges, strength and suit isomorphism. Knows no other package of Errai."""

from errai.cards.boards import CanonicalBoards, canonical_boards
from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands, num_hands
from errai.cards.isomorphism import HandIndexer
from errai.cards.ranges import format_range, parse_range
from errai.cards.strength import Category, board_strengths, hand_category, hand_strengths

__all__ = [
    "CanonicalBoards",
    "Category",
    "Deck",
    "HandIndexer",
    "board_strengths",
    "canonical_boards",
    "format_range",
    "hand_category",
    "hand_index",
    "hand_strengths",
    "hands",
    "num_hands",
    "parse_range",
]
