"""Reading recorded hands: logs of the ACPC's dealer, PHH, and hand histories as PokerStars writes them.

    ACPC log        `STATE:...` lines, one per hand
    PHH             TOML, one hand (`.phh`) or several (`.phhs`), see `errai.storage.phh`
    PokerStars      text, parsed by PokerKit (no-limit hold'em), which turns it into the fields of PHH

A file is recognised by its content. A hand that cannot be read, or that this program has no rules for, does not end the
file: it comes out as a `SkippedHand` with the reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from errai.errors import InputError, StorageError
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.recorded_hand import RecordedHand
from errai.storage.acpc_log import parse_hand
from errai.storage.phh_fields import UnsupportedHand, hand_of_fields, read_phh
from errai.storage.pokerstars import read_pokerstars

_MOST_BYTES = 500_000_000
_GAME_COMMENT = re.compile(r"^# *name/game/hands/seed +\S+ +(\S+) ", re.MULTILINE)
_POKERSTARS = re.compile(r"^\ufeff?PokerStars (?:\w+ )*(?:Hand|Game) #", re.MULTILINE)


@dataclass(frozen=True)
class SkippedHand:
    """A hand that was not replayed."""

    label: str
    reason: str
    is_damaged: bool  # it cannot be read, or breaks the rules; otherwise it is of a game that is not replayed


@dataclass(frozen=True)
class HandHistoryFile:
    """All hands of a file, in order."""

    kind: str  # `ACPC log`, `PHH` or `PokerStars`
    hands: tuple[RecordedHand | SkippedHand, ...]


def read_hand_history(path: Path, definition: GameDefinition | None = None) -> HandHistoryFile:
    """Read a file. An ACPC log does not contain its rules: `definition`, or else the game that its header names."""
    text = _read(path)
    if re.search(r"^STATE:", text, re.MULTILINE):
        return HandHistoryFile("ACPC log", tuple(_acpc_hands(text, definition or _game_of_log(path, text))))
    if _POKERSTARS.search(text):
        return HandHistoryFile("PokerStars", tuple(map(_hand_of, read_pokerstars(text))))
    if re.search(r"^\s*variant\s*=", text, re.MULTILINE):
        return HandHistoryFile("PHH", tuple(map(_hand_of, read_phh(text, source=str(path)))))
    raise InputError(
        f"`{path}` holds no hands that can be read",
        hint="files are logs of the ACPC's dealer (`STATE:...`), PHH (`variant = ...`) or PokerStars histories",
    )


def _read(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise InputError(f"`{path}` must be a file of hands; it is not a regular file")
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"`{path}` has more than {_MOST_BYTES:,} bytes", hint="split it")
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"`{path}` is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise StorageError(f"`{path}` cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _game_of_log(path: Path, text: str) -> GameDefinition:
    found = _GAME_COMMENT.search(text)
    if found is None:
        raise InputError(f"`{path}` does not say which game it is of", hint="`--game holdem.limit.2p` names it")
    # The ACPC's own files are named so; the dealer posts the small blind in both of ours.
    name = found[1].removesuffix(".game").removesuffix(".reverse_blinds")
    try:
        return load_game(name)
    except InputError:
        raise InputError(
            f"`{path}` is of the game `{found[1]}`, which is not a bundled one",
            hint="`--game FILE.game` names its rules",
        ) from None


def _acpc_hands(text: str, definition: GameDefinition) -> Iterator[RecordedHand | SkippedHand]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("STATE:"):
            continue
        try:
            yield parse_hand(definition, line)
        except InputError as error:
            yield SkippedHand(f"line {number}", str(error), is_damaged=True)


def _hand_of(entry: tuple[str, object]) -> RecordedHand | SkippedHand:
    label, fields = entry
    try:
        return hand_of_fields(label, fields)
    except UnsupportedHand as error:
        return SkippedHand(label, str(error), is_damaged=False)
    except InputError as error:
        return SkippedHand(label, str(error), is_damaged=True)
