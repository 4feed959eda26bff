"""Games: their definitions, the rules of play, the text of the ACPC protocol, betting trees, exact sizes."""

from errai.games.definition import GameDefinition
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Fold, Raise, initial_state

__all__ = [
    "CALL",
    "FOLD",
    "Action",
    "BettingState",
    "Call",
    "Fold",
    "GameDefinition",
    "Raise",
    "initial_state",
]
