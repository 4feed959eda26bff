"""Logs of matches in the format of the ACPC's dealer: a line a hand, then the score.

    # name/game/hands/seed <match> <game> <hands> <seed>
    STATE:<hand>:<betting>:<hole|hole>/<flop>/<turn>/<river>:<payoff|payoff>:<name|name>
    SCORE:<winnings|winnings>:<name|name>

Within a `STATE` line everything is in the order of the positions of that hand, position 0 first; the `SCORE` is in the
order of the seats, as is its list of names. Lines that start with `#` are comments. A match that was forfeited has a
comment that says by whom and why, and no `SCORE`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from errai.games.acpc import MatchState, format_match_state
from errai.games.played_hand import PlayedHand
from errai.storage.text_file import open_text


class AcpcLog:
    """A log that is being written; every line is on its way to the disk before the next hand begins."""

    def __init__(self, path: Path) -> None:
        self._file: TextIO = open_text(path)

    def __enter__(self) -> "AcpcLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write_comment(self, text: str) -> None:
        self._write(f"# {text}")

    def write_hand(self, hand: PlayedHand) -> None:
        self._write(format_hand(hand))

    def write_score(self, winnings_chips: Sequence[int], names: Sequence[str]) -> None:
        self._write(format_score(winnings_chips, names))

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()


def format_hand(hand: PlayedHand) -> str:
    """The `STATE` line of a hand: all cards that were dealt, whether they were shown or not."""
    state = MatchState(0, hand.number, hand.betting, hand.deal.hole_cards, hand.deal.board_at(hand.betting))
    _, _, shown = format_match_state(state).split(":", 2)
    return f"STATE:{shown}:{_joined(hand.payoffs_chips)}:{_joined_names(hand.names)}"


def format_score(winnings_chips: Sequence[int], names: Sequence[str]) -> str:
    """The `SCORE` line of a match."""
    return f"SCORE:{_joined(winnings_chips)}:{_joined_names(names)}"


def _joined(values: Sequence[object]) -> str:
    return "|".join(map(str, values))


def _joined_names(names: Sequence[str]) -> str:
    # The format has no way to quote what it separates by: `bots.py:Bot` is written `bots.py_Bot`.
    return _joined([re.sub(r"[:|\s]", "_", name) for name in names])
