"""All boards that differ by more than the names of suits, and how many boards each stands for.

A board is dealt over rounds; the cards of one round have no order. Relabelling the suits of a board gives as many
different boards as there are permutations of suits, divided by those that change nothing: the permutations among suits
that hold the same ranks in every round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.isomorphism import HandIndexer


@dataclass(frozen=True)
class CanonicalBoards:
    """One board of each class: its cards in the order of the rounds, and how many boards are in the class."""

    cards: NDArray[np.uint8]
    multiplicity: NDArray[np.int64]


def canonical_boards(deck: Deck, cards_per_round: Sequence[int]) -> CanonicalBoards:
    """The boards of all `cards_per_round`, up to a relabelling of suits, in the order of `HandIndexer`."""
    indexer = HandIndexer(deck, cards_per_round)
    last_round = len(cards_per_round) - 1
    cards = indexer.unindex(np.arange(indexer.size(last_round), dtype=np.uint64), last_round)
    return CanonicalBoards(cards, num_relabellings(deck, cards, cards_per_round))


def num_relabellings(deck: Deck, cards: NDArray[np.uint8], cards_per_round: Sequence[int]) -> NDArray[np.int64]:
    """How many different deals relabelling the suits of each row makes; its cards are in the order of the rounds."""
    return factorial(deck.num_suits) // _num_automorphisms(deck, cards, cards_per_round)


def _num_automorphisms(deck: Deck, cards: NDArray[np.uint8], cards_per_round: Sequence[int]) -> NDArray[np.int64]:
    """How many permutations of suits leave each row as it is."""
    # Equal keys of two suits mean equal ranks in every round: each rank has a digit, which is the card's round or 0.
    round_of_column = np.repeat(np.arange(1, len(cards_per_round) + 1), cards_per_round)
    keys = np.zeros((len(cards), deck.num_suits), dtype=np.int64)
    for column, round_number in enumerate(round_of_column):
        rank, suit = np.divmod(cards[:, column], np.uint8(deck.num_suits))
        keys[np.arange(len(cards)), suit] += round_number * (len(cards_per_round) + 1) ** rank.astype(np.int64)
    # The k-th of several like suits multiplies by k, so that m of them make m!.
    automorphisms = np.ones(len(cards), dtype=np.int64)
    for later in range(1, deck.num_suits):
        automorphisms *= 1 + np.count_nonzero(keys[:, :later] == keys[:, later : later + 1], axis=1)
    return automorphisms
