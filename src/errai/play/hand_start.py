"""Where hands begin, and which cards they are dealt: at the start of a game, or at a spot.

At the start of a game every card is equally likely. At a spot the board lies open and each player holds a hand of his
range: a pair of hands is as likely as the product of their weights, if they share no card, and the rest of the board is
dealt from the cards that are left.

    1. The first hand h is drawn with weight w0(h) times the sum of w1 over the hands that share no card with h.
    2. The second is drawn by w1 among those hands.
    3. The rest of the deck is shuffled.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.cards.equity import edge_against_each
from errai.cards.hands import hands, held_cards
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition
from errai.games.played_hand import Deal
from errai.games.spot import Spot
from errai.games.state import BettingState, initial_state

# The purpose of a stream of random numbers.
DEALS = 0
ACTIONS = 1

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class HandStart:
    """The start of a game, or the spot where every hand begins."""

    definition: GameDefinition
    spot: Spot | None = None

    @cached_property
    def state(self) -> BettingState:
        return initial_state(self.definition) if self.spot is None else self.spot.root

    @property
    def name(self) -> str:
        return self.definition.name if self.spot is None else self.spot.name

    @property
    def text(self) -> str:
        """Everything that it is, as text: the definition of the game and the spot."""
        spot = "" if self.spot is None else f"{self.spot!r}\n"
        return format_definition(self.definition) + spot

    def deal(self, *, seed: int, number: int) -> Deal:
        """Deal number `number` of a seed: the same cards in whatever order deals are asked for."""
        generator = random_stream(seed, DEALS, number)
        return self._shuffled(generator) if self.spot is None else self._dealt_at(self.spot, generator)

    def opponent_weights(self, player: int) -> Float64Array | None:
        """The weight of every hand that the opponent of `player` can hold; None where all are equally likely."""
        return None if self.spot is None else self.spot.weights[1 - player]

    def mean_edge(self, player: int) -> float:
        """What a called-down pot of one chip from each is worth to `player` on average; by symmetry 0 in a game."""
        return self._mean_edge if player == 0 else -self._mean_edge

    def _shuffled(self, generator: np.random.Generator) -> Deal:
        hole, board = self.definition.num_hole_cards, sum(self.definition.num_board_cards)
        cards = tuple(generator.permutation(self.definition.deck.size)[: 2 * hole + board].tolist())
        return Deal((cards[:hole], cards[hole : 2 * hole]), cards[2 * hole :])

    def _dealt_at(self, spot: Spot, generator: np.random.Generator) -> Deal:
        deck, num_hole_cards = self.definition.deck, self.definition.num_hole_cards
        first = _draw(self._first_weights, generator)
        second = _draw(spot.weights[1] * self._is_compatible[first], generator)
        cards = hands(deck, num_hole_cards)
        hole_cards = tuple(cards[first].tolist()), tuple(cards[second].tolist())
        known = {*hole_cards[0], *hole_cards[1], *spot.board_cards}
        rest = generator.permutation([card for card in range(deck.size) if card not in known]).tolist()
        num_missing = sum(self.definition.num_board_cards) - len(spot.board_cards)
        return Deal(hole_cards, (*spot.board_cards, *rest[:num_missing]))

    @cached_property
    def _is_compatible(self) -> NDArray[np.bool_]:
        """[hand][hand], whether two hands share no card."""
        held = held_cards(self.definition.deck, self.definition.num_hole_cards)
        compatible: NDArray[np.bool_] = held @ held.T == 0.0
        return compatible

    @cached_property
    def _first_weights(self) -> Float64Array:
        """The weight with which player 0 holds each hand, hands of player 1 that share a card left out."""
        assert self.spot is not None
        weights: Float64Array = self.spot.weights[0] * (self._is_compatible @ self.spot.weights[1])
        return weights

    @cached_property
    def _mean_edge(self) -> float:
        if self.spot is None:
            return 0.0
        total = 0.0
        cards = hands(self.definition.deck, self.definition.num_hole_cards)
        first, second = self.spot.weights
        for hand in np.flatnonzero(first):
            edge = edge_against_each(
                self.definition.deck,
                tuple(cards[hand].tolist()),
                self.spot.board_cards,
                num_board_cards=sum(self.definition.num_board_cards),
            )
            total += float(first[hand] * ((second * self._is_compatible[hand]) @ edge))
        return total / float(self._first_weights.sum())


def random_stream(seed: int, *place: int) -> np.random.Generator:
    """A stream for each place, so that what is drawn in one place never depends on another."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=place)))


def _draw(weights: Float64Array, generator: np.random.Generator) -> int:
    """A place, as likely as its weight says."""
    ends = np.cumsum(weights)
    # Rounding can put a point at the very end; the last place with a weight is what it means.
    place = int(np.searchsorted(ends, generator.random() * ends[-1], side="right"))
    return min(place, int(np.flatnonzero(weights)[-1]))
