import socket
import time
from collections.abc import Iterator

import pytest

from errai.play.acpc_connection import LONGEST_LINE_BYTES, LineConnection, PeerHungUp, PeerTimedOut

Ends = tuple[LineConnection, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A connection, and the bare socket at its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        peer = socket.create_connection(listening.getsockname())
        connected, _ = listening.accept()
    with peer, LineConnection(connected) as connection:
        yield connection, peer


def soon() -> float:
    return time.monotonic() + 30


def test_lines_end_with_lf_or_cr_lf_however_they_are_cut_into_packets(ends: Ends) -> None:
    connection, peer = ends
    for piece in (b"fir", b"st\r", b"\nsecond\nthird\r\n", b"\r\nlast\r\n"):
        peer.sendall(piece)
    assert [connection.read_line(deadline=soon()) for _ in range(5)] == ["first", "second", "third", "", "last"]


def test_bytes_that_a_terminal_would_obey_are_written_as_plain_text(ends: Ends) -> None:
    connection, peer = ends
    peer.sendall(b"\xff\x00c\x1b[2J\x7f\t\n")
    assert connection.read_line(deadline=soon()) == r"\xff\x00c\x1b[2J\x7f\x09"


@pytest.mark.parametrize("length", [LONGEST_LINE_BYTES + 1, 20 * LONGEST_LINE_BYTES])
def test_a_line_that_is_too_long_is_empty_and_the_next_one_is_whole(ends: Ends, length: int) -> None:
    connection, peer = ends
    peer.sendall(b"x" * length + b"\nnext\n" + b"y" * LONGEST_LINE_BYTES + b"\n")
    assert connection.read_line(deadline=soon()) == ""
    assert connection.read_line(deadline=soon()) == "next"
    assert connection.read_line(deadline=soon()) == "y" * LONGEST_LINE_BYTES


def test_a_peer_that_says_nothing_or_half_a_line_times_out(ends: Ends) -> None:
    connection, peer = ends
    peer.sendall(b"half a li")
    with pytest.raises(PeerTimedOut):
        connection.read_line(deadline=time.monotonic() + 0.05)
    with pytest.raises(PeerTimedOut):
        connection.read_line(deadline=time.monotonic() - 1)


def test_a_peer_that_never_reads_times_out_when_the_network_holds_no_more(
    ends: Ends,
) -> None:
    connection, _peer = ends
    with pytest.raises(PeerTimedOut):
        connection.send_line("x" * 50_000_000, deadline=time.monotonic() + 0.2)


def test_a_peer_that_hangs_up_is_noticed_by_reading_and_by_writing(ends: Ends) -> None:
    connection, peer = ends
    peer.close()
    with pytest.raises(PeerHungUp):
        connection.read_line(deadline=soon())
    # The first line may still be taken by the network.
    connection.send_line("x", deadline=soon())
    time.sleep(0.05)
    with pytest.raises(PeerHungUp):
        connection.send_line("x" * 50_000_000, deadline=soon())
