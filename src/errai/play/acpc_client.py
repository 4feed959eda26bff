"""A client of the ACPC protocol 2.0.0: plays a match at any dealer, and keeps its own book.

    1. Connect, and send `VERSION:2.0.0`.
    2. Read every state that the dealer sends: if it is our turn, reply with an action; if the hand is over, book its
       payoff. Other states and comments need no answer.
    3. The match is over when the dealer closes the connection.

A state that comes twice is answered twice, as the dealer may ask again, and booked once. A line that is no state of the
game, and a dealer that sends nothing for too long, end the match with an error: a client that waited in silence would
wait for ever.
"""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from errai.errors import InputError, NetworkError
from errai.evaluate.statistics import estimate_mean
from errai.games.acpc import MatchState, format_reply, parse_match_state
from errai.games.definition import GameDefinition
from errai.games.showdown import payoffs_chips
from errai.games.state import Action
from errai.play.acpc_connection import (
    LONGEST_LINE_BYTES,
    VERSION_LINE,
    LineConnection,
    PeerHungUp,
    PeerTimedOut,
    describe_failure,
)
from errai.play.match_limits import SILENCE_SECONDS
from errai.reports.dealer import ClientReport

_CONNECT_SECONDS = 30.0
_SHOWN_CHARACTERS = 200

ChooseAction = Callable[[MatchState], Action]


@dataclass
class ClientBook:
    """What a client saw of a match."""

    definition: GameDefinition
    payoffs_chips: dict[int, int] = field(default_factory=dict)  # by the number of the hand

    @property
    def winnings_chips(self) -> int:
        return sum(self.payoffs_chips.values())

    def report(self, agent: str) -> ClientReport:
        """The match of a client that played `agent`; at least one hand must be over."""
        estimate = estimate_mean(list(self.payoffs_chips.values())).scaled(1000 / self.definition.unit_chips)
        return ClientReport(agent, self.definition.name, len(self.payoffs_chips), self.winnings_chips, estimate)


def play_at_dealer(
    definition: GameDefinition,
    choose: ChooseAction,
    *,
    host: str,
    port: int,
    silence_seconds: float = SILENCE_SECONDS,
) -> ClientBook:
    """Play until the dealer ends the match; `choose` is asked for every action."""
    if not silence_seconds > 0:
        raise InputError(f"the time limit must be positive; got {silence_seconds:g} seconds")
    book = ClientBook(definition)
    with _connect(host, port) as connection:
        try:
            connection.send_line(VERSION_LINE)
            while True:
                deadline = time.monotonic() + silence_seconds
                reply = answer_line(definition, choose, connection.read_line(deadline=deadline), book)
                if reply is not None:
                    connection.send_line(reply, deadline=time.monotonic() + silence_seconds)
        except PeerHungUp:
            if not book.payoffs_chips:
                raise NetworkError(
                    f"the dealer at `{host}` port {port} hung up before the first hand was over",
                    hint="the dealer's own messages should say why",
                ) from None
            return book
        except PeerTimedOut:
            raise NetworkError(
                f"the dealer at `{host}` port {port} was silent for {silence_seconds:g} seconds",
                hint="`--timeout SECONDS` waits longer",
            ) from None


def answer_line(definition: GameDefinition, choose: ChooseAction, line: str, book: ClientBook) -> str | None:
    """The reply to a line of the dealer, None where none is due; the payoff of a finished hand goes into `book`."""
    if line.startswith(("#", ";")):
        return None
    try:
        state = parse_match_state(definition, line)
        _verify_sees_own_cards(state)
        payoff_chips = _payoff_chips(state) if state.betting.is_terminal else None
    except InputError as error:
        raise _unplayable(definition, line, error) from error
    if payoff_chips is not None:
        book.payoffs_chips.setdefault(state.hand_number, payoff_chips)
    return format_reply(state, choose(state)) if state.betting.actor == state.position else None


def _payoff_chips(state: MatchState) -> int:
    first, second = state.hole_cards
    # Whole, as the protocol has whole games only.
    return int(payoffs_chips(state.betting, (first or (), second or ()), state.board)[state.position])


def _verify_sees_own_cards(state: MatchState) -> None:
    if state.hole_cards[state.position] is None:
        raise InputError(f"player {state.position} must see the own hole cards")


def _unplayable(definition: GameDefinition, line: str, error: InputError) -> NetworkError:
    shown = line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS]}..."
    if not line:
        shown, error = "", InputError(f"it is empty, or longer than {LONGEST_LINE_BYTES:,} bytes")
    reason = str(error).replace(line, shown) if line else str(error)
    cards = f"{definition.name} has the ranks {' '.join(definition.deck.rank_names)} and the suits "
    return NetworkError(
        f"the dealer sent `{shown}`, which is no state of `{definition.name}`: {reason}",
        hint=f"`--game` must name the game that the dealer deals; {cards}{' '.join(definition.deck.suit_names)}",
    )


def _connect(host: str, port: int) -> LineConnection:
    try:
        return LineConnection(socket.create_connection((host, port), timeout=_CONNECT_SECONDS))
    except (OSError, OverflowError) as error:
        raise NetworkError(
            f"cannot connect to `{host}` port {port}: {describe_failure(error)}",
            hint="is the dealer running, and is this the port that it printed for this player?",
        ) from error
