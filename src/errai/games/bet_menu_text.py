"""Bet menus as text, on the command line and in files.

    [STREET] [PLAYER] [lead] SIZES [/ RAISES] [cap N]

STREET is `preflop`, `flop`, `turn` or `river`, PLAYER is `bb` or `dealer`; without them an entry is for all. SIZES and
RAISES are lists such as `33%,75%,a`, a preset, or `none`; without RAISES the same sizes serve as raises. `cap N` allows
N bets and raises per street, counted together. A threshold is an entry such as `add-all-in 1.5`; `no-limp` is an entry
too. Entries are separated by line ends or `;`, and `#` starts a comment.

    turn 50%,100% / 60%           both players
    river dealer 75%,a / 3x
    turn bb lead 33%
    preflop 2.5x,a / 3x cap 4
    fcpa                          a preset: the pot or all-in, on every street
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

from errai.errors import InputError
from errai.games.bet_menu import NO_LIMP, NO_SIZES, PLAYERS, STREETS, THRESHOLDS, BetMenu, BetSize, MenuEntry, SizeUnit

PRESETS = {"fc": NO_SIZES, "fcpa": "100%,a", "fchpa": "50%,100%,a"}
FILE_SUFFIX = ".bets"

_GRAMMAR = "`[STREET] [PLAYER] [lead] SIZES [/ RAISES] [cap N]`, as in `turn bb 50%,a / 60% cap 3`"
_SIZES_HINT = "sizes are `50%`, `3x` (raises), `40c` (chips), `e` or `2e` (geometric) and `a` (all-in)"
_MAX_FILE_BYTES = 1_000_000
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})([%xce])", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}", re.ASCII)
_CAP = re.compile(r"(.*?)\bcap\b(.*)", re.ASCII | re.DOTALL)
_UNITS: dict[str, SizeUnit] = {"%": "%", "x": "x", "c": "c", "e": "e"}


def parse_bet_menu(texts: str | Iterable[str]) -> BetMenu:
    """The menu of one text or of several, each of which may hold several entries."""
    entries: list[MenuEntry] = []
    thresholds: dict[str, Fraction] = {}
    no_limp = False
    for text in [texts] if isinstance(texts, str) else texts:
        for written in _split_entries(text):
            name, _, value = written.partition(" ")
            if written == NO_LIMP:
                no_limp = True
            elif name not in THRESHOLDS:
                entries.append(_parse_entry(written))
            elif THRESHOLDS[name] in thresholds:
                raise InputError(f"`{name}` is given twice", hint=f"`{name} {value.strip()}` once is enough")
            else:
                thresholds[THRESHOLDS[name]] = parse_threshold(name, value.strip())
    return BetMenu(tuple(entries), **thresholds, no_limp=no_limp)


def parse_threshold(name: str, text: str) -> Fraction:
    """The number of a threshold such as `merge 0.1`."""
    _verify_ascii(text)
    if not _NUMBER.fullmatch(text):
        raise InputError(f"`{name}` takes a number that is not negative; got `{text}`", hint=f"`{name} 0.15`")
    return Fraction(text)


def read_bet_menu(path: str | Path) -> BetMenu:
    """The menu in a file; errors name it."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"cannot read the bet menu `{path}`: it is not a file")
        with path.open("rb") as file:
            content = file.read(_MAX_FILE_BYTES + 1)
        text = content.decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the bet menu `{path}`: {reason}") from None
    if len(content) > _MAX_FILE_BYTES:
        raise InputError(f"the bet menu `{path}` has more than {_MAX_FILE_BYTES:,} bytes")
    try:
        return parse_bet_menu(text)
    except InputError as error:
        raise InputError(f"{path}: {error}", hint=error.hint) from None


def _split_entries(text: str) -> list[str]:
    """The entries of a text in lower case, with single spaces, without comments."""
    written = [line.partition("#")[0].replace("\t", " ") for line in re.split(r"[\r\n;]", text)]
    for entry in written:
        _verify_ascii(entry)
    found = [" ".join(entry.lower().split()) for entry in written if entry.strip()]
    if not found:
        raise InputError("a bet menu needs at least one entry; got an empty text", hint=f"an entry is {_GRAMMAR}")
    return found


def _verify_ascii(text: str) -> None:
    """Refuse look-alikes such as the full-width per cent sign, and digits that are not 0 to 9."""
    strange = next((letter for letter in text if not (letter.isascii() and letter.isprintable())), None)
    if strange is not None:
        raise InputError(
            f"a bet menu is written in plain letters, digits and signs; got {strange!a} (U+{ord(strange):04X})",
            hint=_SIZES_HINT,
        )


def _parse_entry(text: str) -> MenuEntry:
    words = text.split(" ")
    street = player = None
    is_lead = False
    if words and words[0] in STREETS:
        street = STREETS.index(words.pop(0))
    if words and words[0] in PLAYERS:
        player = PLAYERS.index(words.pop(0))
    if words and words[0] == "lead":
        is_lead = bool(words.pop(0))
    rest = " ".join(words)
    if not rest:
        raise InputError(f"the entry `{text}` has no sizes", hint=f"`{text} 50%`, or `{text} {NO_SIZES}` for no bets")
    rest, cap = _split_cap(rest, text)
    bets_text, slash, raises_text = rest.partition("/")
    bets = _parse_sizes(bets_text.strip(), text)
    unwritten_raises = () if is_lead else bets
    raises = _parse_sizes(raises_text.strip(), text) if slash else unwritten_raises
    try:
        return MenuEntry(street, player, bets, raises, cap, is_lead)
    except InputError as error:
        raise InputError(f"`{text}`: {error}", hint=error.hint) from None


def _split_cap(rest: str, entry: str) -> tuple[str, int | None]:
    found = _CAP.fullmatch(rest)
    if found is None:
        return rest, None
    number = found[2].strip()
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise InputError(f"`{entry}`: expected a whole number after `cap`; got `{number}`", hint="`50% / 60% cap 3`")
    return found[1].strip(), int(number)


def _parse_sizes(text: str, entry: str) -> tuple[BetSize, ...]:
    text = PRESETS.get(text, text)
    if text == NO_SIZES:
        return ()
    sizes = []
    for written in text.split(","):
        size = _parse_size(written.strip(), entry)
        if size not in sizes:
            sizes.append(size)
    return tuple(sizes)


def _parse_size(text: str, entry: str) -> BetSize:
    if text in ("a", "all-in"):
        return BetSize("a")
    if text == "e":
        return BetSize("e")
    found = _SIZE.fullmatch(text)
    if found is None:
        raise InputError(f"`{entry}`: {_why_not_a_size(text)}", hint=_hint_for(text))
    try:
        return BetSize(_UNITS[found[2]], Fraction(found[1]))
    except InputError as error:
        raise InputError(f"`{entry}`: {error}", hint=error.hint) from None


def _why_not_a_size(text: str) -> str:
    if not text:
        return "a size is missing"
    if _NUMBER.fullmatch(text):
        return f"the size `{text}` has no unit"
    if text.startswith(("-", "+")):
        return f"a size has no sign; got `{text}`"
    return f"`{text}` is not a bet size"


def _hint_for(text: str) -> str:
    if _NUMBER.fullmatch(text):
        number = Fraction(text)
        if number.denominator == 1:
            return f"`{number}%` of the pot or `{number}c`, {number} chips"
        return f"`{float(number * 100):g}%` of the pot"
    first_word = text.split(" ")[0]
    close = get_close_matches(first_word, [*STREETS, *PLAYERS, "lead", "cap", *PRESETS, NO_SIZES, NO_LIMP], n=1)
    if close and first_word != close[0]:
        return f"did you mean `{close[0]}`? An entry is {_GRAMMAR}"
    if any(word in (*STREETS, *PLAYERS, "lead") for word in text.split(" ")):
        return f"an entry is {_GRAMMAR}, in this order"
    return _SIZES_HINT
