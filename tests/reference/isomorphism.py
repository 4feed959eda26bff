"""Suit isomorphism the obvious way: the smallest of all relabellings of a deal."""

from collections.abc import Sequence
from itertools import permutations

from errai.cards.deck import Deck

Deal = tuple[tuple[int, ...], ...]


def relabel(deck: Deck, rounds: Sequence[Sequence[int]], suits: Sequence[int]) -> Deal:
    """The deal with suit s called `suits[s]`, each round in ascending order."""
    return tuple(
        tuple(sorted(deck.card(deck.rank(card), suits[deck.suit(card)]) for card in cards)) for cards in rounds
    )


def relabellings(deck: Deck, rounds: Sequence[Sequence[int]]) -> set[Deal]:
    """All deals that differ from this one by the names of suits only."""
    return {relabel(deck, rounds, suits) for suits in permutations(range(deck.num_suits))}


def canonical_deal(deck: Deck, rounds: Sequence[Sequence[int]]) -> Deal:
    return min(relabellings(deck, rounds))
