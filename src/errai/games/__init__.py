"""Games: their definitions, the rules of play, the text of the ACPC protocol, betting trees, exact sizes."""

from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import bundled_games, load_game
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
    "bundled_games",
    "format_definition",
    "initial_state",
    "load_game",
    "parse_definition",
]
