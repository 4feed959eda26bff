"""A public state by its texts, and the answer of a strategy there in the form that players and judges take."""

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.offered_line import verify_offered
from errai.games.spot import Spot
from errai.games.state import BettingState


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
    if start is not None:
        verify_offered(start, state)
    return state, definition.deck.parse(board)


def verify_board(state: BettingState, board: tuple[int, ...]) -> None:
    """Raise an `InputError` unless the board has the cards of the round that the betting is in."""
    definition = state.definition
    expected = sum(definition.num_board_cards[: state.round + 1])
    if len(board) != expected:
        raise InputError(
            f"the betting is in round {state.round + 1}, which has {expected} cards on the board; "
            f"got {len(board)}: `{definition.deck.text(board)}`",
            hint="name all cards on the board, in the order in which they were dealt: `--board Ks8s3d7h`",
        )


def to_action_probabilities(
    state: BettingState, probabilities: NDArray[np.float64], *, start: Spot | None = None
) -> ActionProbabilities:
    """[hand][action] as an answer, in the order of the actions at a state."""
    return ActionProbabilities.of_actions(
        state.legal_actions() if start is None else start.actions(state), probabilities
    )
