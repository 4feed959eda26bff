"""Hand histories as PokerStars writes them, through PokerKit's parser, as the fields of PHH.

The parser reads no-limit hold'em. What each player collected is read here, as it is what payoffs are compared with: the
finishing stack is the starting stack, less what the player put in, plus what the player collected.
"""

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from errai.errors import InputError

_HAND = re.compile(r"^\ufeff?PokerStars .*?(?=^\ufeff?PokerStars |\Z)", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"(?:Hand|Game) #([0-9]+)")
_COLLECTED = re.compile(r"^(?P<player>.+) collected \D?(?P<amount>[0-9.]+) from (?:main |side )?pot", re.MULTILINE)
_RAKE = re.compile(r"Total pot \D?[0-9.]+.*?\| Rake \D?(?P<amount>[0-9.]+)")


def read_pokerstars(text: str) -> Iterator[tuple[str, object]]:
    """The fields of PHH of every hand, each with its label; the reason as text where a hand cannot be parsed."""
    parse = _parser()
    for number, found in enumerate(_HAND.findall(text), start=1):
        # The parser takes `1,000` for 1.
        hand = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", found.lstrip("\ufeff").rstrip())
        named = _NUMBER.search(hand)
        label = named[1] if named else str(number)
        if "Hold'em No Limit" not in hand:
            yield label, {"variant": hand.partition(":")[2].partition("(")[0].strip() or "unknown"}
            continue
        # It prints the traceback of what it raises, and warns.
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                (history,) = parse(hand + "\n", error_status=True)
            except Exception as error:  # whatever a parser of foreign text raises
                reason = error.__cause__ or error.__context__ or error
                yield label, f"PokerKit cannot parse it: {reason}"
                continue
        yield label, _fields(history, hand)


def _parser() -> Any:
    try:
        from pokerkit.notation import PokerStarsParser
    except ImportError:
        raise InputError(
            "PokerStars histories are read by PokerKit, which is not installed", hint="`pip install 'errai[histories]'`"
        ) from None
    return PokerStarsParser()


def _fields(history: Any, hand: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: _plain(getattr(history, name))
        for name in ("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions", "players")
    }
    collected: dict[str, Fraction] = {}
    for found in _COLLECTED.finditer(hand):
        collected[found["player"]] = collected.get(found["player"], Fraction(0)) + Fraction(found["amount"])
    if collected and len(fields["starting_stacks"]) == 2:
        rake = _RAKE.search(hand)
        # Heads-up, both put the same into the pot that is collected.
        share = (sum(collected.values()) + (Fraction(rake["amount"]) if rake else 0)) / 2
        fields["finishing_stacks"] = [
            Fraction(stack) - share + collected.get(player, Fraction(0))
            for stack, player in zip(fields["starting_stacks"], fields["players"], strict=True)
        ]
    return fields


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
