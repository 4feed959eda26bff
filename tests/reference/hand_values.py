"""What every hand is worth at a public state: all cards to come and all pairs of hands, one public state at a time.

A strategy is known only by asking it; there are no lanes here, no classes of suits and no layouts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.cards.strength import board_strengths
from errai.games.definition import GameDefinition
from errai.games.state import BettingState

Float64Array = NDArray[np.float64]
Asker = Callable[
    [BettingState, tuple[int, ...]], Float64Array
]  # [hand][action], numbers even where a hand is not possible


@dataclass(frozen=True)
class HandValues:
    """One player's hands against the other's strategy; both play by `ask`, or this one as well as it can."""

    definition: GameDefinition
    ask: Asker
    player: int
    best_response: bool

    def at(self, state: BettingState, board: tuple[int, ...], reach: Float64Array) -> Float64Array:
        """Chips won in the whole hand by every hand, summed over the opponent's hands by their reach."""
        if state.folded_player is not None:
            met: Float64Array = self._can_meet @ reach
            return state.payoff_chips(self.player) * met
        if len(board) < sum(self.definition.num_board_cards[: state.round + 1]):
            return self._mean_over_cards(state, board, reach)
        if state.actor is None:
            strengths = board_strengths(self.definition.deck, np.array(board, dtype=np.uint8)).astype(np.int64)
            outcomes = np.sign(strengths[:, None] - strengths) * self._can_meet
            difference: Float64Array = outcomes @ reach
            return state.payoff_chips(self.player, winner=self.player) * difference
        probabilities = self.ask(state, board).T
        values = self.by_action(state, board, reach)
        result: Float64Array
        if state.actor != self.player:
            result = np.sum(values, axis=0)
        elif self.best_response:
            result = np.max(values, axis=0)
        else:
            result = np.sum(values * probabilities, axis=0)
        return result

    def by_action(self, state: BettingState, board: tuple[int, ...], reach: Float64Array) -> Float64Array:
        """[action][hand]: the same after each of the actions of a decision."""
        values = []
        for action, chances in zip(state.legal_actions(), self.ask(state, board).T, strict=True):
            reach_after = reach if state.actor == self.player else reach * chances
            values.append(self.at(state.apply(action), board, reach_after))
        return np.array(values)

    def _mean_over_cards(self, state: BettingState, board: tuple[int, ...], reach: Float64Array) -> Float64Array:
        """Over the next card; both hands leave all others to be dealt."""
        left = [card for card in range(self.definition.deck.size) if card not in board]
        total = np.zeros_like(reach)
        for card in left:
            is_possible = ~(self._cards == card).any(axis=1)
            total += is_possible * self.at(state, (*board, card), reach * is_possible)
        return total / (len(left) - 4)

    @cached_property
    def _cards(self) -> NDArray[np.uint8]:
        return hands(self.definition.deck, 2)

    @cached_property
    def _can_meet(self) -> NDArray[np.bool_]:
        """[hand][hand]: whether they share no card."""
        shares: NDArray[np.bool_] = (self._cards[:, None, :, None] == self._cards[None, :, None, :]).any(axis=(2, 3))
        return ~shares
