"""Games: their definitions, the rules of play, the text of the ACPC protocol, betting trees, exact sizes."""

from errai.games.acpc import (
    MatchState,
    format_action,
    format_betting,
    format_match_state,
    format_reply,
    parse_action,
    parse_betting,
    parse_match_state,
    parse_reply,
)
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import bundled_games, load_game
from errai.games.showdown import payoffs_chips
from errai.games.sizes import GameSizes, Sizes, count_sizes
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Fold, Raise, initial_state

__all__ = [
    "CALL",
    "FOLD",
    "Action",
    "BettingState",
    "Call",
    "Fold",
    "GameDefinition",
    "GameSizes",
    "MatchState",
    "Raise",
    "Sizes",
    "bundled_games",
    "count_sizes",
    "format_action",
    "format_betting",
    "format_definition",
    "format_match_state",
    "format_reply",
    "initial_state",
    "load_game",
    "parse_action",
    "parse_betting",
    "parse_definition",
    "parse_match_state",
    "parse_reply",
    "payoffs_chips",
]
