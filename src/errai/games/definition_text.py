"""Game definitions as text: reading and writing the format that `definition` shows.

A line is a betting type or `key = numbers`. Keys are read in any case and any order, each once; `#` starts a comment.
An error names the file and the line, what was expected there and what was found.
"""

import re
from dataclasses import dataclass

from errai.errors import DefinitionError
from errai.games.definition import MAX_ROUNDS, NUM_PLAYERS, UNLIMITED, GameDefinition

_NUMBER = re.compile(r"-?[0-9]{1,18}")
_BETTING_TYPES = ("limit", "nolimit")
_SINGLE_KEYS = ("numPlayers", "numRounds", "numSuits", "numRanks", "numHoleCards")
_PLAYER_KEYS = ("stack", "blind")
_ROUND_KEYS = ("raiseSize", "firstPlayer", "maxRaises", "numBoardCards")
_KEYS = {key.lower(): key for key in (*_SINGLE_KEYS, *_PLAYER_KEYS, *_ROUND_KEYS)}


@dataclass(frozen=True)
class _Entry:
    line: int
    values: tuple[int, ...]


def parse_definition(text: str, *, name: str, source: str) -> GameDefinition:
    """The game that `text` defines; `source` is the file that errors are to name."""
    is_limit, entries = _read_lines(text, source)
    if (players := _single(entries, "numPlayers", source)) != NUM_PLAYERS:
        line = entries["numPlayers"].line
        raise DefinitionError(f"{source}:{line}: `numPlayers` must be {NUM_PLAYERS}; got `{players}`")
    if not 1 <= (rounds := _single(entries, "numRounds", source)) <= MAX_ROUNDS:
        line = entries["numRounds"].line
        raise DefinitionError(f"{source}:{line}: `numRounds` must be 1 to {MAX_ROUNDS}; got `{rounds}`")
    if is_limit is None:
        raise DefinitionError(f"{source}: the betting type is missing: `limit` or `nolimit`")
    if not is_limit and "raiseSize" in entries:
        line = entries["raiseSize"].line
        raise DefinitionError(f"{source}:{line}: `raiseSize` belongs to `limit`; this game is `nolimit`")

    blinds = _of_players(entries, "blind", source)
    stacks = _of_players(entries, "stack", source) if not is_limit or "stack" in entries else None
    first_player = _of_rounds(entries, "firstPlayer", rounds, source)
    board_cards = _of_rounds(entries, "numBoardCards", rounds, source)
    raise_sizes = _of_rounds(entries, "raiseSize", rounds, source) if is_limit else ()
    max_raises = _of_rounds(entries, "maxRaises", rounds, source) if "maxRaises" in entries else ()
    try:
        return GameDefinition(
            name=name,
            is_limit=is_limit,
            blinds=blinds,
            first_player=tuple(player - 1 for player in first_player),
            num_suits=_single(entries, "numSuits", source),
            num_ranks=_single(entries, "numRanks", source),
            num_hole_cards=_single(entries, "numHoleCards", source),
            num_board_cards=board_cards,
            raise_sizes=raise_sizes,
            max_raises=max_raises,
            stacks=stacks or (UNLIMITED, UNLIMITED),
        )
    except DefinitionError as error:
        # The rules between the numbers are the definition's own; only it does not know the file.
        named = re.match(r"`(\w+)`", str(error))
        entry = entries.get(named[1]) if named else None
        place = f"{source}:{entry.line}" if entry else source
        raise DefinitionError(f"{place}: {error}", hint=error.hint) from None


def format_definition(definition: GameDefinition) -> str:
    """The text that `parse_definition` reads back as `definition`."""
    lines = ["GAMEDEF", "limit" if definition.is_limit else "nolimit"]

    def add(key: str, *values: int) -> None:
        lines.append(f"{key} = {' '.join(map(str, values))}")

    add("numPlayers", NUM_PLAYERS)
    add("numRounds", definition.num_rounds)
    if not definition.is_limit or definition.stacks != (UNLIMITED, UNLIMITED):
        add("stack", *definition.stacks)
    add("blind", *definition.blinds)
    if definition.is_limit:
        add("raiseSize", *definition.raise_sizes)
    add("firstPlayer", *(player + 1 for player in definition.first_player))
    if any(raises != UNLIMITED for raises in definition.max_raises):
        add("maxRaises", *definition.max_raises)
    add("numSuits", definition.num_suits)
    add("numRanks", definition.num_ranks)
    add("numHoleCards", definition.num_hole_cards)
    add("numBoardCards", *definition.num_board_cards)
    lines.append("END GAMEDEF")
    return "\n".join(lines) + "\n"


def _read_lines(text: str, source: str) -> tuple[bool | None, dict[str, _Entry]]:
    """Whether the game is limit, and the numbers of each key with the line that gave them."""
    is_limit: bool | None = None
    entries: dict[str, _Entry] = {}
    began = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        word = " ".join(line.lower().split())
        place = f"{source}:{number}"
        if not word:
            continue
        if not began:
            if word != "gamedef":
                raise DefinitionError(f"{place}: expected `GAMEDEF`; got `{line}`")
            began = True
        elif word == "end gamedef":
            return is_limit, entries
        elif word in _BETTING_TYPES:
            if is_limit is not None:
                raise DefinitionError(f"{place}: the betting type is given twice; got `{line}`")
            is_limit = word == "limit"
        else:
            key, entry = _read_entry(line, number, place)
            if key in entries:
                raise DefinitionError(f"{place}: `{key}` is given twice; line {entries[key].line} has it already")
            entries[key] = entry
    raise DefinitionError(f"{source}: expected `{'END GAMEDEF' if began else 'GAMEDEF'}`; got the end of the file")


def _read_entry(line: str, number: int, place: str) -> tuple[str, _Entry]:
    written, equals, rest = line.partition("=")
    key = _KEYS.get(written.strip().lower())
    if not equals:
        raise DefinitionError(f"{place}: expected `limit`, `nolimit`, `key = numbers` or `END GAMEDEF`; got `{line}`")
    if key is None:
        raise DefinitionError(
            f"{place}: there is no key `{written.strip()}`", hint=f"the keys are {', '.join(_KEYS.values())}"
        )
    words = rest.split()
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise DefinitionError(f"{place}: `{key}` takes whole numbers of at most 18 digits; got `{word}`")
    return key, _Entry(number, tuple(map(int, words)))


def _values(entries: dict[str, _Entry], key: str, count: int, unit: str, source: str) -> tuple[int, ...]:
    entry = entries.get(key)
    if entry is None:
        raise DefinitionError(f"{source}: `{key}` is missing")
    if len(entry.values) != count:
        raise DefinitionError(
            f"{source}:{entry.line}: `{key}` needs {count} {'number' if count == 1 else 'numbers'}{unit}; "
            f"got {len(entry.values)}"
        )
    return entry.values


def _single(entries: dict[str, _Entry], key: str, source: str) -> int:
    return _values(entries, key, 1, "", source)[0]


def _of_players(entries: dict[str, _Entry], key: str, source: str) -> tuple[int, int]:
    first, second = _values(entries, key, NUM_PLAYERS, ", one a player", source)
    return first, second


def _of_rounds(entries: dict[str, _Entry], key: str, rounds: int, source: str) -> tuple[int, ...]:
    return _values(entries, key, rounds, ", one a round", source)
