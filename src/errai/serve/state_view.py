"""A place of a strategy as the JSON that the page draws: columns of numbers, one entry per hand of the deck.

Numbers are rounded to what a screen can show; exports have all digits. A hand that is not possible has null.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hand_classes import DRAWS, MADE_HANDS, can_classify, classify_hands
from errai.cards.hands import hands, held_cards
from errai.games.spot import position_names
from errai.games.strategies import StrategyKind
from errai.reports.state import StateReport
from errai.serve.places import Place
from errai.solutions.stored_strategy import StoredStrategy

Float64Array = NDArray[np.float64]
Ranges = tuple[Float64Array, Float64Array]
_DIGITS = 5


@dataclass(frozen=True)
class Look:
    """A place of a strategy, and how to look at it."""

    stored: StoredStrategy
    place: Place
    strategy: StrategyKind | None = None
    with_values: bool = False

    def report(self) -> StateReport:
        """What the strategy does at a decision."""
        place = self.place
        return self.stored.query(
            betting=place.betting, board=place.board_text, strategy=self.strategy, with_values=self.with_values
        )


def view_json(look: Look) -> dict[str, Any]:
    """Everything that the page shows about a place."""
    place = look.place
    content = {**_place_json(place), "classes": _classes_json(place)}
    if place.kind == "decision":
        return {**content, **_decision_json(look)}
    reach = reach_at(look)
    return {**content, "reach": [rounded(own) for own in reach], "meets": _meets(place, reach)}


def reach_at(look: Look) -> Ranges:
    """The weights with which both players' hands get to a deal or to the end: those of the decision before it."""
    place = look.place
    definition = place.definition
    before = place.parent()
    if before is None:
        num_hands = len(hands(definition.deck, definition.num_hole_cards))
        ones = np.ones(num_hands)
        first, second = (ones, ones) if place.start is None else place.start.weights
    else:
        at, action = before
        report = Look(look.stored, at, look.strategy).report()
        chosen = np.nan_to_num(report.probabilities[:, at.actions.index(action)])
        first, second = (own * chosen if player == report.player else own for player, own in enumerate(report.reach))
    on_board = held_cards(definition.deck, definition.num_hole_cards)[:, list(place.board)].any(axis=1)
    return np.where(on_board, 0.0, first), np.where(on_board, 0.0, second)


def pair_weight(report: StateReport) -> float:
    """How often this state is reached, up to a factor: the weight of all pairs of hands that can meet here."""
    return float(report.meeting_weights[0].sum())


def rounded(numbers: Float64Array) -> list[float | None]:
    """Numbers for the screen; NaN is null."""
    with np.errstate(divide="ignore"):
        digits = _DIGITS - 1 - np.floor(np.log10(np.abs(np.where(numbers == 0, 1.0, np.nan_to_num(numbers)))))
    scale = 10.0 ** np.clip(np.nan_to_num(digits, posinf=0.0, neginf=0.0), 0, 12)
    return [None if value != value else value for value in (np.round(numbers * scale) / scale).tolist()]


def _place_json(place: Place) -> dict[str, Any]:
    state = place.state
    return {
        "kind": place.kind,
        "betting": place.betting,
        "board": place.board_text,
        "round": state.round,
        "player": state.actor if place.kind == "decision" else None,
        "pot_chips": place.pot_chips,
        "committed_chips": list(state.committed),
        "call_chips": state.call_chips if place.kind == "decision" else None,
        "missing_cards": place.num_missing_cards,
        "folded_player": state.folded_player,
        "line": place.line_json(),
        "actions": [place.action_json(action) for action in place.actions] if place.kind == "decision" else [],
    }


def _classes_json(place: Place) -> dict[str, list[int]] | None:
    """By hand, the place of its names in the lists of `/api/strategy`; -1 where it is not possible."""
    definition = place.definition
    if not can_classify(definition.deck, definition.num_hole_cards, len(place.board)):
        return None
    classes = classify_hands(definition.deck, place.board)
    return {"made": classes.made.tolist(), "draw": classes.draw.tolist()}


def _decision_json(look: Look) -> dict[str, Any]:
    report = look.report()
    content: dict[str, Any] = {
        "reach": [rounded(own) for own in report.reach],
        "meets": _meets(look.place, report.reach),
        "frequencies": rounded(report.frequencies),
        "probabilities": [rounded(column) for column in report.probabilities.T],
    }
    if report.value_chips is not None and report.action_value_chips is not None:
        content |= {
            "values": [rounded(own) for own in report.value_chips],
            "equities": [rounded(own) for own in report.equity],
            "action_values": [rounded(column) for column in report.action_value_chips.T],
            **averages_json(report),
        }
    return content


def averages_json(report: StateReport) -> dict[str, list[float | None]]:
    """The value and the equity of both ranges."""
    return {
        "average_values": rounded(np.array([report.average_value_chips(player) for player in (0, 1)])),
        "average_equities": rounded(np.array([report.average_equity(player) for player in (0, 1)])),
    }


def _meets(place: Place, reach: Ranges) -> list[float]:
    """The number of hands of each player that get here."""
    return [float(round(own.sum(), 3)) for own in reach]


def strategy_json(stored: StoredStrategy) -> dict[str, Any]:
    """What the page must know about a strategy before it draws anything."""
    definition, start = stored.definition, stored.start
    content: dict[str, Any] = {"game": stored.name, "description": stored.describe().to_json(), "deck": None}
    if definition is None:
        return content
    deck = definition.deck
    return {
        **content,
        "deck": {"ranks": deck.rank_names, "suits": deck.suit_names},
        "hole_cards": definition.num_hole_cards,
        "hands": [deck.text(cards[::-1]) for cards in hands(deck, definition.num_hole_cards).tolist()],
        "made_hands": list(MADE_HANDS),
        "draws": list(DRAWS),
        "board_cards": list(definition.num_board_cards),
        "positions": list(position_names(definition)),
        "is_limit": definition.is_limit,
        "unit_chips": definition.unit_chips,
        "root": {
            "betting": "" if start is None else start.betting,
            "board": "" if start is None else start.board,
        },
    }
