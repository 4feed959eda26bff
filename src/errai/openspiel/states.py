"""A `pyspiel.State` as a public state with a hand, and the other way around.

OpenSpiel deals the hole cards of player 0, then those of player 1, then board cards where a round begins, one card per
action of chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from errai.games.definition import GameDefinition
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Fold, Raise, initial_state
from errai.openspiel.library import pyspiel

FOLD_NUMBER, CALL_NUMBER, LIMIT_RAISE_NUMBER = 0, 1, 2


@dataclass(frozen=True)
class DealtState:
    """What both players hold, the board, and the betting."""

    betting: BettingState
    board: tuple[int, ...]
    hole_cards: tuple[tuple[int, ...], tuple[int, ...]]


def read_state(definition: GameDefinition, state: Any) -> DealtState:
    """The hand that a `pyspiel.State` of the game with these rules is at."""
    betting = initial_state(definition)
    cards: list[int] = []
    for step in state.full_history():
        if step.player == pyspiel.PlayerId.CHANCE:
            cards.append(step.action)
        else:
            betting = betting.apply(read_action(betting, step.action))
    held = definition.num_hole_cards
    return DealtState(betting, tuple(cards[2 * held :]), (tuple(cards[:held]), tuple(cards[held : 2 * held])))


def build_state(
    game: Any, betting: BettingState, board: Sequence[int], hole_cards: tuple[Sequence[int], Sequence[int]]
) -> Any:
    """The `pyspiel.State` of `game` after this betting, with these cards."""
    definition = betting.definition
    state = game.new_initial_state()
    for card in (*hole_cards[0], *hole_cards[1]):
        state.apply_action(card)
    num_dealt = 0
    for round_, actions in enumerate(betting.history):
        num_due = sum(definition.num_board_cards[: round_ + 1])
        for card in board[num_dealt:num_due]:
            state.apply_action(card)
        num_dealt = num_due
        for action in actions:
            state.apply_action(action_number(definition, action))
    return state


def action_number(definition: GameDefinition, action: Action) -> int:
    """OpenSpiel's number of an action."""
    match action:
        case Fold():
            return FOLD_NUMBER
        case Call():
            return CALL_NUMBER
        case Raise(total):
            return LIMIT_RAISE_NUMBER if definition.is_limit else total


def read_action(betting: BettingState, number: int) -> Action:
    """The action with OpenSpiel's number."""
    if number == FOLD_NUMBER:
        return FOLD
    if number == CALL_NUMBER:
        return CALL
    bounds = betting.raise_bounds()
    return Raise(bounds[0] if betting.definition.is_limit and bounds else number)
