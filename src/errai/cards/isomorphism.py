"""Hands up to a relabelling of suits: each class has one number, without gaps.

A hand is dealt over rounds, and the cards of one round have no order: `HandIndexer(deck, [2, 3, 1, 1])` numbers what a
player of hold'em can have seen at the end of each round. The algorithm is in `native/cards/isomorphism.hpp`.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.deck import Deck
from errai.errors import InputError

MAX_CARDS = 9


class HandIndexer:
    """Numbers of hands that are dealt over rounds of `cards_per_round` cards."""

    def __init__(self, deck: Deck, cards_per_round: Sequence[int]) -> None:
        self.deck = deck
        self.cards_per_round = tuple(cards_per_round)
        self._num_cards = tuple(accumulate(self.cards_per_round))
        limit = min(MAX_CARDS, deck.size)
        if not self._num_cards or min(self.cards_per_round) < 1 or self._num_cards[-1] > limit:
            raise InputError(
                f"`cards_per_round` must be positive numbers with a sum of 1 to {limit}; got `{list(cards_per_round)}`"
            )
        self._kernel = kernels.HandIndexer(deck.num_ranks, deck.num_suits, list(self.cards_per_round))

    def size(self, round: int) -> int:
        """How many different hands there are at the end of `round`."""
        self._verify_round(round)
        return int(self._kernel.size(round))

    def index(self, cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """The number of each row of `cards`: all cards up to the end of a round, in the order of the rounds."""
        if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] not in self._num_cards:
            raise InputError(
                f"`cards` must be a `uint8` array with {' or '.join(map(str, self._num_cards))} columns; "
                f"got `{cards.dtype}` {cards.shape}"
            )
        if cards.size and (highest := int(cards.max())) >= self.deck.size:
            raise InputError(f"cards of this deck are numbered 0 to {self.deck.size - 1}; got `{highest}`")
        indices = np.empty(len(cards), dtype=np.uint64)
        self._kernel.index(np.ascontiguousarray(cards), self._num_cards.index(cards.shape[1]), indices)
        return indices

    def unindex(self, indices: NDArray[np.integer], round: int) -> NDArray[np.uint8]:
        """One hand for each number, standing for all its relabellings; the cards of a round ascend."""
        self._verify_round(round)
        numbers = np.ascontiguousarray(indices, dtype=np.uint64)
        if numbers.size and (largest := int(numbers.max())) >= self.size(round):
            raise InputError(f"hands of round {round} are numbered 0 to {self.size(round) - 1}; got `{largest}`")
        cards = np.empty((len(numbers), self._num_cards[round]), dtype=np.uint8)
        self._kernel.unindex(numbers, round, cards)
        return cards

    def _verify_round(self, round: int) -> None:
        if not 0 <= round < len(self._num_cards):
            raise InputError(f"rounds are numbered 0 to {len(self._num_cards) - 1}; got `{round}`")
