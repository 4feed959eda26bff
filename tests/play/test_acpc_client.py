import random
import socket

import pytest
from acpc_tables import in_thread

from errai.errors import NetworkError
from errai.games.acpc import MatchState
from errai.games.library import load_game
from errai.games.state import CALL, Action
from errai.play.acpc_client import ClientBook, answer_line, play_at_dealer

NO_LIMIT = load_game("holdem.nolimit.2p")
OUR_TURN = "MATCHSTATE:1:7::|TdAs"
THEIR_TURN = "MATCHSTATE:0:7::TdAs|"
WON_BY_FOLD = "MATCHSTATE:0:7:r300f:TdAs|"
SHOWDOWN = "MATCHSTATE:0:8:cc/cc/cc/cc:TdAs|2c7d/AhKs3d/9c/9h"


def call(_: MatchState) -> Action:
    return CALL


def answer(line: str, book: ClientBook | None = None) -> str | None:
    return answer_line(NO_LIMIT, call, line, book if book is not None else ClientBook())


def test_a_state_in_which_it_is_our_turn_is_repeated_with_the_action() -> None:
    assert answer(OUR_TURN) == f"{OUR_TURN}:c"


@pytest.mark.parametrize("line", [THEIR_TURN, SHOWDOWN, "# comment", "; comment"])
def test_nothing_else_is_answered(line: str) -> None:
    book = ClientBook()
    assert answer(line, book) is None
    assert book.num_ignored_lines == 0


def test_finished_hands_are_booked_once_however_often_they_are_told() -> None:
    book = ClientBook()
    for line in (SHOWDOWN, "MATCHSTATE:0:7:f:TdAs|", SHOWDOWN, "MATCHSTATE:0:7:f:TdAs|"):
        answer(line, book)
    assert book.payoffs_chips == {8: 100, 7: 50}
    assert book.winnings_chips == 150


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "MATCHSTATE:1:7::|",
        "MATCHSTATE:2:7::|TdAs",
        "MATCHSTATE:1:7:x:|TdAs",
        "MATCHSTATE:1:7:r1:|TdAs",
        "MATCHSTATE:1:7::TdAs|",
        "MATCHSTATE:1:7::TdAs|TdAs",
        "MATCHSTATE:0:8:cc/cc/cc/cc:TdAs|/AhKs3d/9c/9h",
        f"{OUR_TURN}:c",
    ],
)
def test_lines_that_are_no_state_are_counted_and_not_answered(line: str) -> None:
    book = ClientBook()
    assert answer(line, book) is None
    assert book.num_ignored_lines == 1
    assert not book.payoffs_chips


def test_thousands_of_malformed_lines_are_survived() -> None:
    source = random.Random(1)
    lines = [OUR_TURN, THEIR_TURN, WON_BY_FOLD, SHOWDOWN]
    book = ClientBook()
    for _ in range(5_000):
        line = list(source.choice(lines))
        for _ in range(source.randrange(1, 5)):
            place = source.randrange(len(line))
            line[place : place + source.randrange(3)] = source.choice(["", *":/|rc9T\0é"])
        reply = answer("".join(line), book)
        assert reply is None or reply.endswith(":c")
    assert book.num_ignored_lines > 1_000


def test_a_client_whose_dealer_sends_garbage_plays_on_until_the_dealer_hangs_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(30)
        port = listening.getsockname()[1]
        client = in_thread(lambda: play_at_dealer(NO_LIMIT, call, host="127.0.0.1", port=port))
        dealer, _ = listening.accept()
        dealer.settimeout(30)
        with dealer, dealer.makefile("r", newline="\r\n") as lines:
            assert lines.readline() == "VERSION:2.0.0\r\n"
            dealer.sendall(b"\xff\x00\r\n" + b"x" * 50_000 + b"\n")
            dealer.sendall(f"{OUR_TURN}\r\n{WON_BY_FOLD}\r\n".encode())
            assert lines.readline() == f"{OUR_TURN}:c\r\n"
        book = client()
    assert book.num_ignored_lines == 2


def test_a_dealer_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(
        NetworkError, match=f"^cannot connect to `127.0.0.1` port {port}: Connection refused$"
    ) as raised:
        play_at_dealer(NO_LIMIT, call, host="127.0.0.1", port=port)
    assert raised.value.hint is not None
