"""Decks, cards as text, ranges, strength and suit isomorphism. Knows no other package of Errai."""

from errai.cards.deck import Deck

__all__ = ["Deck"]
