"""A client of the ACPC protocol 2.0.0: plays a match at any dealer, and keeps its own book.

    1. Connect, and send `VERSION:2.0.0`.
    2. Of every state that the dealer sends: when it is our turn, reply with an action; when the hand is over, book what
       it paid. Everything else, comments and lines that are no state included, asks for nothing.
    3. The match is over when the dealer closes the connection.

A state that comes twice is answered twice, as the dealer may ask again, and booked once.
"""

import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from errai.errors import InputError, NetworkError
from errai.games.acpc import MatchState, format_reply, parse_match_state
from errai.games.definition import GameDefinition
from errai.games.showdown import payoffs_chips
from errai.games.state import Action
from errai.play.acpc_connection import VERSION_LINE, LineConnection, PeerHungUp, describe_failure

_CONNECT_SECONDS = 30.0

ChooseAction = Callable[[MatchState], Action]


@dataclass
class ClientBook:
    """What a client saw of a match."""

    payoffs_chips: dict[int, int] = field(default_factory=dict)  # by the number of the hand
    num_ignored_lines: int = 0

    @property
    def winnings_chips(self) -> int:
        return sum(self.payoffs_chips.values())


def play_at_dealer(definition: GameDefinition, choose: ChooseAction, *, host: str, port: int) -> ClientBook:
    """Play until the dealer ends the match; `choose` is asked for every action."""
    book = ClientBook()
    with _connect(host, port) as connection:
        try:
            connection.send_line(VERSION_LINE)
            while True:
                reply = answer_line(definition, choose, connection.read_line(), book)
                if reply is not None:
                    connection.send_line(reply)
        except PeerHungUp:
            return book


def answer_line(definition: GameDefinition, choose: ChooseAction, line: str, book: ClientBook) -> str | None:
    """The reply to a line of the dealer, None where none is due; the payoff of a finished hand goes into `book`."""
    if line.startswith(("#", ";")):
        return None
    try:
        state = parse_match_state(definition, line)
        payoff_chips = _payoff_chips(state) if state.betting.is_terminal else None
        _verify_sees_own_cards(state)
    except InputError:
        book.num_ignored_lines += 1
        return None
    if payoff_chips is not None:
        book.payoffs_chips.setdefault(state.hand_number, payoff_chips)
    return format_reply(state, choose(state)) if state.betting.actor == state.position else None


def _payoff_chips(state: MatchState) -> int:
    first, second = state.hole_cards
    return payoffs_chips(state.betting, (first or (), second or ()), state.board)[state.position]


def _verify_sees_own_cards(state: MatchState) -> None:
    if state.hole_cards[state.position] is None:
        raise InputError(f"player {state.position} must see the own hole cards")


def _connect(host: str, port: int) -> LineConnection:
    try:
        return LineConnection(socket.create_connection((host, port), timeout=_CONNECT_SECONDS))
    except (OSError, OverflowError) as error:
        raise NetworkError(
            f"cannot connect to `{host}` port {port}: {describe_failure(error)}",
            hint="is the dealer there, and is this the port that it printed for this player?",
        ) from error
