"""Endgames of Libratus: a board, a pot, and how often each hand of both players gets there.

    -round 4
    -board JsKs5cQs7d
    -pot 3750
    -reach 0 0.25 ...

The round counts from 1, half of the pot came from each player, and the reaches are 2,652 numbers: first those of the
player out of position, then the button's, each in the order `libratus` of `errai.cards.hand_orders`. A file may also
hold the reaches alone, as OpenSpiel ships them; board and pot are then given beside it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errai.cards.hand_orders import from_order, parse_numbers
from errai.cards.ranges import format_range
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.spot import Spot

BETS = "50%,100%,a / 100%,a"  # half of the pot, the pot or all-in first; then the pot or all-in
STACK = 20_000  # of each player before the hand
_DECK_SIZE = 52
_NUM_REACHES = 2 * 1326
_MAX_BYTES = 1_000_000
_HINT = "a file with 2,652 numbers, or with `-round`, `-board`, `-pot` and `-reach`"
_FIELDS = ("-round", "-board", "-pot", "-reach")


@dataclass(frozen=True, eq=False)
class Endgame:
    """Reaches of the big blind and the dealer, in the order of `hands`; None for what the file does not say."""

    reaches: tuple[NDArray[np.float64], NDArray[np.float64]]
    board: str | None = None
    pot: int | None = None
    round: int | None = None  # from 1

    def spot(
        self, definition: GameDefinition, *, board: str | None = None, pot: int | None = None, bets: str = BETS
    ) -> Spot:
        """The spot of the endgame; `board` and `pot` stand in for what the file does not say."""
        if definition.is_limit or definition.num_hole_cards != 2 or definition.deck.size != _DECK_SIZE:
            raise InputError(
                f"endgames of Libratus are of no-limit hold'em; got `{definition.name}`",
                hint="name `holdem.nolimit.2p`",
            )
        board, pot = board or self.board, pot or self.pot
        if board is None or pot is None:
            raise InputError(
                "the endgame holds reaches alone: board and pot must be given", hint="`--board 7s9h9cTc --pot 500`"
            )
        if pot % 2 or not 0 < pot < 2 * STACK:
            raise InputError(
                f"the pot of an endgame is even and leaves chips of {STACK:,} behind; got `{pot}`", hint="`--pot 500`"
            )
        range_bb, range_dealer = (format_range(reach, definition.deck) for reach in self.reaches)
        spot = Spot(
            definition,
            board=board,
            range_bb=range_bb,
            range_dealer=range_dealer,
            pot=pot,
            stack=STACK - pot // 2,
            bets=bets,
        )
        if self.round is not None and self.round != spot.root.round + 1:
            raise InputError(
                f"the endgame is in round {self.round}; the board `{spot.board}` is of round {spot.root.round + 1}",
                hint="round 3 has four cards on the board, round 4 five",
            )
        return spot


def read_endgame(path: str | Path) -> Endgame:
    """The endgame in a file; errors name it."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"cannot read the endgame `{path}`: it is not a file", hint=_HINT)
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
        text = content.decode("ascii")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not plain text"
        raise InputError(f"cannot read the endgame `{path}`: {reason}", hint=_HINT) from None
    if len(content) > _MAX_BYTES:
        raise InputError(f"the endgame `{path}` has more than {_MAX_BYTES:,} bytes", hint=_HINT)
    try:
        return parse_endgame(text)
    except InputError as error:
        raise InputError(f"`{path}`: {error}", hint=error.hint or _HINT) from None


def parse_endgame(text: str) -> Endgame:
    """The endgame that a text describes."""
    fields = _split_fields(text)
    if "reach" not in fields:
        raise InputError("the endgame has no `-reach`", hint="`-reach` is followed by 2,652 numbers")
    numbers = parse_numbers(fields["reach"], what="the reach of an endgame")
    if len(numbers) != _NUM_REACHES:
        raise InputError(f"an endgame has {_NUM_REACHES:,} reaches, 1,326 per player; got {len(numbers):,}")
    first, second = (from_order(reach, "libratus") for reach in numbers.reshape(2, -1))
    return Endgame(
        (first, second),
        board=fields.get("board"),
        pot=_whole(fields.get("pot"), "pot"),
        round=_whole(fields.get("round"), "round"),
    )


def _split_fields(text: str) -> dict[str, str]:
    """The words after each field; a text without fields is all reach."""
    words = text.split()
    if not any(word in _FIELDS for word in words):
        return {"reach": text}
    fields: dict[str, list[str]] = {}
    values: list[str] | None = None
    for word in words:
        if word in _FIELDS:
            if word[1:] in fields:
                raise InputError(f"`{word}` is given twice")
            values = fields.setdefault(word[1:], [])
        elif values is None:
            raise InputError(f"an endgame begins with one of {', '.join(_FIELDS)}; got {word[:20]!a}")
        else:
            values.append(word)
    return {name: " ".join(of_field) for name, of_field in fields.items()}


def _whole(text: str | None, name: str) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise InputError(f"`-{name}` must be a whole number; got `{text[:20]}`")
    return int(text)
