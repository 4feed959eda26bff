"""A game as a saved solution holds it.

A poker game is the text of its definition, a spot the same with the texts that make it one, and a game made in Python
is its tree.
"""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.spot import Spot
from errai.solutions.engines import Game
from errai.trees.extensive_form import ExtensiveForm

_TREE_ARRAYS = (
    "kind",
    "first_child",
    "num_children",
    "infoset",
    "probability",
    "payoff_chips",
    "is_public",
    "infoset_player",
    "first_action",
)
_TREE_VALUES = ("name", "unit_chips", "infoset_labels", "action_labels")
_PREFIX = "game_"
_SPOT_TEXTS = ("betting", "board", "range_bb", "range_dealer")


def encode_game(game: Game) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The description of `game` and the arrays that belong to it."""
    if isinstance(game, GameDefinition):
        return {"name": game.name, "definition": format_definition(game)}, {}
    if isinstance(game, Spot):
        description, _ = encode_game(game.definition)
        return {**description, "spot": {name: getattr(game, name) for name in _SPOT_TEXTS}}, {}
    description = {name: getattr(game, name) for name in _TREE_VALUES}
    return description, {_PREFIX + name: getattr(game, name) for name in _TREE_ARRAYS}


def decode_game(description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], *, source: str) -> Game:
    """The game that `encode_game` described; `source` names the file in messages."""
    if "definition" in description:
        definition = parse_definition(description["definition"], name=description["name"], source=source)
        return Spot(definition, **description["spot"]) if "spot" in description else definition
    fields: dict[str, Any] = {name: description[name] for name in _TREE_VALUES}
    fields |= {name: arrays[_PREFIX + name] for name in _TREE_ARRAYS}
    return ExtensiveForm(**fields)
