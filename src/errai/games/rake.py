"""Rake: what the house takes from the pot at every end of a hand, folds included.

5%              a part of the pot; the pot counts called chips only
5% cap 30       at most 30 chips
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from errai.errors import InputError
from errai.games.bet_menu import format_decimal

_TEXT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%(?: cap ([0-9]{1,9}(?:\.[0-9]{1,6})?))?", re.ASCII | re.IGNORECASE)
_HINT = "`5%`, or `5% cap 30` for at most 30 chips"


@dataclass(frozen=True)
class Rake:
    """A percentage of the pot, and the most that is taken in chips; None for no limit."""

    percent: Fraction
    cap_chips: Fraction | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.percent <= 100:
            raise InputError(f"rake is 0 to 100 % of the pot; got `{format_decimal(self.percent)}%`", hint=_HINT)
        if self.cap_chips is not None and self.cap_chips < 0:
            raise InputError(f"the cap of the rake must not be negative; got `{self.cap_chips}`", hint=_HINT)

    @property
    def text(self) -> str:
        cap = "" if self.cap_chips is None else f" cap {format_decimal(self.cap_chips)}"
        return f"{format_decimal(self.percent)}%{cap}"

    def of_pot(self, pot_chips: int | Fraction) -> Fraction:
        """What is taken from a pot of called chips."""
        share = self.percent * pot_chips / 100
        return share if self.cap_chips is None else min(share, self.cap_chips)


def parse_rake(text: str) -> Rake:
    found = _TEXT.fullmatch(" ".join(text.split()))
    if found is None:
        raise InputError(f"`rake` must be a percentage of the pot; got `{text}`", hint=_HINT)
    return Rake(Fraction(found[1]), None if found[2] is None else Fraction(found[2]))
