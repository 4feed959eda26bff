"""The kinds of games that can be solved, each with how it is saved. The only place that asks what kind a game is.

    kind     made of                                             in a saved solution
    poker    a `GameDefinition`                                  the text of the definition
    spot     a `Spot`                                            the same, with the fields that make it a spot
    tree     an `ExtensiveForm`, as a game made in Python is     its arrays

Engines and stored strategies see a game as a `PosedGame`, whatever it was made of.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.spot import Spot
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import MAX_NODES, build_extensive_form, build_spot_form

Game = GameDefinition | Spot | ExtensiveForm
Arrays = Mapping[str, NDArray[Any]]

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
_SPOT_FIELDS = tuple(field.name for field in fields(Spot) if field.name != "definition")


@dataclass(frozen=True)
class PosedGame:
    """What an engine needs to know of a game."""

    name: str
    definition: GameDefinition | None  # None: the game was made in Python
    start: Spot | None  # where it begins; None: at the beginning
    form: ExtensiveForm | None  # of a game that was made in Python


@dataclass(frozen=True)
class GameKind:
    """How a kind of game is posed to engines, saved and read back."""

    game_type: type[Any]
    pose: Callable[[Any], PosedGame]
    encode: Callable[[Any], tuple[dict[str, Any], dict[str, NDArray[Any]]]]
    recognises: Callable[[Mapping[str, Any]], bool]  # its description
    decode: Callable[[Mapping[str, Any], Arrays, str], Game]


def _encode_poker(definition: GameDefinition) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    return {"name": definition.name, "definition": format_definition(definition)}, {}


def _decode_poker(description: Mapping[str, Any], _arrays: Arrays, source: str) -> GameDefinition:
    return parse_definition(description["definition"], name=description["name"], source=source)


def _encode_spot(spot: Spot) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    description, _ = _encode_poker(spot.definition)
    return {**description, "spot": {name: getattr(spot, name) for name in _SPOT_FIELDS}}, {}


def _decode_spot(description: Mapping[str, Any], arrays: Arrays, source: str) -> Spot:
    return Spot(_decode_poker(description, arrays, source), **description["spot"])


def _encode_tree(form: ExtensiveForm) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    description = {name: getattr(form, name) for name in _TREE_VALUES}
    return description, {_PREFIX + name: getattr(form, name) for name in _TREE_ARRAYS}


def _decode_tree(description: Mapping[str, Any], arrays: Arrays, _source: str) -> ExtensiveForm:
    fields: dict[str, Any] = {name: description[name] for name in _TREE_VALUES}
    fields |= {name: arrays[_PREFIX + name] for name in _TREE_ARRAYS}
    return ExtensiveForm(**fields)


KINDS: tuple[GameKind, ...] = (
    GameKind(
        Spot,
        lambda spot: PosedGame(spot.name, spot.definition, spot, None),
        _encode_spot,
        lambda description: "spot" in description,
        _decode_spot,
    ),
    GameKind(
        GameDefinition,
        lambda definition: PosedGame(definition.name, definition, None, None),
        _encode_poker,
        lambda description: "definition" in description and "spot" not in description,
        _decode_poker,
    ),
    GameKind(
        ExtensiveForm,
        lambda form: PosedGame(form.name, None, None, form),
        _encode_tree,
        lambda description: "infoset_labels" in description,
        _decode_tree,
    ),
)


def pose(game: Game) -> PosedGame:
    """The game as engines see it."""
    return _kind_of(game).pose(game)


def build_form(game: PosedGame, *, max_nodes: int = MAX_NODES) -> ExtensiveForm:
    """The tree of a game; a `SizeError` where a poker game has more nodes."""
    if game.form is not None:
        return game.form
    if game.start is not None:
        return build_spot_form(game.start, max_nodes=max_nodes)
    assert game.definition is not None
    return build_extensive_form(game.definition, max_nodes=max_nodes)


def encode_game(game: Game) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The description of a game and the arrays that belong to it."""
    return _kind_of(game).encode(game)


def decode_game(description: Mapping[str, Any], arrays: Arrays, *, source: str) -> Game:
    """The game that `encode_game` described; `source` names the file in messages."""
    for kind in KINDS:
        if kind.recognises(description):
            return kind.decode(description, arrays, source)
    raise InputError(f"no kind of game is described by {', '.join(description) or 'nothing'}")


def _kind_of(game: object) -> GameKind:
    for kind in KINDS:
        if isinstance(game, kind.game_type):
            return kind
    raise InputError(
        f"a game is a name, a `GameDefinition`, a `Spot` or an `ExtensiveForm`; got a `{type(game).__name__}`",
        hint="`errai.build_custom_form(game)` makes a tree of a game in Python",
    )
