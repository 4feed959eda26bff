"""One public state of a strategy: who acts, how, with which hands, and what they are worth.

All hands of the deck are reported, in the order of `errai.cards.hands`, on the board that was asked for. Values are
chips from here on: what a hand takes out of the pot, less what it still puts in. Folding now is worth 0, and the two
players' values, weighted by how often their hands meet, add up to the pot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.cards.ranges import parse_range
from errai.games.acpc import format_action, format_betting
from errai.games.action_text import describe_action
from errai.games.compatible_reach import compatible_reach
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, position_names
from errai.games.state import BettingState

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StateReport:
    """A decision, seen from outside. Arrays have one entry per hand of the deck; NaN where a hand is not possible."""

    definition: GameDefinition
    state: BettingState
    board: tuple[int, ...]
    probabilities: Float64Array  # [hand][action] of the player to act
    reach: tuple[Float64Array, Float64Array]  # weights with which each player's hands get here
    value_chips: tuple[Float64Array, Float64Array] | None  # when both play on as the strategy says
    best_response_chips: tuple[Float64Array, Float64Array] | None  # of the best play against the other's strategy
    start: Spot | None = None  # where the game began; None: at the beginning

    def __repr__(self) -> str:
        board = self.definition.deck.text(self.board) or "no board"
        mix = ", ".join(f"{a} {100 * f:.1f} %" for a, f in zip(self.actions, self.frequencies, strict=True))
        return f"<StateReport {self.definition.name}: {board} after `{self.betting}`, player {self.player}: {mix}>"

    @property
    def player(self) -> int:
        assert self.state.actor is not None
        return self.state.actor

    @property
    def betting(self) -> str:
        return format_betting(self.state) if self.start is None else self.start.format_betting(self.state)

    @property
    def pot_chips(self) -> int:
        return sum(self.state.committed) + (0 if self.start is None else self.start.dead_pot_chips)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions as the ACPC writes them: `f`, `c`, `r`; in no-limit games a raise with its total, `r300`."""
        is_limit = self.definition.is_limit
        actions = self.state.legal_actions() if self.start is None else self.start.actions(self.state)
        return tuple(format_action(action, is_limit=is_limit) for action in actions)

    @property
    def hand_texts(self) -> list[str]:
        """`AsKd`, the higher card first."""
        deck = self.definition.deck
        return [deck.text(cards[::-1]) for cards in hands(deck, self.definition.num_hole_cards).tolist()]

    @property
    def frequencies(self) -> Float64Array:
        """How often each action is taken, over all hands by their reach."""
        weights = self.reach[self.player]
        possible = weights > 0
        if not possible.any():
            return np.full(len(self.actions), np.nan)
        return np.average(self.probabilities[possible], axis=0, weights=weights[possible])

    @property
    def action_shares(self) -> dict[str, float]:
        """How often each action is taken, in players' words, by how often each hand meets the opponent's range."""
        beside = compatible_reach(self.definition, self.reach[1 - self.player][:, None])[:, 0]
        weights = self.reach[self.player] * np.maximum(beside, 0.0)
        possible = weights > 0
        if not possible.any():
            return {}
        shares = np.average(self.probabilities[possible], axis=0, weights=weights[possible])
        actions = self.state.legal_actions() if self.start is None else self.start.actions(self.state)
        return {
            describe_action(self.state, action): float(share) for action, share in zip(actions, shares, strict=True)
        }

    def average_value_chips(self, player: int) -> float:
        """The value of `player`'s hands, weighted by how often they meet the opponent's; NaN if none do."""
        assert self.value_chips is not None
        beside = compatible_reach(self.definition, self.reach[1 - player][:, None])[:, 0]
        weights = self.reach[player] * np.maximum(beside, 0.0)
        known = (weights > 0) & ~np.isnan(self.value_chips[player])
        if not known.any():
            return float("nan")
        return float(np.average(self.value_chips[player][known], weights=weights[known]))

    def chosen_hands(self, shown_range: str | None = None) -> list[int]:
        """The hands of the player to act that get here, in a range if one is named; the most valuable first."""
        reach = self.reach[self.player]
        chosen = reach > 0
        if shown_range is not None:
            chosen &= parse_range(shown_range, self.definition.deck) > 0
        values = reach if self.value_chips is None else np.nan_to_num(self.value_chips[self.player])
        numbers = np.flatnonzero(chosen)
        return [int(hand) for hand in numbers[np.argsort(-values[numbers], kind="stable")]]

    def hand_value_chips(self, hand: int) -> float | None:
        """The value of a hand of the player to act; None where it is not known."""
        return _hand_value(self.value_chips, self.player, hand)

    def hand_best_response_chips(self, hand: int) -> float | None:
        """The value of a hand's best play; None where it is not known."""
        return _hand_value(self.best_response_chips, self.player, hand)

    def to_json(self, *, hand_numbers: Sequence[int] | None = None) -> dict[str, Any]:
        """The object that `errai show --json` prints; without `hand_numbers`, with all hands that get here."""
        player = self.player
        texts = self.hand_texts
        return {
            "game": self.definition.name,
            "betting": self.betting,
            "board": self.definition.deck.text(self.board),
            "player": player,
            "position": position_names(self.definition)[player],
            "pot_chips": self.pot_chips,
            "call_chips": self.state.call_chips,
            "actions": list(self.actions),
            "frequencies": [_number(value) for value in self.frequencies],
            "reach": [float(reach.sum()) for reach in self.reach],
            "hands": [
                {
                    "hand": texts[hand],
                    "reach": float(self.reach[player][hand]),
                    "probabilities": [_number(value) for value in self.probabilities[hand]],
                    "value_chips": self.hand_value_chips(hand),
                    "best_response_chips": self.hand_best_response_chips(hand),
                }
                for hand in (self.chosen_hands() if hand_numbers is None else hand_numbers)
            ],
        }


def _hand_value(values: tuple[Float64Array, Float64Array] | None, player: int, hand: int) -> float | None:
    return None if values is None else _number(values[player][hand])


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)
