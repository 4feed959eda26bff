"""The OpenSpiel game with the rules of a definition, and the definition of an OpenSpiel game.

OpenSpiel's `universal_poker` takes the keys of the ACPC's definitions as parameters; its `leduc_poker` is Leduc. Both
number players as we do, and cards too: rank times the number of suits, plus suit. (A small deck has the lowest ranks
there and the highest here, which only changes the names.) Limit actions are 0 fold, 1 call, 2 raise. In no-limit games
with all bet sizes (`bettingAbstraction=fullgame`) a raise is the number of chips that it goes to, over the whole hand.
"""

from dataclasses import replace
from typing import Any

from errai.errors import DefinitionError, InputError
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import load_game
from errai.openspiel.library import pyspiel

_LEDUC = "leduc_poker"
_UNIVERSAL = "universal_poker"
_ALL_SIZES = "fullgame"
_SINGLE_KEYS = ("numPlayers", "numRounds", "numSuits", "numRanks", "numHoleCards")
_KEYS = (*_SINGLE_KEYS, "blind", "firstPlayer", "numBoardCards")


def load_openspiel_game(definition: GameDefinition) -> Any:
    """The `pyspiel.Game` with these rules: `leduc_poker` for Leduc, `universal_poker` for everything else."""
    _verify_shared(definition)
    if _same_rules(definition, load_game("leduc")):
        return pyspiel.load_game(_LEDUC)
    lines = [line for line in format_definition(definition).splitlines() if "=" in line]
    parameters: dict[str, Any] = {key.strip(): value.strip() for key, value in (line.split("=") for line in lines)}
    # Lists are texts, also those of one number.
    parameters |= {key: int(value) for key, value in parameters.items() if key in _SINGLE_KEYS}
    parameters["betting"] = "limit" if definition.is_limit else "nolimit"
    if not definition.is_limit:
        parameters["bettingAbstraction"] = _ALL_SIZES
    return pyspiel.load_game(_UNIVERSAL, parameters)


def read_definition(game: Any) -> GameDefinition:
    """The rules of a `pyspiel.Game`; an error where it is another game than these two, or has rules of its own."""
    name = game.get_type().short_name
    parameters = game.get_parameters()
    if name == _LEDUC:
        if parameters["players"] != 2 or parameters.get("starting_player") or parameters["suit_isomorphism"]:
            raise InputError("`leduc_poker` must have two players, player 0 first, and all six cards")
        return load_game("leduc")
    if name != _UNIVERSAL:
        raise InputError(f"an OpenSpiel game is `{_LEDUC}` or `{_UNIVERSAL}` here; got `{name}`")
    is_limit = parameters["betting"] == "limit"
    if not is_limit and parameters["bettingAbstraction"] != _ALL_SIZES:
        raise InputError(
            f"a no-limit `{_UNIVERSAL}` must have all bet sizes; got `{parameters['bettingAbstraction']}`",
            hint=f"`bettingAbstraction={_ALL_SIZES}`",
        )
    keys = [*_KEYS, "raiseSize" if is_limit else "stack"]
    if parameters["maxRaises"]:
        keys.append("maxRaises")
    lines = [f"{key} = {parameters[key]}" for key in keys]
    text = "\n".join(["GAMEDEF", parameters["betting"], *lines, "END GAMEDEF"])
    try:
        return parse_definition(text, name=_UNIVERSAL, source=_UNIVERSAL)
    except DefinitionError as error:
        raise InputError(f"`{game}` is not a game that is known here: {error}") from None


def verify_same_rules(definition: GameDefinition, game: Any) -> None:
    """Raise an `InputError` unless the OpenSpiel game has these rules."""
    found = read_definition(game)
    _verify_shared(found)
    if not _same_rules(definition, found):
        raise InputError(
            f"`{game}` has other rules than `{definition.name}`",
            hint=f"the same game is `{load_openspiel_game(definition)}`",
        )


def _same_rules(first: GameDefinition, second: GameDefinition) -> bool:
    return replace(first, name="") == replace(second, name="")


def _verify_shared(definition: GameDefinition) -> None:
    """Raise where OpenSpiel would play another game under the same definition."""
    cards = definition.num_hole_cards + sum(definition.num_board_cards)
    if cards == 3:
        raise InputError(
            f"`{definition.name}` ranks hands of three cards, in which straights and flushes count here but not in "
            "OpenSpiel",
            hint="games with one, two, four or more cards at the showdown are the same there",
        )
    if definition.num_board_cards[0]:
        raise InputError(f"`{definition.name}` deals a board before the first betting, which OpenSpiel cannot")
    if definition.is_limit and definition.stacks != (UNLIMITED, UNLIMITED):
        raise InputError(f"`{definition.name}` is a limit game with stacks, which OpenSpiel does not know")
    if definition.dead_pot_chips or definition.rake is not None:
        raise InputError(f"`{definition.name}` begins with a pot or has rake, which OpenSpiel does not know")
