"""Bet menus: which sizes each player may bet and raise on each street.

    50%         of the pot after calling; as a raise, on top of the previous bet
    3x          raises only: to a multiple of the previous bet (before the flop also of the blind)
    40c         chips; as a raise, on top of the previous bet
    e   2e      geometric: the fraction of the pot that is all-in after the remaining streets, or after 2 of them
    a           all-in
    none        no size at all

A menu is a set of entries, each for a street or all of them, for a player or both. The most specific entry decides as a
whole: street and player, then street, then player, then the entry for everything; the order of the entries means
nothing. Sizes for a *lead* (the out-of-position player bets after calling on the previous street) are entries of their
own; without one, the ordinary bets apply. With `no-limp` the player who acts first may not just call the blind: with
`a` as the only size that is push or fold. `bet_menu_text` reads menus, `menu_sizes` turns them into chips.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

from errai.errors import InputError

STREETS = ("preflop", "flop", "turn", "river")
PLAYERS = ("bb", "dealer")
SizeUnit = Literal["%", "x", "c", "e", "a"]

MAX_NUMBER = 1_000_000
MAX_GEOMETRIC_STREETS = 9
MAX_CAP = 99
NO_SIZES = "none"
NO_LIMP = "no-limp"
_DECIMALS = 6


@dataclass(frozen=True)
class BetSize:
    """One size of a menu. `number` is None for all-in, and for a geometric size over all remaining streets."""

    unit: SizeUnit
    number: Fraction | None = None

    def __post_init__(self) -> None:
        if self.unit not in get_args(SizeUnit):
            raise InputError(f"a bet size is measured in `%`, `x`, `c`, `e` or `a`; got `{self.unit}`")
        if self.number is None:
            if self.unit not in ("e", "a"):
                raise InputError(f"a size in `{self.unit}` needs a number, as in `50{self.unit}`")
            return
        if self.unit == "a":
            raise InputError(f"all-in has no number; got `{self.number}`", hint="write `a`")
        _verify_decimal(self.number, f"the size `{self.text}`")
        if not 0 < self.number <= MAX_NUMBER:
            raise InputError(
                f"the size `{self.text}` must be above 0 and at most {MAX_NUMBER:,}", hint="`50%` is half of the pot"
            )
        if self.unit == "x" and self.number <= 1:
            raise InputError(
                f"`{self.text}` is not a raise: a multiple of the previous bet must be above 1",
                hint="`3x` raises to three times the previous bet",
            )
        if self.unit == "c" and self.number.denominator != 1:
            raise InputError(f"chips are whole numbers; got `{self.text}`", hint="`50%` is a part of the pot")
        if self.unit == "e" and (self.number.denominator != 1 or self.number > MAX_GEOMETRIC_STREETS):
            raise InputError(
                f"a geometric size takes 1 to {MAX_GEOMETRIC_STREETS} streets; got `{self.text}`",
                hint="`2e` is all-in after two streets, `e` after all that remain",
            )

    @property
    def text(self) -> str:
        return ("" if self.number is None else format_decimal(self.number)) + self.unit


@dataclass(frozen=True)
class MenuEntry:
    """The sizes of one street or of all (None), of one player or of both (None)."""

    street: int | None
    player: int | None
    bets: tuple[BetSize, ...]
    raises: tuple[BetSize, ...] = ()
    cap: int | None = None  # bets and raises on one street, counted together
    is_lead: bool = False

    def __post_init__(self) -> None:
        if self.cap is not None and not 1 <= self.cap <= MAX_CAP:
            raise InputError(
                f"a cap is 1 to {MAX_CAP} bets and raises per street; got `{self.cap}`",
                hint="`cap 1` allows a bet and no raise; `none` allows neither",
            )
        first_raise_is_bet = self.street == 0
        if not first_raise_is_bet and (multiple := next((size for size in self.bets if size.unit == "x"), None)):
            raise InputError(
                f"`{multiple.text}` is a multiple of the previous bet, and a first bet has none: it is for raises",
                hint=f"`50% / {multiple.text}` bets half of the pot and raises to {multiple.text[:-1]} times a bet",
            )
        if self.is_lead:
            self._verify_lead()

    @property
    def key(self) -> tuple[int, int, bool]:
        """What the entry is for; sorts the general before the specific."""
        return (
            -1 if self.street is None else self.street,
            -1 if self.player is None else self.player,
            self.is_lead,
        )

    @property
    def name(self) -> str:
        """`turn bb lead`; empty for the entry for everything."""
        parts = [
            "" if self.street is None else STREETS[self.street],
            "" if self.player is None else PLAYERS[self.player],
            "lead" if self.is_lead else "",
        ]
        return " ".join(part for part in parts if part)

    @property
    def text(self) -> str:
        text = f"{self.name} {_format_sizes(self.bets)}".strip()
        if not self.is_lead and self.raises != self.bets:
            text += f" / {_format_sizes(self.raises)}"
        return text if self.cap is None else f"{text} cap {self.cap}"

    def covers(self, street: int, player: int) -> bool:
        return self.street in (None, street) and self.player in (None, player)

    def _verify_lead(self) -> None:
        if self.street == 0:
            raise InputError(
                "there is no lead before the flop: it follows a call on the previous street", hint="`flop lead 33%`"
            )
        if self.player == 1:
            raise InputError(
                "only the player who acts first can lead, and the dealer acts last", hint=f"`{STREETS[2]} bb lead 33%`"
            )
        if self.raises or self.cap is not None:
            raise InputError(
                "a lead is a first bet: it has neither raises nor a cap", hint="give these in an entry without `lead`"
            )


@dataclass(frozen=True)
class BetMenu:
    """All entries, and three thresholds that `menu_sizes` explains; None leaves a threshold out."""

    entries: tuple[MenuEntry, ...]
    add_all_in: Fraction | None = None
    force_all_in: Fraction | None = None
    merge: Fraction | None = None
    no_limp: bool = False

    def __post_init__(self) -> None:
        if not any(not entry.is_lead for entry in self.entries):
            raise InputError(
                "a bet menu needs at least one entry with bets", hint="`50%,a` for every street, `fcpa`, or `none`"
            )
        object.__setattr__(self, "entries", tuple(sorted(self.entries, key=lambda entry: entry.key)))
        for first, second in pairwise(self.entries):
            if first.key == second.key:
                what = f"`{first.name}`" if first.name else "every street"
                raise InputError(
                    f"the sizes for {what} are given twice: `{first.text}` and `{second.text}`",
                    hint="put all sizes in one entry, as in `50%,100%`",
                )
        for name in THRESHOLDS:
            self._verify_threshold(name)

    @property
    def text(self) -> str:
        """One line per entry and threshold; `parse_bet_menu` reads the same menu from it."""
        lines = [entry.text for entry in self.entries]
        for name, attribute in THRESHOLDS.items():
            value: Fraction | None = getattr(self, attribute)
            if value is not None:
                lines.append(f"{name} {format_decimal(value)}")
        if self.no_limp:
            lines.append(NO_LIMP)
        return "\n".join(lines)

    def sizes(self, *, street: int, player: int, num_bets: int, is_lead: bool) -> tuple[BetSize, ...] | None:
        """The sizes for a player on a street after `num_bets` bets and raises there; None once the cap is reached."""
        entry = self._most_specific(street, player, is_lead=False)
        if entry is None:
            place = f"on the {STREETS[street]}" if street else "before the flop"
            raise InputError(
                f"the bet menu has no sizes for {PLAYERS[player]} {place}",
                hint=f"add `{STREETS[street]} {PLAYERS[player]} 50%`, or `{STREETS[street]} none` for no bets there",
            )
        if entry.cap is not None and num_bets >= entry.cap:
            return None
        if num_bets:
            return entry.raises
        lead = self._most_specific(street, player, is_lead=True) if is_lead else None
        return (lead or entry).bets

    def _most_specific(self, street: int, player: int, *, is_lead: bool) -> MenuEntry | None:
        found = [entry for entry in self.entries if entry.is_lead == is_lead and entry.covers(street, player)]
        return max(found, key=lambda entry: (entry.street is not None, entry.player is not None), default=None)

    def _verify_threshold(self, name: str) -> None:
        value: Fraction | None = getattr(self, THRESHOLDS[name])
        if value is None:
            return
        _verify_decimal(value, f"`{name}`")
        if not 0 <= value <= MAX_NUMBER:
            raise InputError(f"`{name}` must be 0 to {MAX_NUMBER:,}; got `{format_decimal(value)}`")


# As written, and as the attribute of a menu.
THRESHOLDS = {"add-all-in": "add_all_in", "force-all-in": "force_all_in", "merge": "merge"}


def format_decimal(number: Fraction) -> str:
    """`2.5` for 5/2, without zeros at the end."""
    whole, rest = divmod(abs(number) * 10**_DECIMALS, 10**_DECIMALS)
    digits = f"{int(rest):0{_DECIMALS}d}".rstrip("0")
    return ("-" if number < 0 else "") + str(whole) + (f".{digits}" if digits else "")


def _verify_decimal(number: Fraction, what: str) -> None:
    if 10**_DECIMALS % number.denominator:
        raise InputError(f"{what} must have at most {_DECIMALS} digits after the point", hint="`33.3%`")


def _format_sizes(sizes: tuple[BetSize, ...]) -> str:
    return ",".join(size.text for size in sizes) or NO_SIZES
