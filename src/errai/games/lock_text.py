"""Locks as text: what a player does at a node, fixed for all or for some hands.

    LINE [on BOARD]: [HANDS] ACTION=SHARE[,ACTION=SHARE...][; HANDS ACTION=SHARE...]

LINE is the betting that leads to the decision, as `errai show --betting` takes it; `root` is where the spot begins.
A lock holds on every board that the line can be played on, or with `on BOARD` on that one alone. HANDS is a range
without weights; without it, or with `all`, the lock is for every hand. Actions are named as `errai tree` prints them
(`fold`, `check`, `bet 94`, `all-in`) or as the ACPC writes them (`f`, `c`, `r94`). A share is `25%`, `0.25` or `1/4`;
if one action is not named, it takes what is left. Where two parts name a hand, the last one counts. Locks are separated
by line ends, and `#` starts a comment.

    r10: fold=25%,call=75%
    c: AA,KK check=1; 72o bet 94=1
    c/r50 on QsJh2h8c: all fold=60%

`total` in place of HANDS fixes the share of an action over the whole range, and leaves it to the hands of a stored
strategy how to get there (`errai.solutions.locking`).

    r10: total call=75%
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from errai.errors import InputError

FILE_SUFFIX = ".locks"
ROOT = "root"
EVERY_HAND = "all"
TOTAL = "total"

_GRAMMAR = "`LINE: [HANDS] ACTION=SHARE,...`, as in `r10: fold=25%,call=75%` or `c: AA,KK check=1`"
_MAX_FILE_BYTES = 10_000_000
_ACTION_WORDS = ("fold", "check", "call", "bet", "raise", "all-in", "f", "c")
_HANDS = re.compile(r"([^\s,=]+(?:\s*,\s*[^\s,=]+)*)\s+(\S.*)", re.ASCII | re.DOTALL)
_SHARE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{0,17})?|\.[0-9]{1,17})(?:/([0-9]{1,9})|(%))?", re.ASCII)


@dataclass(frozen=True)
class LockPart:
    """The shares of some hands; `hands` may also be `all` or `total`."""

    hands: str
    shares: tuple[tuple[str, Fraction], ...]  # by action

    @property
    def text(self) -> str:
        shares = ",".join(f"{action}={_share_text(share)}" for action, share in self.shares)
        return f"{self.hands} {shares}"


@dataclass(frozen=True)
class LockText:
    """One lock as it is written: nothing of it has been compared with a game."""

    line: str  # empty: where the spot begins
    board: str  # empty: every board
    parts: tuple[LockPart, ...]

    @property
    def has_total(self) -> bool:
        return any(part.hands == TOTAL for part in self.parts)

    @property
    def text(self) -> str:
        """The lock as this program writes it."""
        board = f" on {self.board}" if self.board else ""
        return f"{self.line or ROOT}{board}: {'; '.join(part.text for part in self.parts)}"


def parse_locks(texts: str | Iterable[str]) -> tuple[LockText, ...]:
    """The locks of one text or of several, each of which may hold several lines."""
    lines = [line for text in ([texts] if isinstance(texts, str) else texts) for line in re.split(r"[\r\n]", text)]
    written = [" ".join(line.partition("#")[0].split()) for line in lines]
    return tuple(_parse_lock(line) for line in written if line)


def read_locks(path: str | Path) -> tuple[LockText, ...]:
    """The locks in a file; errors name it."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_FILE_BYTES + 1)
        text = content.decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the locks `{path}`: {reason}") from None
    if len(content) > _MAX_FILE_BYTES:
        raise InputError(f"the file of locks `{path}` has more than {_MAX_FILE_BYTES:,} bytes")
    try:
        return parse_locks(text)
    except InputError as error:
        raise InputError(f"{path}: {error}", hint=error.hint) from None


def _parse_lock(text: str) -> LockText:
    place, colon, rest = text.partition(":")
    if not colon:
        raise InputError(f"a lock needs `:` after its line; got `{text}`", hint=f"a lock is {_GRAMMAR}")
    line, _, board = (" " + place.strip()).partition(" on ")
    parts = tuple(_parse_part(part.strip(), text) for part in rest.split(";") if part.strip())
    if not parts:
        raise InputError(f"the lock `{text}` has no shares", hint=f"a lock is {_GRAMMAR}")
    line = line.strip()
    return LockText("" if line.lower() == ROOT else line, board.strip(), parts)


def _parse_part(text: str, lock: str) -> LockPart:
    found = _HANDS.fullmatch(text)
    named, shares = (found[1], found[2]) if found else (EVERY_HAND, text)
    if "=" in named or named.lower() in _ACTION_WORDS:
        named, shares = EVERY_HAND, text
    if named.lower() in (EVERY_HAND, TOTAL):
        named = named.lower()
    by_action: dict[str, Fraction] = {}
    for written in shares.split(","):
        action, equals, share = (word.strip() for word in written.partition("="))
        if not (action and equals):
            raise InputError(f"`{lock}`: `{written.strip()}` is not `ACTION=SHARE`", hint=f"a lock is {_GRAMMAR}")
        if action.lower() in by_action:
            raise InputError(f"`{lock}`: the action `{action}` is named twice", hint="name every action once")
        by_action[action.lower()] = _parse_share(share, lock)
    if sum(by_action.values()) > 1 + Fraction(1, 10**9):
        total = float(sum(by_action.values()))
        raise InputError(f"`{lock}`: the shares add up to {total:g}, more than 1", hint="`fold=25%,call=75%`")
    return LockPart(named.replace(" ", ""), tuple(by_action.items()))


def _parse_share(text: str, lock: str) -> Fraction:
    found = _SHARE.fullmatch(text)
    if found is None or (found[2] is not None and int(found[2]) == 0):
        raise InputError(f"`{lock}`: a share is like `25%`, `0.25` or `1/4`; got `{text}`", hint="`fold=25%,call=75%`")
    share = Fraction(found[1]) / (int(found[2]) if found[2] else 100 if found[3] else 1)
    if share > 1:
        hint = f"`{text}%`" if share <= 100 and found[2] is None and not found[3] else "`call=75%`"
        raise InputError(f"`{lock}`: a share is at most 1; got `{text}`", hint=hint)
    return share


def _share_text(share: Fraction) -> str:
    """As a decimal fraction where that is exact, so that reading it back gives the same number."""
    decimal = f"{float(share):.12g}"
    return decimal if "e" not in decimal and Fraction(decimal) == share else f"{share.numerator}/{share.denominator}"
