"""What is known of the opponent's cards: a probability for every hand.

At the start it is the opponent's range, in a whole game every hand, without the hands that share a card with one's own.
Then, by Bayes' rule, it is multiplied by the probability that each hand takes the action that was taken, and it is zero
for hands that hold a card on the board. It always sums to one.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hands, num_hands, number_of_hand
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.state import Action, Call, Fold, Raise

Float64Array = NDArray[np.float64]


class OpponentRange:
    """The probability of every hand, in the order of `errai.cards.hands`."""

    def __init__(
        self, definition: GameDefinition, own_cards: Sequence[int], weights: Float64Array | None = None
    ) -> None:
        self._avoids = _avoids(definition.deck, definition.num_hole_cards)
        self.probabilities: Float64Array = np.ones(self._avoids.shape[1]) if weights is None else weights
        self.observe_cards(own_cards)

    @classmethod
    def of_hand(cls, definition: GameDefinition, cards: Sequence[int]) -> "OpponentRange":
        """The range of an opponent whose cards are known."""
        weights = np.zeros(num_hands(definition.deck, definition.num_hole_cards))
        weights[number_of_hand(cards)] = 1.0
        return cls(definition, (), weights)

    def observe_cards(self, cards: Sequence[int]) -> None:
        """The opponent holds none of `cards`."""
        for card in cards:
            self.probabilities = self.probabilities * self._avoids[card]
        self._normalize()

    def observe_action(self, probabilities: ActionProbabilities, action: Action) -> None:
        """The opponent took `action` with these probabilities."""
        match action:
            case Fold():
                likelihood = probabilities.fold
            case Call():
                likelihood = probabilities.call
            case Raise(total):
                likelihood = probabilities.raises[:, np.searchsorted(probabilities.raise_totals, total)]
        # What all hands do alike is no evidence. Nor is what no hand does, which happens only if the strategy reported
        # a wrong estimate of itself.
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
