"""Playing on the page: a person against a stored strategy, hand by hand.

What is sent to the page is what the player may see: the opponent's cards only at a showdown. A session stays until
newer ones take its place.
"""

import secrets
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Any

from errai.agents.advice import advise
from errai.agents.agent import CheckedAgent
from errai.agents.loading import stored_agent
from errai.agents.starting import start_of
from errai.errors import InputError
from errai.games.acpc import format_action, parse_action
from errai.games.action_text import describe_action
from errai.games.menu_sizes import chips_before_street
from errai.games.played_hand import PlayedHand
from errai.games.state import Action
from errai.play.session import PlaySession, Table
from errai.serve.shelf import Shelf
from errai.solutions.stored_strategy import StoredStrategy
from errai.storage.acpc_log import format_hand
from errai.storage.phh import format_phh

MOST_SESSIONS = 8
_MOST_HANDS_KEPT = 10_000
_MOST_OFFERED = 8


@dataclass
class _Seat:
    """A session, and what it is played against."""

    strategy_id: str
    stored: StoredStrategy
    session: PlaySession
    hands: deque[PlayedHand]  # those that are over


class PlayRoom:
    """The sessions that are being played."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._seats: OrderedDict[str, _Seat] = OrderedDict()  # the one used last at the end

    async def start(self, content: dict[str, Any]) -> dict[str, Any]:
        """A new session against a strategy, with its first hand."""
        _verify_keys(content, required={"id"}, optional={"seed"})
        strategy_id, seed = content["id"], content.get("seed", secrets.randbits(31))
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**31:
            raise InputError("`seed` must be a whole number from 0 to 2147483647")
        if not isinstance(strategy_id, str):
            raise InputError("`id` must be text")

        def begin(stored: StoredStrategy, _: tuple[int, ...]) -> _Seat:
            start = start_of(stored)
            agent = CheckedAgent(stored_agent(stored, name=strategy_id))
            hands: deque[PlayedHand] = deque(maxlen=_MOST_HANDS_KEPT)
            session = PlaySession(start, agent, seed=seed, on_hand=hands.append)
            session.deal()
            return _Seat(strategy_id, stored, session, hands)

        seat = await self._shelf.use(strategy_id, begin)
        key = secrets.token_urlsafe(12)
        self._seats[key] = seat
        while len(self._seats) > MOST_SESSIONS:
            self._seats.popitem(last=False)
        return {"session": key, **_table_json(seat)}

    async def deal(self, content: dict[str, Any]) -> dict[str, Any]:
        """The next hand."""
        _verify_keys(content, required={"session"})
        seat = self._find(content["session"])

        def work(_: StoredStrategy, __: tuple[int, ...]) -> dict[str, Any]:
            seat.session.deal()
            return _table_json(seat)

        return await self._shelf.use(seat.strategy_id, work)

    async def act(self, content: dict[str, Any]) -> dict[str, Any]:
        """An action of the player, as the ACPC writes it; with `advice`, also what the strategy thinks of it."""
        _verify_keys(content, required={"session", "action"}, optional={"advice"})
        seat = self._find(content["session"])
        text, with_advice = content["action"], content.get("advice", False)
        if not isinstance(text, str) or not isinstance(with_advice, bool):
            raise InputError("`action` must be text and `advice` true or false")

        def work(_: StoredStrategy, __: tuple[int, ...]) -> dict[str, Any]:
            table = seat.session.table
            if table.is_over:
                raise InputError("the hand is over", hint="deal the next one")
            action = parse_action(table.state, text[:50])
            advice = advise(seat.stored, table.state, table.board, table.own_cards, action) if with_advice else None
            seat.session.act(action)
            return {**_table_json(seat), "advice": None if advice is None else advice.to_json()}

        return await self._shelf.use(seat.strategy_id, work)

    def table(self, key: str) -> dict[str, Any]:
        """The hand as it stands."""
        return _table_json(self._find(key))

    def history(self, key: str) -> str:
        """The hands that are over: in PHH, or where PHH does not know the game, as the ACPC's dealer logs them."""
        hands = self._find(key).hands
        try:
            return "".join(f"[{number}]\n{format_phh(hand)}\n" for number, hand in enumerate(hands, 1))
        except InputError:
            return "".join(f"{format_hand(hand)}\n" for hand in hands)

    def _find(self, key: object) -> _Seat:
        if not isinstance(key, str) or key not in self._seats:
            raise InputError("this session is over: newer ones have taken its place", hint="start another one")
        self._seats.move_to_end(key)
        return self._seats[key]


def _verify_keys(
    content: dict[str, Any], *, required: set[str], optional: frozenset[str] | set[str] = frozenset()
) -> None:
    missing, unknown = required - content.keys(), content.keys() - required - optional
    if missing:
        raise InputError(f"`{min(missing)}` is missing")
    if unknown:
        raise InputError(f"`{min(unknown)[:50]}` is not known here")


def _table_json(seat: _Seat) -> dict[str, Any]:
    table = seat.session.table
    deck = seat.session.start.definition.deck
    return {
        "id": seat.strategy_id,
        "number": table.number,
        "seat": table.seat,
        "position": table.position,
        "own_cards": deck.text(sorted(table.own_cards, reverse=True)),
        "board": deck.text(table.board),
        "pot_chips": table.pot_chips,
        "call_chips": 0 if table.is_over else table.state.call_chips,
        "betting": table.betting,
        "events": [
            {"player": event.player, "is_own": event.is_own, "text": event.text, "round": event.round}
            for event in table.events
        ],
        "actions": [
            {"action": _written(table, action), "text": describe_action(table.state, action)}
            for action in _offered(seat, table)
        ],
        "sizes": _sizes_json(table),
        "opponent_cards": None
        if table.opponent_cards is None
        else deck.text(sorted(table.opponent_cards, reverse=True)),
        "won_chips": None if table.won_chips is None else float(table.won_chips),
        "is_over": table.is_over,
        "result": seat.session.result().to_json(),
    }


def _sizes_json(table: Table) -> dict[str, Any] | None:
    """The raises of a no-limit game, in chips of this street; `r` and the chips before it and of it is the action."""
    bounds = None if table.is_over or table.state.definition.is_limit else table.state.raise_bounds()
    if bounds is None:
        return None
    before = chips_before_street(table.state)
    low, high = bounds
    word = "raise" if max(table.state.committed) > before else "bet"
    return {"word": word, "least_chips": low - before, "most_chips": high - before, "before_chips": before}


def _written(table: Table, action: Action) -> str:
    return format_action(action, is_limit=table.state.definition.is_limit)


def _offered(seat: _Seat, table: Table) -> list[Action]:
    """What the page offers: of a game with every size of raise, a few from the smallest to all-in."""
    if table.is_over:
        return []
    spot = seat.session.start.spot
    actions = table.state.legal_actions() if spot is None else spot.actions(table.state)
    if len(actions) <= _MOST_OFFERED:
        return list(actions)
    step = (len(actions) - 3) / (_MOST_OFFERED - 3)
    return [*actions[:2], *(actions[2 + round(number * step)] for number in range(_MOST_OFFERED - 2))]
