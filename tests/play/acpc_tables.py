"""A dealer in a thread of its own, and clients of every kind to sit down with it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from errai.errors import NetworkError
from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.state import CALL
from errai.play.acpc_client import ChooseAction, ClientBook, play_at_dealer
from errai.play.acpc_dealer import Dealer, MatchBook
from errai.play.match_limits import MatchLimits
from errai.play.schedule import DealerSchedule

Result = TypeVar("Result")

# Longer than anything here takes; a test that waits for it fails.
PATIENCE_SECONDS = 60.0


class RawClient:
    """A socket that sends whatever it likes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
        self._lines = self.socket.makefile("r", newline="\r\n")

    def send(self, text: str | bytes) -> None:
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def send_line(self, text: str) -> None:
        self.send(f"{text}\r\n")

    def read_line(self) -> str:
        """The next line; empty at the end."""
        return self._lines.readline().removesuffix("\r\n")

    def rest(self) -> list[str]:
        """All lines until the dealer hangs up."""
        return [line.removesuffix("\r\n") for line in self._lines]

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


@dataclass
class Table:
    """A match in progress: seat 0 is played by one of our clients, seat 1 by the test."""

    ports: tuple[int, int]
    hands: list[PlayedHand] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    client_book: ClientBook | None = None
    finish: Callable[[], MatchBook] = lambda: pytest.fail("the match has not begun")


def in_thread(work: Callable[[], Result]) -> Callable[[], Result]:
    """Start `work`; call what is returned for its result, or the error that it ended with."""
    outcome: list[Result | Exception] = []

    def run() -> None:
        try:
            outcome.append(work())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def result() -> Result:
        thread.join(PATIENCE_SECONDS)
        assert outcome, "still running"
        found = outcome[0]
        if isinstance(found, Exception):
            raise found
        return found

    return result


@contextmanager
def opened_table(
    definition: GameDefinition,
    *,
    num_hands: int = 10,
    seed: int = 1,
    is_duplicate: bool = False,
    choose: ChooseAction = lambda _: CALL,
    **limits: Any,
) -> Iterator[tuple[Table, RawClient]]:
    """The dealer, our client in seat 0 and a raw one in seat 1, who acts first in hold'em and must say its version."""
    schedule = DealerSchedule(num_hands, seed, is_duplicate)
    with Dealer(definition, schedule, limits=MatchLimits(**{"start_seconds": 30.0, **limits})) as dealer:
        table = Table(dealer.ports)
        match = in_thread(lambda: dealer.play(on_hand=table.hands.append, on_warning=table.warnings.append))
        client = in_thread(lambda: play_at_dealer(definition, choose, host="127.0.0.1", port=dealer.ports[0]))

        def finish() -> MatchBook:
            try:
                return match()
            finally:
                with suppress(NetworkError):  # a match that ended in its first hand
                    table.client_book = client()

        table.finish = finish
        raw = RawClient(dealer.ports[1])
        try:
            yield table, raw
        finally:
            raw.close()
            with suppress(NetworkError):  # the test has seen it from `finish`, or did not ask
                match()
