"""A place of a strategy as the JSON that the page draws: columns of numbers, one entry per hand of the deck.

Numbers are rounded to what a screen can show; exports have all digits. A hand that is not possible has null.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hand_classes import DRAWS, MADE_HANDS, can_classify, classify_hands
from errai.cards.hands import hands
from errai.games.acpc import format_action
from errai.games.action_text import describe_action
from errai.games.place import Place
from errai.games.spot import Spot, position_names
from errai.games.state import Action
from errai.solutions.look import Look, Ranges
from errai.solutions.stored_strategy import StoredStrategy

_DIGITS = 5


def view_json(look: Look) -> dict[str, Any]:
    """Everything that the page shows about a place."""
    place = look.place
    content = {**_place_json(place), "classes": _classes_json(place)}
    if place.kind == "decision":
        return {**content, **_decision_json(look)}
    reach = look.reach()
    return {**content, "reach": [rounded(own) for own in reach], "meets": _meets(place, reach)}


def rounded(numbers: NDArray[np.float64]) -> list[float | None]:
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
        "line": _line_json(place),
        "actions": actions_json(place) if place.kind == "decision" else [],
    }


def actions_json(place: Place) -> list[dict[str, Any]]:
    """What can be done at a decision, and the places that it leads to."""

    def action_json(action: Action) -> dict[str, Any]:
        after = replace(place, state=place.state.apply(action))
        return {
            "action": format_action(action, is_limit=place.definition.is_limit),
            "text": describe_action(place.state, action),
            "betting": after.betting,
            "kind": after.kind,
        }

    return [action_json(action) for action in place.actions]


def _line_json(place: Place) -> list[dict[str, Any]]:
    """The strip of the line: one object per step."""
    definition = place.definition
    line: list[dict[str, Any]] = []
    for at, action in place.steps():
        here = {"betting": at.betting, "board": at.board_text, "pot_chips": at.pot_chips}
        if action is None:
            dealt = place.board[len(at.board) : len(at.board) + at.num_missing_cards]
            line.append({"kind": "deal", **here, "cards": definition.deck.text(dealt)})
            continue
        chosen = format_action(action, is_limit=definition.is_limit)
        line.append(
            {"kind": "decision", **here, "player": at.state.actor, "actions": actions_json(at), "chosen": chosen}
        )
    return line


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
    if not look.with_values:
        return content
    players = (0, 1)
    content["equities"] = [rounded(own) for own in report.equity]
    content["average_equities"] = rounded(np.array([report.average_equity(player) for player in players]))
    # A bot has never seen single hands and knows no values.
    if report.value_chips is not None and report.action_value_chips is not None:
        content["values"] = [rounded(own) for own in report.value_chips]
        content["action_values"] = [rounded(column) for column in report.action_value_chips.T]
        content["average_values"] = rounded(np.array([report.average_value_chips(player) for player in players]))
    return content


def _meets(place: Place, reach: Ranges) -> list[float]:
    """The number of hands of each player that get here."""
    return [float(round(own.sum(), 3)) for own in reach]


def strategy_json(stored: StoredStrategy) -> dict[str, Any]:
    """What the page must know about a strategy before it draws anything."""
    definition, start = stored.definition, stored.start
    content: dict[str, Any] = {
        "game": stored.name,
        "description": stored.describe().to_json(),
        "strategies": list(stored.strategies),
        "deck": None,
    }
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
        "spot": None if start is None or not start.board else _spot_json(start),
    }


def _spot_json(spot: Spot) -> dict[str, Any]:
    """The spot as `/api/solve` takes it."""
    texts = ("betting", "board", "range_bb", "range_dealer", "bets", "rake", "locks")
    return {
        "game": spot.definition.name,
        **{name: getattr(spot, name) for name in texts},
        "pot": spot.pot,
        "stack": spot.stack,
    }
