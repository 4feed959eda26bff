"""Logs of matches in the format of the ACPC's dealer: one line per hand, then the score.

    # name/game/hands/seed <match> <game> <hands> <seed>
    STATE:<hand>:<betting>:<hole|hole>/<flop>/<turn>/<river>:<payoff|payoff>:<name|name>
    SCORE:<winnings|winnings>:<name|name>

Within a `STATE` line everything is in the order of the positions of that hand, position 0 first; the `SCORE` is in the
order of the seats, as is its list of names. Lines that start with `#` are comments. A match that was forfeited has a
comment that says by whom and why, and no `SCORE`.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from errai.errors import InputError
from errai.games.acpc import MatchState, format_match_state, parse_match_state
from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.recorded_hand import RecordedHand
from errai.games.showdown import Chips, chips_text
from errai.storage.text_file import TextFile

_CHIPS = r"(-?[0-9]{1,12}(?:\.[0-9]{1,6})?)"
_PAYOFFS = re.compile(rf"{_CHIPS}\|{_CHIPS}")


class AcpcLog:
    """A log that is being written; every line has left this process before the next hand begins."""

    def __init__(self, path: Path) -> None:
        self._file = TextFile(path)

    def __enter__(self) -> "AcpcLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write_comment(self, text: str) -> None:
        self._file.write(f"# {text}\n")

    def write_hand(self, hand: PlayedHand) -> None:
        self._file.write(f"{format_hand(hand)}\n")

    def write_score(self, winnings_chips: Sequence[Chips], names: Sequence[str]) -> None:
        self._file.write(f"{format_score(winnings_chips, names)}\n")


def format_hand(hand: PlayedHand) -> str:
    """The `STATE` line of a hand: all cards that were dealt, whether they were shown or not."""
    state = MatchState(0, hand.number, hand.betting, hand.deal.hole_cards, hand.deal.board_at(hand.betting))
    _, _, shown = format_match_state(state).split(":", 2)
    return f"STATE:{shown}:{_joined([chips_text(chips) for chips in hand.payoffs_chips])}:{_joined_names(hand.names)}"


def parse_hand(definition: GameDefinition, line: str) -> RecordedHand:
    """The hand of a `STATE` line, with the payoffs that it names, right or wrong."""
    fields = line.rstrip("\r\n").split(":")
    if fields[0] != "STATE" or len(fields) != 6:
        expected = "STATE:<hand>:<betting>:<cards>:<payoff|payoff>:<name|name>"
        raise InputError(f"expected `{expected}`; got `{line.rstrip()}`")
    _, number, betting, cards, payoffs, names = fields
    state = parse_match_state(definition, f"MATCHSTATE:0:{number}:{betting}:{cards}")
    if not state.betting.is_terminal:
        raise InputError(f"hand {number} is not over: player {state.betting.actor} is to act")
    paid = _PAYOFFS.fullmatch(payoffs)
    first_name, separator, second_name = names.partition("|")
    if paid is None or not separator:
        raise InputError(f"expected `<payoff|payoff>:<name|name>`; got `{payoffs}:{names}`")
    recorded = (Fraction(paid[1]), Fraction(paid[2]))
    return RecordedHand(number, state.betting, state.hole_cards, state.board, (first_name, second_name), recorded)


def format_score(winnings_chips: Sequence[Chips], names: Sequence[str]) -> str:
    """The `SCORE` line of a match."""
    return f"SCORE:{_joined([chips_text(chips) for chips in winnings_chips])}:{_joined_names(names)}"


def _joined(values: Sequence[object]) -> str:
    return "|".join(map(str, values))


def _joined_names(names: Sequence[str]) -> str:
    # The format has no way to quote what it separates by: `bots.py:Bot` is written `bots.py_Bot`.
    return _joined([re.sub(r"[:|\s]", "_", name) for name in names])
