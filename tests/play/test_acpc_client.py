import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errai.errors import InputError, NetworkError
from errai.games.acpc import MatchState, parse_action
from errai.games.library import load_game
from errai.games.state import CALL, Action
from errai.play.acpc_client import ClientBook, answer_line, play_at_dealer
from errai.storage.acpc_log import parse_hand
from play.acpc_tables import in_thread

ACPC_DATA = Path(__file__).parents[1] / "data" / "acpc"
LEDUC = load_game("leduc")
NO_LIMIT = load_game("holdem.nolimit.2p")
OUR_TURN = "MATCHSTATE:1:7::|TdAs"
THEIR_TURN = "MATCHSTATE:0:7::TdAs|"
WON_BY_FOLD = "MATCHSTATE:0:7:r300f:TdAs|"
SHOWDOWN = "MATCHSTATE:0:8:cc/cc/cc/cc:TdAs|2c7d/AhKs3d/9c/9h"


def call(_: MatchState) -> Action:
    return CALL


def answer(line: str, book: ClientBook | None = None) -> str | None:
    return answer_line(NO_LIMIT, call, line, book if book is not None else ClientBook(NO_LIMIT))


def test_a_state_in_which_it_is_our_turn_is_repeated_with_the_action() -> None:
    assert answer(OUR_TURN) == f"{OUR_TURN}:c"


@pytest.mark.parametrize("line", [THEIR_TURN, SHOWDOWN, "# comment", "; comment"])
def test_nothing_else_is_answered(line: str) -> None:
    assert answer(line) is None


def test_finished_hands_are_booked_once_however_often_they_are_sent() -> None:
    book = ClientBook(NO_LIMIT)
    for line in (SHOWDOWN, "MATCHSTATE:0:7:f:TdAs|", SHOWDOWN, "MATCHSTATE:0:7:f:TdAs|"):
        answer(line, book)
    assert book.payoffs_chips == {8: 100, 7: 50}
    assert book.winnings_chips == 150


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "it is empty, or longer than 8,192 bytes"),
        ("hello", "expected `MATCHSTATE:<position>:<hand>:<betting>:<cards>`; got `hello`"),
        ("MATCHSTATE:1:7::|", "player 1 must see the own hole cards"),
        ("MATCHSTATE:2:7::|TdAs", "`position` must be 0 or 1; got `2`"),
        ("MATCHSTATE:1:7:x:|TdAs", "expected `f`, `c` or `r`; got `x`"),
        ("MATCHSTATE:1:7:r1:|TdAs", "must raise to a total of 200 to 20000 chips; got 1"),
        ("MATCHSTATE:1:7::TdAs|", "player 1 must see the own hole cards"),
        ("MATCHSTATE:1:7::TdAs|TdAs", "every card must be different"),
        ("MATCHSTATE:1:7::|1dAs", "`1d` is not a card of this deck"),
        ("MATCHSTATE:0:8:cc/cc/cc/cc:TdAs|/AhKs3d/9c/9h", "a showdown needs 2 cards as hole cards of player 1; got 0"),
        (f"{OUR_TURN}:c", "expected `MATCHSTATE:<position>"),
    ],
)
def test_a_line_that_is_no_state_ends_the_match_with_the_line_and_the_reason(line: str, reason: str) -> None:
    book = ClientBook(NO_LIMIT)
    with pytest.raises(NetworkError) as raised:
        answer(line, book)
    message = str(raised.value)
    assert message.startswith(f"the dealer sent `{line}`, which is no state of `holdem.nolimit.2p`: ")
    assert reason in message
    assert "`--game` must name the game that the dealer deals" in str(raised.value.hint)
    assert not book.payoffs_chips


def test_a_long_line_is_cut_short_in_the_message() -> None:
    with pytest.raises(NetworkError) as raised:
        answer("x" * 8_000)
    assert len(str(raised.value)) < 600


def test_another_game_than_the_dealer_deals_is_noticed_at_the_first_state() -> None:
    with pytest.raises(NetworkError, match="which is no state of `leduc`: `Td` is not a card of this deck"):
        answer_line(LEDUC, call, OUR_TURN, ClientBook(LEDUC))


def test_thousands_of_malformed_lines_are_answered_or_refused() -> None:
    source = random.Random(1)
    lines = [OUR_TURN, THEIR_TURN, WON_BY_FOLD, SHOWDOWN]
    book = ClientBook(NO_LIMIT)
    num_refused = 0
    for _ in range(5_000):
        line = list(source.choice(lines))
        for _ in range(source.randrange(1, 5)):
            place = source.randrange(len(line))
            line[place : place + source.randrange(3)] = source.choice(["", *":/|rc9T\0é"])
        try:
            reply = answer("".join(line), book)
        except NetworkError:
            num_refused += 1
        else:
            assert reply is None or reply.endswith(":c")
    assert num_refused > 1_000


@pytest.mark.parametrize("game", ["leduc", "kuhn"])
def test_every_line_of_the_real_dealer_is_read_and_every_reply_is_the_one_that_it_took(game: str) -> None:
    definition = load_game(game)
    sent = [line.split(" ", 1) for line in (ACPC_DATA / f"{game}.transcript").read_text().splitlines()]
    assert sent.pop(0) == ["client", "VERSION:2.0.0"]
    logged = [
        parse_hand(definition, line)
        for line in (ACPC_DATA / f"{game}.log").read_text().splitlines()
        if line.startswith("STATE:")
    ]
    book = ClientBook(definition)
    for place, (who, line) in enumerate(sent[:-1]):
        if who == "client":
            continue
        next_sender, next_line = sent[place + 1]

        def choose(state: MatchState, text: str = next_line) -> Action:
            return parse_action(state.betting, text[-1])

        reply = answer_line(definition, choose, line, book)
        assert reply == (next_line if next_sender == "client" else None)
    assert len(book.payoffs_chips) > 300
    for number, chips in book.payoffs_chips.items():
        hand = logged[number]
        assert hand.payoffs_chips is not None
        assert hand.payoffs_chips[hand.names.index("first")] == chips


def served(serve: Callable[[socket.socket], None], **options: Any) -> ClientBook:
    """The book of a client that calls at a dealer which `serve` plays."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(30)
        port = listening.getsockname()[1]
        client = in_thread(lambda: play_at_dealer(NO_LIMIT, call, host="127.0.0.1", port=port, **options))
        dealer, _ = listening.accept()
        dealer.settimeout(30)
        with dealer:
            assert dealer.recv(100) == b"VERSION:2.0.0\r\n"
            serve(dealer)
            book: ClientBook = client()
    return book


def test_a_dealer_that_is_silent_is_given_up() -> None:
    with pytest.raises(NetworkError, match=r"port [0-9]+ was silent for 0\.2 seconds$") as raised:
        served(lambda dealer: None, silence_seconds=0.2)
    assert raised.value.hint == "`--timeout SECONDS` waits longer"


def test_a_dealer_that_sends_garbage_is_quoted_in_plain_text() -> None:
    with pytest.raises(NetworkError, match=r"^the dealer sent `\\xff\\x1b\[31m`, which is no state"):
        served(lambda dealer: dealer.sendall(b"\xff\x1b[31m\r\n"))


def test_a_dealer_that_hangs_up_before_a_hand_is_over_is_named() -> None:
    def hang_up(dealer: socket.socket) -> None:
        dealer.sendall(f"{THEIR_TURN}\r\n".encode())
        dealer.shutdown(socket.SHUT_WR)

    with pytest.raises(NetworkError, match=r"hung up before the first hand was over$"):
        served(hang_up)


def test_a_time_limit_must_be_positive() -> None:
    with pytest.raises(InputError, match="the time limit must be positive; got nan seconds"):
        play_at_dealer(NO_LIMIT, call, host="127.0.0.1", port=1, silence_seconds=float("nan"))


def test_a_dealer_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(
        NetworkError, match=f"^cannot connect to `127.0.0.1` port {port}: Connection refused$"
    ) as raised:
        play_at_dealer(NO_LIMIT, call, host="127.0.0.1", port=port)
    assert raised.value.hint is not None
