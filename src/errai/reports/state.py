"""One public state of a strategy: who acts, how, with which hands, and what they are worth.

All hands of the deck are reported, in the order of `errai.cards.hands`, on the board that was asked for. Values are
chips from here on: what a hand takes out of the pot, less what it still puts in. Folding now is worth 0, and the two
players' values, weighted by how often their hands meet, add up to the pot (less the rake). Equity is the share of the
pot that a hand would win if there were no more betting, against the hands with which the opponent gets here.

Averages over a range count each hand as often as it is dealt against the opponent's range: its reach times that of all
hands of the opponent without a card of it.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.equity import edge_matrix, showdown_equity
from errai.cards.hands import hands
from errai.cards.ranges import parse_range
from errai.games.acpc import format_action, format_betting
from errai.games.action_text import describe_action
from errai.games.compatible_reach import compatible_reach
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, position_names
from errai.games.state import Action, BettingState

Float64Array = NDArray[np.float64]
Pair = tuple[Float64Array, Float64Array]  # of player 0 and player 1

# A hand that meets less of the opponent's range than this part meets little but the rounding of sums.
_LEAST_SHARE = 1e-12
_LEAST_EQUITY = 1e-9  # likewise


@dataclass(frozen=True, eq=False)
class StateReport:
    """A decision, seen from outside. Arrays have one entry per hand of the deck; NaN where a hand is not possible."""

    definition: GameDefinition
    state: BettingState
    board: tuple[int, ...]
    probabilities: Float64Array  # [hand][action] of the player to act
    reach: Pair  # weights with which each player's hands get here
    value_chips: Pair | None  # when both play on as the strategy says
    best_response_chips: Pair | None  # of the best play against the other's strategy
    action_value_chips: Float64Array | None  # [hand][action] of the player to act, who then plays on by the strategy
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
        return tuple(format_action(action, is_limit=is_limit) for action in self._offered)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The actions in the words of players: `check`, `bet 94`, `all-in`."""
        return tuple(describe_action(self.state, action) for action in self._offered)

    @property
    def _offered(self) -> tuple[Action, ...]:
        return self.state.legal_actions() if self.start is None else self.start.actions(self.state)

    @cached_property
    def hand_texts(self) -> list[str]:
        """`AsKd`, the higher card first."""
        deck = self.definition.deck
        return [deck.text(cards[::-1]) for cards in hands(deck, self.definition.num_hole_cards).tolist()]

    @cached_property
    def meeting_weights(self) -> Pair:
        """How often each player's hands are dealt against the other's range, up to a factor."""
        first, second = (
            reach * np.maximum(compatible_reach(self.definition, other[:, None])[:, 0], 0.0)
            for reach, other in (self.reach, self.reach[::-1])
        )
        return first, second

    @property
    def frequencies(self) -> Float64Array:
        """How often each action is taken; NaN where no hand gets here."""
        weights = self.meeting_weights[self.player]
        possible = weights > 0
        if not possible.any():
            return np.full(len(self.actions), np.nan)
        return np.average(self.probabilities[possible], axis=0, weights=weights[possible])

    @property
    def action_shares(self) -> dict[str, float]:
        """`frequencies`, by the names of the actions."""
        return {name: float(share) for name, share in zip(self.action_names, self.frequencies, strict=True)}

    @cached_property
    def equity(self) -> Pair:
        """Of each player's hands; NaN where a hand is not possible or meets no hand of the opponent."""
        definition = self.definition
        if definition.num_hole_cards == 2 and len(self.board) == sum(definition.num_board_cards):
            first, second = (showdown_equity(definition.deck, self.board, other) for other in reversed(self.reach))
            return first, second
        edges = edge_matrix(
            definition.deck,
            self.board,
            num_hole_cards=definition.num_hole_cards,
            num_board_cards=sum(definition.num_board_cards),
        )
        possible = ~np.isin(hands(definition.deck, definition.num_hole_cards), self.board).any(axis=1)
        result = []
        for player in (0, 1):
            opponent = self.reach[1 - player]
            beside = compatible_reach(definition, opponent[:, None])[:, 0]
            known = possible & (beside > _LEAST_SHARE * opponent.sum())
            equity = np.full(len(opponent), np.nan)
            equity[known] = (1 + edges[known] @ opponent / beside[known]) / 2
            result.append(equity)
        return result[0], result[1]

    @cached_property
    def num_locked_hands(self) -> int:
        """Of the hands of the player to act that get here, how many do not choose."""
        locks = () if self.start is None else self.start.node_locks
        here = [lock for lock in locks if lock.state == self.state and lock.holds_on(self.board)]
        return (
            int(np.any([lock.is_locked & (self.reach[self.player] > 0) for lock in here], axis=0).sum()) if here else 0
        )

    def average_equity(self, player: int) -> float:
        """The equity of a player's range; NaN where no hand gets here."""
        return self._average(self.equity[player], player)

    def average_value_chips(self, player: int) -> float:
        """The value of a player's range; NaN where no hand gets here."""
        assert self.value_chips is not None
        return self._average(self.value_chips[player], player)

    def average_realisation(self, player: int) -> float:
        """The value of a player's range as a multiple of its equity in the pot; NaN where that is nothing."""
        return self._realisation(self.average_value_chips(player), self.average_equity(player))

    def chosen_hands(self, shown_range: str | None = None, *, player: int | None = None) -> list[int]:
        """The hands of a player (by default, of the one to act) that get here, in a range if one is named.

        The most valuable come first.
        """
        player = self.player if player is None else player
        reach = self.reach[player]
        chosen = reach > 0
        if shown_range is not None:
            chosen &= parse_range(shown_range, self.definition.deck) > 0
        values = reach if self.value_chips is None else np.nan_to_num(self.value_chips[player])
        numbers = np.flatnonzero(chosen)
        return [int(hand) for hand in numbers[np.argsort(-values[numbers], kind="stable")]]

    def to_json(self, *, shown_range: str | None = None) -> dict[str, Any]:
        """The object that `errai show --json` prints: all hands that get here, in a range if one is named."""
        player, has_values = self.player, self.value_chips is not None
        return {
            "game": self.definition.name,
            "betting": self.betting,
            "board": self.definition.deck.text(self.board),
            "player": player,
            "position": position_names(self.definition)[player],
            "pot_chips": self.pot_chips,
            "call_chips": self.state.call_chips,
            "actions": list(self.actions),
            "frequencies": {name: _number(share) for name, share in self.action_shares.items()},
            "reach": [float(reach.sum()) for reach in self.reach],
            "equity": [_number(self.average_equity(who)) if has_values else None for who in (0, 1)],
            "value": [_number(self.average_value_chips(who)) if has_values else None for who in (0, 1)],
            "equity_realisation": [_number(self.average_realisation(who)) if has_values else None for who in (0, 1)],
            "locked_hands": self.num_locked_hands,
            "hands": [
                {
                    **self._hand_json(hand, player),
                    "frequencies": self._by_action(self.probabilities, hand),
                    "values": self._by_action(self.action_value_chips, hand),
                }
                for hand in self.chosen_hands(shown_range)
            ],
            "opponent_hands": [
                self._hand_json(hand, 1 - player) for hand in self.chosen_hands(shown_range, player=1 - player)
            ],
        }

    def _hand_json(self, hand: int, player: int) -> dict[str, Any]:
        described: dict[str, Any] = {"hand": self.hand_texts[hand], "reach": float(self.reach[player][hand])}
        if self.value_chips is None or self.best_response_chips is None:
            return described | dict.fromkeys(("equity", "value", "equity_realisation", "best_response"))
        equity, value = (float(of_player[player][hand]) for of_player in (self.equity, self.value_chips))
        return described | {
            "equity": _number(equity),
            "value": _number(value),
            "equity_realisation": _number(self._realisation(value, equity)),
            "best_response": _number(float(self.best_response_chips[player][hand])),
        }

    def _by_action(self, table: Float64Array | None, hand: int) -> dict[str, float | None] | None:
        if table is None:
            return None
        return {name: _number(number) for name, number in zip(self.action_names, table[hand], strict=True)}

    def _average(self, numbers: Float64Array, player: int) -> float:
        weights = self.meeting_weights[player]
        known = (weights > 0) & ~np.isnan(numbers)
        return float(np.average(numbers[known], weights=weights[known])) if known.any() else float("nan")

    def _realisation(self, value: float, equity: float) -> float:
        return value / (equity * self.pot_chips) if equity > _LEAST_EQUITY else float("nan")


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)
