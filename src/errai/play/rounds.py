"""Rounds as text, counted from 1: `3-4`, `1,4`."""

import re

from errai.errors import InputError


def parse_rounds(text: str) -> frozenset[int]:
    """The rounds that `text` names, as numbers from 0."""
    rounds: set[int] = set()
    for part in text.split(","):
        written = re.fullmatch(r"([1-9])(?:-([1-9]))?", part.strip())
        if written is None:
            raise InputError(f"expected rounds, as in `3-4` or `1,4`; got `{text}`")
        rounds.update(range(int(written[1]) - 1, int(written[2] or written[1])))
    return frozenset(rounds)
