"""A client of Slumbot's public protocol: hands of no-limit hold'em against a server that deals the cards.

    POST /api/new_hand  {"token": ...}                  the token is left out in the first request
    POST /api/act       {"token": ..., "incr": "b300"}  `k` check, `c` call, `f` fold, `bN` bet to N on this street

A reply has `action`, the betting so far (`b200c/kk/kb400`), `client_pos` (0 is the big blind), `hole_cards`, `board`,
`token` (the newest counts) and, when the hand is over, `winnings`. An error is in `error_msg`. N counts the chips of
this street, where a total of ours counts those of the whole hand. Blinds are 50 and 100, stacks 20,000.

Nothing that the server sends is believed unseen: the betting must be legal and go on from what was played, the cards
must be cards, and the winnings those of the rules where they are known.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from errai.errors import InputError, NetworkError
from errai.games.definition import GameDefinition
from errai.games.showdown import payoffs_chips
from errai.games.state import Action, BettingState, Call, Fold, Raise, initial_state

DEFAULT_URL = "https://slumbot.com"
_ANSWER_SECONDS = 60.0
_MOST_BYTES = 1_000_000
_MOVE = re.compile(r"([kcf/])|b([0-9]{1,9})", re.ASCII)

Choose = Callable[[BettingState, tuple[int, ...], tuple[int, ...]], Action]  # state, board, own cards


@dataclass(frozen=True)
class SlumbotHand:
    """A hand that is over: which player we were, and what we won."""

    position: int
    winnings_chips: int


class SlumbotTable:
    """A session with a server; it keeps the newest token."""

    def __init__(self, definition: GameDefinition, url: str = DEFAULT_URL) -> None:
        if not re.match(r"https?://[^\s/]+", url):
            raise InputError(f"the address of Slumbot begins with `http://` or `https://`; got `{url}`")
        self._definition = definition
        self._url = url.rstrip("/")
        self._token: str | None = None

    def play_hand(self, choose: Choose) -> SlumbotHand:
        """One hand; `choose` is asked whenever it is our turn."""
        reply = self._post("new_hand", {})
        position = self._field(reply, "client_pos", int)
        if position not in (0, 1):
            raise self._nonsense(f"`client_pos` {position}")
        own = self._cards(reply, "hole_cards", self._definition.num_hole_cards)
        state = self._betting(reply, initial_state(self._definition))
        while state.actor is not None:
            if state.actor != position or "winnings" in reply:
                raise self._nonsense(f"the betting `{reply['action']}`, after which somebody else is to act")
            num_board_cards = sum(self._definition.num_board_cards[: state.round + 1])
            board = self._cards(reply, "board", num_board_cards)
            action = choose(state, board, own)
            reply = self._post("act", {"incr": format_move(state, action)})
            state = self._betting(reply, state.apply(action))
        winnings = self._field(reply, "winnings", int)
        self._verify_winnings(reply, state, position, own, winnings)
        return SlumbotHand(position, winnings)

    def _verify_winnings(
        self, reply: dict[str, Any], state: BettingState, position: int, own: tuple[int, ...], winnings: int
    ) -> None:
        """Compare the winnings with the rules; at a showdown only where the opponent's cards are shown."""
        if state.is_showdown:
            if not reply.get("bot_hole_cards"):
                return
            other = self._cards(reply, "bot_hole_cards", self._definition.num_hole_cards)
            board = self._cards(reply, "board", sum(self._definition.num_board_cards))
            expected = payoffs_chips(state, (own, other) if position == 0 else (other, own), board)[position]
        else:
            expected = state.payoff_chips(position)
        if expected != winnings:
            raise self._nonsense(f"winnings of {winnings} chips after `{reply['action']}`; by the rules {expected}")

    def _betting(self, reply: dict[str, Any], before: BettingState) -> BettingState:
        """The state after the reply's betting, which must go on from `before`."""
        text = self._field(reply, "action", str)
        try:
            state = parse_moves(self._definition, text)
        except InputError as error:
            raise self._nonsense(f"the betting `{text[:80]}`: {error}") from None
        known = [action for actions in before.history for action in actions]
        played = [action for actions in state.history for action in actions]
        if played[: len(known)] != known:
            raise self._nonsense(f"the betting `{text[:80]}`, which does not go on from what was played")
        return state

    def _cards(self, reply: dict[str, Any], name: str, count: int) -> tuple[int, ...]:
        texts = self._field(reply, name, list)
        try:
            cards = self._definition.deck.parse("".join(map(str, texts)))
        except InputError as error:
            raise self._nonsense(f"`{name}` {texts}: {error}") from None
        if len(cards) < count:
            raise self._nonsense(f"`{name}` {texts}; expected {count} cards")
        return cards[:count]

    def _field(self, reply: dict[str, Any], name: str, kind: type[Any]) -> Any:
        value = reply.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self._nonsense(f"a reply without a proper `{name}`")
        return value

    def _post(self, what: str, content: dict[str, Any]) -> dict[str, Any]:
        url = f"{self._url}/api/{what}"
        if self._token is not None:
            content = {**content, "token": self._token}
        request = urllib.request.Request(
            url, json.dumps(content).encode(), {"Content-Type": "application/json", "User-Agent": "errai"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as answer:
                body = answer.read(_MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            body = error.read(_MOST_BYTES)
            if (reason := _error_message(body)) is None:
                raise NetworkError(f"`{url}` answered with status {error.code}") from None
            raise NetworkError(f"`{url}` answered: {reason}") from None
        except (OSError, ValueError) as error:
            raise NetworkError(f"`{url}` cannot be reached: {getattr(error, 'reason', error)}") from None
        if (reason := _error_message(body)) is not None:
            raise NetworkError(f"`{url}` answered: {reason}")
        reply = _decode(body)
        if reply is None:
            raise self._nonsense("a reply that is no JSON object")
        if isinstance(token := reply.get("token"), str):
            self._token = token
        return reply

    def _nonsense(self, what: str) -> NetworkError:
        return NetworkError(f"`{self._url}` sent {what}")


def parse_moves(definition: GameDefinition, text: str) -> BettingState:
    """The state after betting as Slumbot writes it."""
    state = initial_state(definition)
    position = 0
    while position < len(text):
        found = _MOVE.match(text, position)
        if found is None:
            raise InputError(f"`{text[position : position + 10]}` is no move")
        position = found.end()
        match found[1]:
            case "/":
                continue
            case "k" | "c":
                state = state.apply_call()
            case "f":
                state = state.apply_fold()
            case _:
                state = state.apply_raise(_before_street(state) + int(found[2]))
    return state


def format_move(state: BettingState, action: Action) -> str:
    """An action as Slumbot writes it."""
    match action:
        case Fold():
            return "f"
        case Call():
            return "c" if state.call_chips else "k"
        case Raise(total):
            return f"b{total - _before_street(state)}"


def _before_street(state: BettingState) -> int:
    """What each player had put in when this round began."""
    if state.round == 0:
        return 0
    begun = initial_state(state.definition)
    for action in (action for actions in state.history[:-1] for action in actions):
        begun = begun.apply(action)
    return max(begun.committed)


def _error_message(body: bytes) -> str | None:
    reply = _decode(body)
    message = None if reply is None else reply.get("error_msg")
    return None if message is None else "".join(filter(str.isprintable, str(message)))[:200]


def _decode(body: bytes) -> dict[str, Any] | None:
    try:
        reply = json.loads(body)
    except ValueError:
        return None
    return reply if isinstance(reply, dict) else None
