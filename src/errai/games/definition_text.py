"""Game definitions as text: reading and writing the format that `definition` shows.

A line is a betting type or `key = numbers`. Keys are read in any case and any order, each once; `#` starts a comment.
An error names the file and the line, what was expected there and what was found.
"""

import re
from dataclasses import dataclass, field

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


@dataclass
class _Content:
    """The entries of a definition. `source` is the file name for errors."""

    source: str
    is_limit: bool | None = None
    entries: dict[str, _Entry] = field(default_factory=dict)
    last_line: int = 1  # where a missing entry is reported

    def place(self, key: str | None = None) -> str:
        """The file and the line that gave `key`."""
        entry = self.entries.get(key) if key else None
        return f"{self.source}:{entry.line if entry else self.last_line}"

    def single(self, key: str) -> int:
        return self._values(key, 1, "number")[0]

    def of_players(self, key: str) -> tuple[int, int]:
        first, second = self._values(key, NUM_PLAYERS, "numbers, one per player")
        return first, second

    def of_rounds(self, key: str, rounds: int) -> tuple[int, ...]:
        return self._values(key, rounds, "number" if rounds == 1 else "numbers, one per round")

    def _values(self, key: str, count: int, unit: str) -> tuple[int, ...]:
        if key not in self.entries:
            raise DefinitionError(f"{self.place()}: `{key}` is missing")
        values = self.entries[key].values
        if len(values) != count:
            raise DefinitionError(f"{self.place(key)}: `{key}` needs {count} {unit}; got {len(values)}")
        return values


def parse_definition(text: str, *, name: str, source: str) -> GameDefinition:
    """The game that `text` defines; `source` is the file name for errors."""
    content = _read_lines(text, source)
    if (players := content.single("numPlayers")) != NUM_PLAYERS:
        raise DefinitionError(f"{content.place('numPlayers')}: `numPlayers` must be {NUM_PLAYERS}; got `{players}`")
    if not 1 <= (rounds := content.single("numRounds")) <= MAX_ROUNDS:
        raise DefinitionError(f"{content.place('numRounds')}: `numRounds` must be 1 to {MAX_ROUNDS}; got `{rounds}`")
    is_limit = content.is_limit
    if is_limit is None:
        raise DefinitionError(f"{content.place()}: the betting type is missing: `limit` or `nolimit`")
    if not is_limit and "raiseSize" in content.entries:
        raise DefinitionError(f"{content.place('raiseSize')}: `raiseSize` belongs to `limit`; this game is `nolimit`")

    blinds = content.of_players("blind")
    stacks = content.of_players("stack") if not is_limit or "stack" in content.entries else None
    first_player = content.of_rounds("firstPlayer", rounds)
    board_cards = content.of_rounds("numBoardCards", rounds)
    raise_sizes = content.of_rounds("raiseSize", rounds) if is_limit else ()
    max_raises = content.of_rounds("maxRaises", rounds) if "maxRaises" in content.entries else ()
    try:
        return GameDefinition(
            name=name,
            is_limit=is_limit,
            blinds=blinds,
            first_player=tuple(player - 1 for player in first_player),
            num_suits=content.single("numSuits"),
            num_ranks=content.single("numRanks"),
            num_hole_cards=content.single("numHoleCards"),
            num_board_cards=board_cards,
            raise_sizes=raise_sizes,
            max_raises=max_raises,
            stacks=stacks or (UNLIMITED, UNLIMITED),
        )
    except DefinitionError as error:
        # The definition checks how the numbers fit together; its message begins with the key, but knows no file.
        named = re.match(r"`(\w+)`", str(error))
        raise DefinitionError(f"{content.place(named[1] if named else None)}: {error}", hint=error.hint) from None


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


def _read_lines(text: str, source: str) -> _Content:
    content = _Content(source)
    began = False
    for number, raw in enumerate(text.splitlines(), start=1):
        content.last_line = number
        line = raw.partition("#")[0].strip()
        word = " ".join(line.lower().split())
        place = content.place()
        if not word:
            continue
        if not began:
            if word != "gamedef":
                raise DefinitionError(f"{place}: expected `GAMEDEF`; got `{line}`")
            began = True
        elif word == "end gamedef":
            return content
        elif word in _BETTING_TYPES:
            if content.is_limit is not None:
                raise DefinitionError(f"{place}: the betting type is given twice; got `{line}`")
            content.is_limit = word == "limit"
        else:
            key, entry = _read_entry(line, number, place)
            if key in content.entries:
                first = content.entries[key].line
                raise DefinitionError(f"{place}: `{key}` is given twice; line {first} has it already")
            content.entries[key] = entry
    expected = "END GAMEDEF" if began else "GAMEDEF"
    raise DefinitionError(f"{content.place()}: expected `{expected}`; got the end of the file")


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
