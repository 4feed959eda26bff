"""Decks and their text, ranges, hand strength, suit isomorphism, equity."""
