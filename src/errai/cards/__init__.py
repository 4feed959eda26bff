"""Decks, cards as text, ranges, strength and suit isomorphism. Knows no other package of Errai."""

from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands, num_hands
from errai.cards.strength import Category, board_strengths, hand_category, hand_strengths

__all__ = ["Category", "Deck", "board_strengths", "hand_category", "hand_index", "hand_strengths", "hands", "num_hands"]
