"""A public state by its texts, and the answer of a strategy there in the form that players and judges take."""

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.acpc import format_betting, parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import CALL, FOLD, BettingState, Raise


def parse_public_state(
    definition: GameDefinition, start: Spot | None, *, betting: str | None, board: str | None
) -> tuple[BettingState, tuple[int, ...]]:
    """The state after `betting` and the cards of `board`; without them, where the game or the spot begins."""
    if betting is None:
        betting = "" if start is None else start.betting
    if board is None:
        board = "" if start is None else start.board
    state = parse_betting(definition, betting) if start is None else start.parse_betting(betting)
    if state.is_terminal:
        raise InputError(f"nobody acts after `{betting}`: the hand is over", hint="leave the last action out")
    return state, definition.deck.parse(board)


def verify_board(state: BettingState, board: tuple[int, ...]) -> None:
    """Raise an `InputError` unless the board has the cards of the round that the betting is in."""
    definition = state.definition
    expected = sum(definition.num_board_cards[: state.round + 1])
    if len(board) != expected:
        raise InputError(
            f"`{format_betting(state)}` is in round {state.round + 1}, which has {expected} cards on the board; "
            f"got {len(board)}: `{definition.deck.text(board)}`",
            hint="name all cards on the board, in the order in which they were dealt: `--board Ks8s3d7h`",
        )


def to_action_probabilities(
    state: BettingState, probabilities: NDArray[np.float64], *, start: Spot | None = None
) -> ActionProbabilities:
    """[hand][action] as an answer; a hand that the strategy does not know (NaN) calls, or folds where it cannot."""
    actions = state.legal_actions() if start is None else start.actions(state)
    call = actions.index(CALL) if CALL in actions else None
    unknown = np.eye(probabilities.shape[1])[call or 0]
    known = np.where(np.isnan(probabilities), unknown, probabilities)
    raise_totals = [action.total for action in actions if isinstance(action, Raise)]
    return ActionProbabilities(
        fold=known[:, 0] if FOLD in actions else 0.0,
        call=0.0 if call is None else known[:, call],
        raise_totals=raise_totals,
        raises=known[:, len(actions) - len(raise_totals) :] if raise_totals else (),
    )
