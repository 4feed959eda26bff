"""The terms of a range and their weights, before any hand is looked up.

    AA:0.5                   a weight from 0 to 1
    AA:50   AA:50%           a percentage; without the sign, a number above 1
    [50]AA,AKs[/50]          a percentage for all terms in between

A number without a sign is a weight or a percentage by its size, so a range must not mix the two: in `AA:50,KK:1` the
1 could be either, and is refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from errai.errors import InputError

LEAST_WEIGHT = 1e-30  # products of two weights must not vanish in `float32` sums
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_OPEN = re.compile(r"\[([^\[\]/]*)\](.*)", re.DOTALL)
_CLOSE = re.compile(r"(.*)\[/([^\[\]/]*)\]", re.DOTALL)
_GROUP_HINT = "`[50]AA,AKs[/50]` gives half of the weight to both"


@dataclass(frozen=True)
class RangeTerm:
    """The text that names hands, and their weight."""

    named: str
    weight: float
    unit: Literal["weight", "percent", "none"]  # how the weight was written


def split_terms(text: str) -> list[RangeTerm]:
    """The terms of a range, in the order written."""
    terms = list(_read_terms(text))
    percent = next((term for term in terms if term.unit == "percent"), None)
    fraction = next((term for term in terms if term.unit == "weight" and term.weight), None)
    if percent is not None and fraction is not None:
        raise InputError(
            f"weights and percentages are mixed: `{percent.named}` has {percent.weight * 100:g} percent, "
            f"`{fraction.named}` has {fraction.weight:g}",
            hint=f"with a sign it is clear: `{percent.named}:{percent.weight * 100:g}%`",
        )
    return terms


def _read_terms(text: str) -> Iterator[RangeTerm]:
    group: str | None = None  # the number between the brackets
    for part in text.split(","):
        term = part.strip()
        if opened := _OPEN.fullmatch(term):
            if group is not None:
                raise InputError(f"`[{opened[1]}]` begins before `[{group}]` has ended", hint=_GROUP_HINT)
            group, term = opened[1].strip(), opened[2].strip()
        closed = _CLOSE.fullmatch(term)
        if closed:
            if group is None or group != closed[2].strip():
                raise InputError(f"`[/{closed[2]}]` ends what was not begun", hint=_GROUP_HINT)
            term = closed[1].strip()
        named, colon, weight = (piece.strip() for piece in term.partition(":"))
        if group is None:
            yield _read_weight(named, weight, term) if colon else RangeTerm(named, 1.0, "none")
        elif colon:
            raise InputError(f"`{term}` has a weight of its own within `[{group}]`", hint=_GROUP_HINT)
        else:
            yield RangeTerm(named, _number(group, term=f"[{group}]", most=100) / 100, "none")
        if closed:
            group = None
    if group is not None:
        raise InputError(f"`[{group}]` has no end `[/{group}]`", hint=_GROUP_HINT)


def _read_weight(named: str, text: str, term: str) -> RangeTerm:
    if text.endswith("%"):
        return RangeTerm(named, _number(text[:-1].strip(), term=term, most=100) / 100, "none")
    number = _number(text, term=term, most=100)
    return RangeTerm(named, number, "weight") if number <= 1 else RangeTerm(named, number / 100, "percent")


def _number(text: str, *, term: str, most: float) -> float:
    number = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not (number == 0 or LEAST_WEIGHT <= number <= most):
        raise InputError(
            f"the weight of `{term}` must be 0, a number from {LEAST_WEIGHT:g} to 1, or a percentage up to 100; "
            f"got `{text}`",
            hint="`AA:0.5` and `AA:50` are half of the weight",
        )
    return number
