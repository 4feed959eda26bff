"""Lines of text over TCP, as the ACPC protocol sends them: read with a deadline, ended by LF or CR LF.

A peer never gets more memory or time than it is allowed: a line that is too long is thrown away while it comes in, and
a peer that sends single bytes, or never reads, runs into the deadline like one that sends nothing.
"""

import os
import socket
import time

VERSION_LINE = "VERSION:2.0.0"
LONGEST_LINE_BYTES = 8192
_CHUNK_BYTES = 65536
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), 127)}


class PeerHungUp(Exception):
    """The other side closed the connection, or the network did."""


class PeerTimedOut(Exception):
    """The other side did not read or write in time."""


class LineConnection:
    """One end of a connection; `close` it, or use it in a `with`."""

    def __init__(self, peer: socket.socket) -> None:
        self._socket = peer
        self._received = bytearray()
        self._is_too_long = False
        # A decision is one small packet each way: waiting to fill packets would cost 40 ms each.
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "LineConnection":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send_line(self, text: str, *, deadline: float | None = None) -> None:
        """Send one line; `deadline` is a time of `time.monotonic`."""
        try:
            self._socket.settimeout(_seconds_until(deadline))
            self._socket.sendall(f"{text}\r\n".encode())
        except TimeoutError:
            raise PeerTimedOut from None
        except OSError:
            raise PeerHungUp from None

    def read_line(self, *, deadline: float | None = None) -> str:
        """The next line without its end; an empty one for a line that is too long.

        Control characters and bytes beyond ASCII are written as `\\x1b`: whoever prints a line prints plain text.
        """
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LONGEST_LINE_BYTES:
                self._is_too_long = True
                self._received.clear()
            self._receive(deadline)
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        is_too_long, self._is_too_long = self._is_too_long or len(line) > LONGEST_LINE_BYTES, False
        return "" if is_too_long else _plain_text(line.rstrip(b"\r"))

    def _receive(self, deadline: float | None) -> None:
        try:
            self._socket.settimeout(_seconds_until(deadline))
            chunk = self._socket.recv(_CHUNK_BYTES)
        except TimeoutError:
            raise PeerTimedOut from None
        except OSError:
            raise PeerHungUp from None
        if not chunk:
            raise PeerHungUp
        self._received += chunk


def describe_failure(error: OSError | OverflowError) -> str:
    """What went wrong, in the system's words; a port beyond 65535 is an `OverflowError` to Python."""
    if isinstance(error, socket.gaierror) or not isinstance(error, OSError) or error.errno is None:
        return str(error.args[-1])
    # Its own text can repeat the address.
    return os.strerror(error.errno)


def _plain_text(line: bytes) -> str:
    return line.decode("ascii", errors="backslashreplace").translate(_ESCAPES)


def _seconds_until(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise PeerTimedOut
    return seconds
