"""What is known of the opponent's cards: a probability for every hand.

Even at the start over the hands that share no card with one's own; then, by Bayes' rule, multiplied with the
probability that each hand takes the action that was taken; zero for hands that hold a card that lies open; always
summing to one.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.cards import Deck, hands
from errai.games import Action, Call, Fold, GameDefinition, Raise

Float64Array = NDArray[np.float64]


class HandProbabilities(Protocol):
    """What every hand does at a public state; a single row stands for all hands."""

    fold: Float64Array  # (num_hands,) or (1,)
    call: Float64Array
    raise_totals: NDArray[np.int64]
    raises: Float64Array  # (num_hands, num_raises) or (1, num_raises)

    def sample(self, hand: int, generator: np.random.Generator) -> Action:
        """An action of one hand."""


class OpponentRange:
    """The probability of every hand, in the order of `errai.cards.hands`."""

    def __init__(self, definition: GameDefinition, own_cards: Sequence[int]) -> None:
        self._avoids = _avoids(definition.deck, definition.num_hole_cards)
        self.probabilities: Float64Array = np.ones(self._avoids.shape[1])
        self.observe_cards(own_cards)

    def observe_cards(self, cards: Sequence[int]) -> None:
        """The opponent holds none of `cards`."""
        for card in cards:
            self.probabilities = self.probabilities * self._avoids[card]
        self._normalize()

    def observe_action(self, probabilities: HandProbabilities, action: Action) -> None:
        """The opponent took `action` with these probabilities."""
        match action:
            case Fold():
                likelihood = probabilities.fold
            case Call():
                likelihood = probabilities.call
            case Raise(total):
                likelihood = probabilities.raises[:, np.searchsorted(probabilities.raise_totals, total)]
        # What all hands do alike tells nothing. Nor does what no hand does, which happens only if the strategy told an
        # estimate of itself that was wrong.
        if len(likelihood) > 1 and self.probabilities @ likelihood > 0.0:
            self.probabilities = self.probabilities * likelihood
            self._normalize()

    def _normalize(self) -> None:
        self.probabilities /= self.probabilities.sum()


@lru_cache(maxsize=8)
def _avoids(deck: Deck, num_hole_cards: int) -> Float64Array:
    """1 where hand h does not hold card c, else 0; [card][hand]."""
    every_hand = hands(deck, num_hole_cards)
    cards = np.arange(deck.size)[:, np.newaxis, np.newaxis]
    avoids: Float64Array = (every_hand != cards).all(axis=2).astype(np.float64)
    return avoids
