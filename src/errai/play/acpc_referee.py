"""How a dealer judges a player's reply. Text and numbers only: no network, no clock.

The rules are those of the reference dealer of the competition:

1. A comment (`#` or `;`), a line that is no state, and an answer to another state than the one that was asked are
   ignored. The player's time runs on.
2. Whatever follows the action in the line is ignored.
3. A no-limit raise of an illegal size becomes the nearest legal size, and that is no offence.
4. An action that cannot be read, a fold where the call is free, and a raise where none is allowed become a call. Each
   is counted; more than the match allows (any number, unless it says otherwise) lose it.
"""

import re
from dataclasses import dataclass

from errai.errors import InputError
from errai.games.acpc import MatchState, format_match_state, parse_match_state
from errai.games.state import CALL, FOLD, Action, BettingState, Raise

_NO_LIMIT_RAISE = re.compile(r"r([0-9]{1,18})")


@dataclass(frozen=True)
class Ignored:
    """A line that does not answer the question."""

    reason: str


@dataclass(frozen=True)
class Accepted:
    """The action that is played; `warning` says what it was made from, if it is not what the player wrote."""

    action: Action
    warning: str | None = None
    is_invalid: bool = False


def judge_reply(asked: MatchState, line: str) -> Ignored | Accepted:
    """What a line means that came while the player was asked about a state."""
    if line.startswith(("#", ";")):
        return Ignored("a comment")
    state_text, _, action_text = line.rpartition(":")
    if state_text != format_match_state(asked):
        try:
            answered = parse_match_state(asked.betting.definition, state_text)
        except InputError as error:
            return Ignored(f"not an answer: {error}")
        if answered != asked:
            return Ignored(f"an answer to another state: `{state_text}`")
    return _judge_action(asked.betting, action_text)


def _judge_action(state: BettingState, text: str) -> Accepted:
    bounds = state.raise_bounds()
    if text.startswith("c"):
        return Accepted(CALL)
    if text.startswith("f"):
        return Accepted(FOLD) if state.can_fold() else _call_instead("a fold where the call is free")
    is_limit = state.definition.is_limit
    written = _NO_LIMIT_RAISE.match(text)
    if not text.startswith("r") or not (is_limit or written):
        return _call_instead(f"an action that cannot be read, `{text[:20]}`")
    if bounds is None:
        return _call_instead("a raise where none is allowed")
    low, high = bounds
    if is_limit or not written:
        return Accepted(Raise(low))
    total = int(written[1])
    legal = min(max(total, low), high)
    return Accepted(Raise(legal), warning=None if legal == total else f"a raise to {total} became {legal}")


def _call_instead(what: str) -> Accepted:
    return Accepted(CALL, warning=f"{what}, became a call", is_invalid=True)
