"""A dealer that speaks the ACPC protocol 2.0.0 to two clients.

    1. Listen on two ports, one for each seat. Wait for both clients and their `VERSION` lines.
    2. For every hand: send both players what they may see; wait for the reply of the one to act, until a time limit;
       let the referee judge it; at the end send both the final state, and pay.
    3. Close both connections.

A player who hangs up, runs out of time or makes too many invalid actions forfeits: the match ends at once, the hand
that was being played is not paid, and the books show the hands that were finished. The dealer only ever waits for the
player to act, so one thread and blocking sockets with deadlines are enough.
"""

import re
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from errai.errors import NetworkError
from errai.evaluate.statistics import Estimate, estimate_mean
from errai.games.acpc import MatchState, format_match_state
from errai.games.definition import GameDefinition
from errai.games.played_hand import Deal, PlayedHand
from errai.games.state import Action, BettingState
from errai.play.acpc_connection import VERSION_LINE, LineConnection, PeerHungUp, PeerTimedOut, describe_failure
from errai.play.acpc_referee import Ignored, judge_reply
from errai.play.hand_loop import play_hand
from errai.play.hand_start import HandStart
from errai.play.match_limits import LOCAL_HOST, MatchLimits
from errai.play.schedule import MatchSchedule
from errai.reports.dealer import DealerReport, Forfeit

_SECONDS_BETWEEN_LOOKS = 0.2  # at whether a program that is to connect still runs
_VERSION = re.compile(
    r"VERSION:2\.0\.[0-9]+\s*"
)  # the first two numbers say whether two programs understand each other

OnHand = Callable[[PlayedHand], None]
OnWarning = Callable[[str], None]


@dataclass
class MatchBook:
    """What the dealer writes down, by seat."""

    definition: GameDefinition
    schedule: MatchSchedule
    names: tuple[str, str]
    payoffs_chips: list[int] = field(default_factory=list)  # what seat 0 won, by the number of the hand
    invalid_actions: list[int] = field(default_factory=lambda: [0, 0])
    used_seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    forfeit: Forfeit | None = None

    @property
    def num_hands(self) -> int:
        return len(self.payoffs_chips)

    @property
    def winnings_chips(self) -> tuple[int, int]:
        return sum(self.payoffs_chips), -sum(self.payoffs_chips)

    def estimate_mbb(self) -> Estimate | None:
        """What seat 0 wins per hand; None before the first hand is over.

        A duplicate match is counted by deals, if it was not forfeited before all of them were played twice.
        """
        if not self.payoffs_chips:
            return None
        winnings = np.array(self.payoffs_chips, dtype=np.float64) * (1000 / self.definition.unit_chips)
        is_whole = self.num_hands == self.schedule.num_hands
        return estimate_mean(self.schedule.by_deal(winnings).mean(axis=1) if is_whole else winnings)

    def report(self) -> DealerReport:
        first, second = self.invalid_actions
        first_seconds, second_seconds = self.used_seconds
        return DealerReport(
            self.definition.name,
            self.names,
            self.num_hands,
            self.winnings_chips,
            self.estimate_mbb(),
            (first, second),
            (first_seconds, second_seconds),
            self.forfeit,
        )


class _Forfeited(Exception):
    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


class Dealer:
    """Two open ports, then one match; `close` it, or use it in a `with`."""

    def __init__(
        self,
        definition: GameDefinition,
        schedule: MatchSchedule,
        *,
        names: tuple[str, str] = ("a", "b"),
        limits: MatchLimits | None = None,
        host: str = LOCAL_HOST,
        ports: tuple[int, int] = (0, 0),
    ) -> None:
        self.definition = definition
        self.schedule = schedule
        self.names = names
        self.limits = limits or MatchLimits()
        self._sockets: list[socket.socket] = []
        try:
            for port in ports:
                self._sockets.append(listen(host, port))
        except BaseException:
            self.close()
            raise
        first, second = (listening.getsockname()[1] for listening in self._sockets)
        self.ports: tuple[int, int] = (first, second)

    def __enter__(self) -> "Dealer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for listening in self._sockets:
            listening.close()

    def play(self, *, on_hand: OnHand | None = None, on_warning: OnWarning | None = None) -> MatchBook:
        """Wait for both clients and play the match with them."""
        deadline = time.monotonic() + self.limits.start_seconds
        connections: list[LineConnection] = []
        try:
            for name, listening in zip(self.names, self._sockets, strict=True):
                connections.append(accept_player(name, listening, deadline))
            for name, connection in zip(self.names, connections, strict=True):
                verify_version(name, connection, deadline)
            return _Table(self, connections, on_hand=on_hand, on_warning=on_warning).play_match()
        finally:
            for connection in connections:
                connection.close()


class _Table:
    """The match once both clients are connected."""

    def __init__(
        self,
        dealer: Dealer,
        connections: list[LineConnection],
        *,
        on_hand: OnHand | None,
        on_warning: OnWarning | None,
    ) -> None:
        self._start = HandStart(dealer.definition)
        self._schedule = dealer.schedule
        self._limits = dealer.limits
        self._match_seconds = dealer.limits.average_hand_seconds * dealer.schedule.num_hands
        self._connections = connections
        self._on_hand = on_hand
        self._on_warning = on_warning
        self._book = MatchBook(dealer.definition, dealer.schedule, dealer.names)
        self._hand_seconds = [0.0, 0.0]  # of each seat in the hand that is being played

    def play_match(self) -> MatchBook:
        for hand_number in range(self._schedule.num_hands):
            try:
                hand = self._play_hand(hand_number)
                self._pay(hand)
                self.show(hand.deal, hand.betting, hand_number)
            except _Forfeited as forfeited:
                # A player who leaves after the last hand was paid has played the whole match.
                if self._book.num_hands < self._schedule.num_hands:
                    self._book.forfeit = Forfeit(self._book.names[forfeited.seat], hand_number, forfeited.reason)
                break
        return self._book

    def _play_hand(self, hand_number: int) -> PlayedHand:
        deal = self._schedule.deal(self._start, hand_number)
        first, second = self._seats(hand_number)
        self._hand_seconds = [0.0, 0.0]
        players = (_Client(self, first, deal, hand_number), _Client(self, second, deal, hand_number))
        betting = play_hand(self._start.state, deal, players)
        return PlayedHand(hand_number, deal, betting, (self._book.names[first], self._book.names[second]))

    def show(self, deal: Deal, betting: BettingState, hand_number: int) -> None:
        """Send both players what they may see."""
        for player, seat in enumerate(self._seats(hand_number)):
            self._send(seat, deal.view(betting, position=player, hand_number=hand_number))

    def _pay(self, hand: PlayedHand) -> None:
        # Whole, as the protocol has whole games only.
        self._book.payoffs_chips.append(int(hand.payoffs_chips[self._schedule.position_of(hand.number, 0)]))
        if self._on_hand is not None:
            self._on_hand(hand)

    def _seats(self, hand_number: int) -> tuple[int, int]:
        """The seats of player 0 and player 1."""
        return self._schedule.seat_of(hand_number, 0), self._schedule.seat_of(hand_number, 1)

    def _send(self, seat: int, view: MatchState) -> None:
        limit = self._limits.response_seconds
        try:
            self._connections[seat].send_line(format_match_state(view), deadline=time.monotonic() + limit)
        except PeerHungUp:
            raise _Forfeited(seat, "hung up") from None
        except PeerTimedOut:
            raise _Forfeited(seat, f"did not read for {limit:g} seconds") from None

    def ask(self, seat: int, asked: MatchState) -> Action:
        """The action of the player to act, and the time it took on the player's clocks."""
        used_seconds = self._book.used_seconds
        left, limit = min(
            (self._limits.response_seconds, "an answer"),
            (self._limits.hand_seconds - self._hand_seconds[seat], "a hand"),
            (self._match_seconds - used_seconds[seat], "the match"),
        )
        started = time.monotonic()
        try:
            return self._read_action(seat, asked, deadline=started + left)
        except PeerHungUp:
            raise _Forfeited(seat, "hung up") from None
        except PeerTimedOut:
            raise _Forfeited(seat, f"ran out of the time for {limit}") from None
        finally:
            seconds = time.monotonic() - started
            self._hand_seconds[seat] += seconds
            used_seconds[seat] += seconds

    def _read_action(self, seat: int, asked: MatchState, *, deadline: float) -> Action:
        while True:
            verdict = judge_reply(asked, self._connections[seat].read_line(deadline=deadline))
            if isinstance(verdict, Ignored):
                self._warn(seat, asked, f"ignored: {verdict.reason}")
                if time.monotonic() > deadline:
                    raise PeerTimedOut
                continue
            if verdict.warning is not None:
                self._warn(seat, asked, verdict.warning)
            if verdict.is_invalid:
                self._count_invalid_action(seat)
            return verdict.action

    def _count_invalid_action(self, seat: int) -> None:
        self._book.invalid_actions[seat] += 1
        count, limit = self._book.invalid_actions[seat], self._limits.max_invalid_actions
        if limit is not None and count > limit:
            raise _Forfeited(seat, f"made {count} invalid actions of {limit} allowed")

    def _warn(self, seat: int, asked: MatchState, message: str) -> None:
        if self._on_warning is not None:
            self._on_warning(f"player `{self._book.names[seat]}`, hand {asked.hand_number}: {message}")


@dataclass(frozen=True)
class _Client:
    """A client as a player of one hand: both players see the state, then this one is asked."""

    table: _Table
    seat: int
    deal: Deal
    hand_number: int

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        self.table.show(self.deal, state, self.hand_number)
        assert state.actor is not None
        return self.table.ask(self.seat, self.deal.view(state, position=state.actor, hand_number=self.hand_number))


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for a player; port 0 is any that is free."""
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        raise NetworkError(
            f"cannot listen on `{host}` port {port}: {describe_failure(error)}",
            hint="port 0 takes any port that is free",
        ) from error


def accept_player(
    name: str, listening: socket.socket, deadline: float, *, is_gone: Callable[[], bool] = lambda: False
) -> LineConnection:
    """The connection of a player; an error when it does not come in time, or cannot come any more."""
    host, port = listening.getsockname()[:2]
    while True:
        left = deadline - time.monotonic()
        listening.settimeout(min(max(left, 0.001), _SECONDS_BETWEEN_LOOKS))
        try:
            connected, _ = listening.accept()
        except TimeoutError:
            if left > _SECONDS_BETWEEN_LOOKS and not is_gone():
                continue
            raise NetworkError(
                f"player `{name}` did not connect to port {port} in time",
                hint=f"`errai agent AGENT {host} {port}` connects one; `--start-timeout` sets the time limit",
            ) from None
        return LineConnection(connected)


def verify_version(name: str, connection: LineConnection, deadline: float) -> None:
    """Read the line with which a player begins."""
    try:
        line = connection.read_line(deadline=deadline)
    except PeerHungUp:
        raise NetworkError(f"player `{name}` hung up before the first hand") from None
    except PeerTimedOut:
        raise NetworkError(
            f"player `{name}` connected and sent no `{VERSION_LINE}` in time",
            hint="`--start-timeout` sets the time limit",
        ) from None
    if not _VERSION.fullmatch(line):
        raise NetworkError(f"player `{name}` must first send `{VERSION_LINE}`; got `{line[:40]}`")
