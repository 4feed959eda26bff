"""A program that speaks the ACPC protocol, started by us as the competition starts it: with a host and a port.

    1. Listen on a free port of this machine, start `PROGRAM ... HOST PORT`, wait for its connection and its version.
    2. In every hand send it each state that a dealer would send: after every action of either player, and at the end.
       A state is sent when the program is next asked, or when the hand is over, so nothing waits for it in between.
    3. Hang up. A program that does not end by itself is terminated, and then killed, with everything that it started.

A program that does not start, hangs, dies, or answers with what is no legal action is named, with the last line that it
printed.
"""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from errai.errors import AgentError, NetworkError
from errai.games.acpc import MatchState, format_match_state
from errai.games.definition import GameDefinition
from errai.games.played_hand import Deal
from errai.games.state import Action, BettingState, initial_state
from errai.play.acpc_connection import LineConnection, PeerHungUp, PeerTimedOut
from errai.play.acpc_dealer import accept_player, listen, verify_version
from errai.play.acpc_referee import Ignored, judge_reply
from errai.play.match_limits import ANSWER_SECONDS, LOCAL_HOST

START_SECONDS = 60.0
_END_SECONDS = 5.0
_MOST_IGNORED_LINES = 1000
_SHOWN_CHARACTERS = 200


def find_program(text: str) -> list[str] | None:
    """The words of a command whose first is the path of an executable file; None for any other text."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if not words or os.sep not in words[0] or not Path(words[0]).is_file():
        return None
    found = shutil.which(words[0])
    return [found, *words[1:]] if found else None


class Program:
    """A program that plays hand after hand; it starts with the first one and ends when nobody needs it any more."""

    def __init__(
        self,
        command: Sequence[str],
        definition: GameDefinition,
        *,
        name: str,
        start_seconds: float = START_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.name = name
        self._command = list(command)
        self._definition = definition
        self._start_seconds = start_seconds
        self._answer_seconds = answer_seconds
        self._connection: LineConnection | None = None
        self._output: IO[bytes] | None = None
        self._num_hands = 0

    def sit_down(self, _generator: np.random.Generator) -> "ProgramHand":
        """The program at the table for one hand; its random numbers are its own."""
        if self._connection is None:
            self._connection = self._start()
        self._num_hands += 1
        return ProgramHand(self, self._num_hands - 1)

    def send(self, state: MatchState) -> None:
        """Show the program a state."""
        assert self._connection is not None
        try:
            deadline = time.monotonic() + self._answer_seconds
            self._connection.send_line(format_match_state(state), deadline=deadline)
        except PeerHungUp:
            raise self._failed("hung up", state) from None
        except PeerTimedOut:
            raise self._failed(f"did not read for {self._answer_seconds:g} seconds", state) from None

    def ask(self, state: MatchState) -> Action:
        """What the program does; the referee's verdict on its answer."""
        assert self._connection is not None
        deadline = time.monotonic() + self._answer_seconds
        for _ in range(_MOST_IGNORED_LINES):
            try:
                line = self._connection.read_line(deadline=deadline)
            except PeerHungUp:
                raise self._failed("hung up", state) from None
            except PeerTimedOut:
                raise self._failed(f"did not answer in {self._answer_seconds:g} seconds", state) from None
            verdict = judge_reply(state, line)
            if isinstance(verdict, Ignored):
                continue
            if verdict.is_invalid:
                raise self._failed(f"answered with {verdict.warning}".removesuffix(", became a call"), state)
            return verdict.action
        shown = line[:_SHOWN_CHARACTERS]
        raise self._failed(f"sent {_MOST_IGNORED_LINES:,} lines that answer nothing, the last `{shown}`", state)

    def _start(self) -> LineConnection:
        with listen(LOCAL_HOST, 0) as listening:
            host, port = listening.getsockname()[:2]
            # Not a pipe, which would fill up and stop a program that prints. It is closed when the program ends.
            output = tempfile.TemporaryFile()  # noqa: SIM115
            self._output = output
            try:
                process = subprocess.Popen(
                    [*self._command, host, str(port)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # Ctrl-C is ours; the program is ended when we are done
                )
            except OSError as error:
                raise AgentError(f"program `{self.name}` cannot be started: {error.strerror}") from None
            connections: list[LineConnection] = []
            weakref.finalize(self, _end, process, connections, output)
            deadline = time.monotonic() + self._start_seconds
            try:
                connections.append(
                    accept_player(self.name, listening, deadline, is_gone=lambda: process.poll() is not None)
                )
                verify_version(self.name, connections[0], deadline)
            except NetworkError as error:
                reason = f"program {str(error).removeprefix('player ')}"
                if (status := process.poll()) is not None:
                    reason = f"program `{self.name}` ended with status {status} before it connected"
                hint = f"it was started as `{self._started(port)}`"
                raise AgentError(f"{reason}{self._last_words()}", hint=hint) from None
        return connections[0]

    def _started(self, port: int) -> str:
        return shlex.join([*self._command, LOCAL_HOST, str(port)])

    def _failed(self, what: str, state: MatchState) -> AgentError:
        return AgentError(f"program `{self.name}` {what} at `{format_match_state(state)}`{self._last_words()}")

    def _last_words(self) -> str:
        """The last line that the program printed."""
        if self._output is None:
            return ""
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(size - 4096, 0))
        lines = self._output.read().decode("utf-8", errors="replace").split("\n")
        self._output.seek(0, os.SEEK_END)
        printed = [text for line in lines if (text := "".join(filter(str.isprintable, line)).strip())]
        return f"; it printed `{printed[-1][:_SHOWN_CHARACTERS]}`" if printed else ""


@dataclass
class ProgramHand:
    """A program as a player of one hand."""

    program: Program
    number: int
    num_sent: int = 0  # states of this hand

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        """Its answer, once it has seen everything up to here."""
        assert state.actor is not None
        own = tuple(hole_cards)
        deal = Deal((own, ()) if state.actor == 0 else ((), own), board)
        for before in self._unseen(state):
            self.program.send(_view(before, deal, position=state.actor, number=self.number))
        return self.program.ask(_view(state, deal, position=state.actor, number=self.number))

    def see_end(self, position: int, betting: BettingState, deal: Deal) -> None:
        """Show the rest of the hand, at a showdown with the opponent's cards."""
        for state in self._unseen(betting):
            self.program.send(deal.view(state, position=position, hand_number=self.number))

    def _unseen(self, state: BettingState) -> list[BettingState]:
        """The states of this hand up to `state` that were not sent yet."""
        seen = initial_state(state.definition)
        states = [seen]
        for action in (action for actions in state.history for action in actions):
            seen = seen.apply(action)
            states.append(seen)
        unseen = states[self.num_sent :]
        self.num_sent = len(states)
        return unseen


def _view(state: BettingState, deal: Deal, *, position: int, number: int) -> MatchState:
    """What the player at `position`, whose cards alone are known here, sees before the hand is over."""
    hole_cards = (deal.hole_cards[0], None) if position == 0 else (None, deal.hole_cards[1])
    return MatchState(position, number, state, hole_cards, deal.board_at(state))


def _end(process: subprocess.Popen[bytes], connections: list[LineConnection], output: IO[bytes]) -> None:
    """Hang up, wait, terminate, kill: the program and whatever it started."""
    for connection in connections:
        connection.close()
    # A program that never connected has nothing to notice.
    patience = _END_SECONDS if connections else 0.0
    for ending in (None, signal.SIGTERM, signal.SIGKILL):
        if ending is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, ending)
        try:
            process.wait(patience)
            break
        except subprocess.TimeoutExpired:
            patience = _END_SECONDS
    output.close()
