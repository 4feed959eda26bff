"""What of the opponent's range a hand can meet: everything that holds none of its cards."""

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import held_cards
from errai.games.definition import GameDefinition

Float64Array = NDArray[np.float64]


def compatible_reach(definition: GameDefinition, reach: Float64Array) -> Float64Array:
    """For each hand of the deck, the reach of all hands without a card of it."""
    held = held_cards(definition.deck, definition.num_hole_cards)
    compatible: Float64Array = reach.sum(axis=0) - held @ (held.T @ reach)
    return compatible + reach if definition.num_hole_cards == 2 else compatible
