import random
import socket
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from errai.errors import InputError, NetworkError
from errai.evaluate.statistics import estimate_mean
from errai.games.acpc import parse_match_state
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.played_hand import PlayedHand
from errai.games.state import CALL, Raise
from errai.play.acpc_client import ChooseAction, play_at_dealer
from errai.play.acpc_dealer import Dealer, MatchBook
from errai.play.hand_start import HandStart
from errai.play.match_limits import MatchLimits
from errai.play.schedule import DealerSchedule, MatchSchedule
from errai.reports.dealer import Forfeit
from play.acpc_tables import RawClient, in_thread, opened_table
from reference.random_hands import random_action

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")


def at_random(seed: int) -> ChooseAction:
    source = random.Random(seed)
    return lambda state: random_action(state.betting, source)


def play_calling(raw: RawClient, definition: GameDefinition, *, until_hand: int) -> str:
    """Call through the hands before `until_hand`; the first state of that hand in which the raw client is to act."""
    while True:
        line = raw.read_line()
        state = parse_match_state(definition, line)
        if state.betting.actor == state.position:
            if state.hand_number >= until_hand:
                return line
            raw.send_line(f"{line}:c")


@pytest.mark.parametrize("game", ["holdem.limit.2p", "holdem.nolimit.2p"])
def test_dealer_and_clients_play_a_thousand_hands_with_equal_books(game: str) -> None:
    definition = load_game(game)
    hands: list[PlayedHand] = []
    warnings: list[str] = []
    with Dealer(definition, MatchSchedule(1_000, seed=1), names=("Ann", "Bob")) as dealer:
        clients = [
            in_thread(partial(play_at_dealer, definition, at_random(seat), host="127.0.0.1", port=port))
            for seat, port in enumerate(dealer.ports)
        ]
        book = dealer.play(on_hand=hands.append, on_warning=warnings.append)
    books = [client() for client in clients]
    assert book.num_hands == len(hands) == 1_000
    assert book.forfeit is None
    assert not warnings
    assert sum(book.winnings_chips) == 0
    assert book.winnings_chips == tuple(client.winnings_chips for client in books)
    for hand in hands:
        by_name = dict(zip(hand.names, hand.payoffs_chips, strict=True))
        assert [client.payoffs_chips[hand.number] for client in books] == [by_name["Ann"], by_name["Bob"]]


def test_seats_change_places_every_hand_and_see_only_their_own_cards_until_the_showdown() -> None:
    with opened_table(LIMIT, num_hands=2) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        lines = []
        while line := raw.read_line():
            lines.append(line)
            state = parse_match_state(LIMIT, line)
            assert (state.hole_cards[1 - state.position] is not None) == state.betting.is_showdown
            if state.betting.actor == state.position:
                raw.send_line(f"{line}:c")
        table.finish()
    assert lines[0].startswith("MATCHSTATE:1:0::|")
    assert {line.split(":")[1] for line in lines if line.split(":")[2] == "1"} == {"0"}
    assert table.hands[0].names == ("a", "b")
    assert table.hands[1].names == ("b", "a")


def test_a_duplicate_match_repeats_its_deals_with_the_seats_the_other_way_round() -> None:
    with opened_table(NO_LIMIT, num_hands=10, is_duplicate=True, choose=at_random(1)) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        play_calling_to_the_end(raw)
        table.finish()
    first, second = table.hands[:5], table.hands[5:]
    assert [hand.deal for hand in first] == [hand.deal for hand in second]
    assert [hand.names for hand in first] == [hand.names[::-1] for hand in second]
    assert len({hand.deal for hand in first}) == 5


def play_calling_to_the_end(raw: RawClient, definition: GameDefinition = NO_LIMIT) -> None:
    while line := raw.read_line():
        state = parse_match_state(definition, line)
        if state.betting.actor == state.position:
            raw.send_line(f"{line}:c")


def test_the_same_seed_deals_the_same_cards() -> None:
    deals = [[MatchSchedule(3, seed).deal(HandStart(LIMIT), number) for number in range(3)] for seed in (1, 1, 2)]
    assert deals[0] == deals[1]
    assert deals[0] != deals[2]


def test_garbage_is_ignored_and_the_answer_after_it_counts() -> None:
    with opened_table(NO_LIMIT, num_hands=1) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        line = raw.read_line()
        raw.send(b"\xff\xfe\x00garbage\n\r\n:::\r\n" + b"x" * 100_000 + b"\r\n# a comment\r\n")
        raw.send_line(f"{line}:r300")
        play_calling_to_the_end(raw)
        book = table.finish()
    assert book.forfeit is None
    assert table.hands[0].betting.history[0][0] == Raise(300)
    assert len(table.warnings) == 5
    assert all("ignored" in warning for warning in table.warnings)


def test_an_illegal_action_is_replaced_and_counted_and_the_match_goes_on() -> None:
    with opened_table(NO_LIMIT, num_hands=1) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        raw.send_line(f"{raw.read_line()}:bet the farm")
        play_calling_to_the_end(raw)
        book = table.finish()
    assert book.num_hands == 1
    assert book.invalid_actions == [0, 1]
    assert table.hands[0].betting.history[0] == (CALL, CALL)
    assert table.warnings == [
        "player `b`, hand 0: an action that cannot be read, `bet the farm`, became a call",
    ]


def test_an_answer_that_comes_twice_is_played_once() -> None:
    with opened_table(NO_LIMIT, num_hands=2) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        while line := raw.read_line():
            state = parse_match_state(NO_LIMIT, line)
            if state.betting.actor == state.position:
                raw.send(f"{line}:c\r\n" * 3)
        book = table.finish()
    assert book.num_hands == 2
    assert [sum(map(len, hand.betting.history)) for hand in table.hands] == [8, 8]
    assert any("an answer to another state" in warning for warning in table.warnings)


def test_more_invalid_actions_than_allowed_forfeit() -> None:
    with opened_table(NO_LIMIT, max_invalid_actions=1) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        for _ in range(2):
            while (state := parse_match_state(NO_LIMIT, line := raw.read_line())).betting.actor != state.position:
                pass
            raw.send_line(f"{line}:x")
        book = table.finish()
    assert book.forfeit == Forfeit("b", 0, "made 2 invalid actions of 1 allowed")


@pytest.mark.parametrize("what", [b"", b"M", b"no newline ever", b"garbage\r\n", b"#\n"])
def test_a_client_that_never_answers_forfeits_when_its_time_is_over(what: bytes) -> None:
    with opened_table(NO_LIMIT, response_seconds=0.3) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        raw.read_line()
        raw.send(what)
        book = table.finish()
    assert book.forfeit == Forfeit("b", 0, "ran out of the time for an answer")
    assert book.winnings_chips == (0, 0)
    assert book.estimate_mbb() is None
    assert 0.3 <= book.used_seconds[1] < 10


@pytest.mark.parametrize("flood", [b"#\n" * 1_000, b"x" * 2_000], ids=["comments", "one line"])
def test_a_client_that_sends_without_end_forfeits_when_its_time_is_over(flood: bytes) -> None:
    with opened_table(NO_LIMIT, response_seconds=0.3) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        raw.read_line()
        with suppress(BrokenPipeError, ConnectionResetError):
            while True:
                raw.send(flood)
        book = table.finish()
    assert book.forfeit == Forfeit("b", 0, "ran out of the time for an answer")


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"hand_seconds": 0.3}, "ran out of the time for a hand"),
        ({"average_hand_seconds": 0.03}, "ran out of the time for the match"),
    ],
)
def test_the_time_for_a_hand_and_for_the_match_is_limited_as_well(limits: dict[str, Any], reason: str) -> None:
    with opened_table(NO_LIMIT, num_hands=10, **limits) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        book = table.finish()
    assert book.forfeit == Forfeit("b", 0, reason)


def test_a_client_that_hangs_up_forfeits_and_finished_hands_stay_paid_once() -> None:
    with opened_table(NO_LIMIT) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        play_calling(raw, NO_LIMIT, until_hand=3)
        raw.close()
        book = table.finish()
    assert book.forfeit == Forfeit("b", 3, "hung up")
    assert book.num_hands == len(table.hands) == 3
    assert sum(book.winnings_chips) == 0
    assert table.client_book is not None
    assert table.client_book.winnings_chips == book.winnings_chips[0]


def test_a_client_that_leaves_after_its_last_action_has_played_the_match() -> None:
    with opened_table(NO_LIMIT, num_hands=1) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        raw.send_line(f"{raw.read_line()}:f")
        raw.close()
        book = table.finish()
    assert book.forfeit is None
    assert book.winnings_chips == (50, -50)


@pytest.mark.parametrize("version", ["VERSION:1.0.0", "VERSION:2.1.0", "VERSION:2", "hello"])
def test_a_client_of_another_version_is_refused(version: str) -> None:
    with opened_table(LIMIT) as (table, raw):
        raw.send_line(version)
        with pytest.raises(NetworkError, match=rf"^player `b` must first send `VERSION:2\.0\.0`; got `{version}`$"):
            table.finish()
        assert raw.rest() == []


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("VERSION:" + "2" * 5_000 + ".0.0", "VERSION:" + "2" * 32),
        ("\x1b[31mVERSION:2.0.0\x07", r"\x1b[31mVERSION:2.0.0\x07"),
    ],
)
def test_a_hostile_version_is_cut_short_and_shown_as_plain_text(version: str, shown: str) -> None:
    with opened_table(LIMIT) as (table, raw):
        raw.send_line(version)
        with pytest.raises(NetworkError) as raised:
            table.finish()
    assert str(raised.value) == f"player `b` must first send `VERSION:2.0.0`; got `{shown}`"


def test_the_book_estimates_by_hands_and_of_a_duplicate_match_by_deals() -> None:
    schedule = DealerSchedule(4, 1, is_duplicate=True)
    book = MatchBook(LIMIT, schedule, ("a", "b"), payoffs_chips=[10, 20, -20, 10])
    estimate = book.estimate_mbb()
    assert estimate == estimate_mean([-500.0, 1500.0])  # hands 0 and 2 are one deal, 1 and 3 the other; units of 10
    forfeited = MatchBook(LIMIT, schedule, ("a", "b"), payoffs_chips=[10, 20, -20])
    assert forfeited.estimate_mbb() == estimate_mean([1000.0, 2000.0, -2000.0])


def test_a_client_that_hangs_up_before_the_first_hand_is_named() -> None:
    with opened_table(LIMIT) as (table, raw):
        raw.close()
        with pytest.raises(NetworkError, match=r"^player `b` hung up before the first hand$"):
            table.finish()


def test_a_client_that_says_nothing_at_the_start_is_named() -> None:
    expected = pytest.raises(NetworkError, match=r"^player `b` connected and sent no `VERSION:2\.0\.0` in time$")
    with opened_table(LIMIT, start_seconds=0.3) as (table, _raw), expected:
        table.finish()


def test_a_client_that_never_comes_is_named_with_its_port() -> None:
    expected = pytest.raises(NetworkError, match=r"^player `a` did not connect")
    limits = MatchLimits(start_seconds=0.05)
    with Dealer(LIMIT, MatchSchedule(1, 1), limits=limits) as dealer, expected as raised:
        dealer.play()
    assert f"`errai agent AGENT 127.0.0.1 {dealer.ports[0]}`" in str(raised.value.hint)


def test_a_port_in_use_is_named_and_no_other_stays_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NetworkError, match=f"^cannot listen on `127.0.0.1` port {port}: Address already in use$"):
            Dealer(LIMIT, MatchSchedule(1, 1), ports=(0, port))


def test_only_this_machine_can_connect_unless_another_host_is_named() -> None:
    with Dealer(LIMIT, MatchSchedule(1, 1)) as dealer:
        assert [listening.getsockname()[0] for listening in dealer._sockets] == ["127.0.0.1", "127.0.0.1"]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"response_seconds": 0.0}, "`response_seconds` must be positive; got 0.0"),
        ({"average_hand_seconds": float("nan")}, "`average_hand_seconds` must be positive; got nan"),
        ({"max_invalid_actions": -1}, "`max_invalid_actions` must not be negative; got -1"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        MatchLimits(**limits)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ({"num_hands": 0, "seed": 1}, "a match has at least 1 hand; got 0"),
        ({"num_hands": 1, "seed": -1}, "`seed` must not be negative; got `-1`"),
        (
            {"num_hands": 3, "seed": 1, "is_duplicate": True},
            "a duplicate match plays every deal twice; got an odd number of hands, 3",
        ),
    ],
)
def test_schedules_that_make_no_sense_are_refused(schedule: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        MatchSchedule(**schedule)
    assert str(raised.value) == message


def test_thousands_of_malformed_lines_change_nothing() -> None:
    source = random.Random(1)
    alphabet = "MATCHSTATE:0123456789rcf/|TdAs \t#;\x00\x7f"
    with opened_table(NO_LIMIT, num_hands=3) as (table, raw):
        raw.send_line("VERSION:2.0.0")
        num_garbage = 0
        while line := raw.read_line():
            state = parse_match_state(NO_LIMIT, line)
            if state.betting.actor != state.position:
                continue
            for _ in range(200):
                garbage = "".join(source.choices(alphabet, k=source.randrange(60)))
                cut = source.randrange(len(line))
                raw.send_line(source.choice((garbage, line[:cut], line[:cut] + garbage, f"{line[cut:]}:c")))
                num_garbage += 1
            raw.send_line(f"{line}:c")
        book = table.finish()
    assert num_garbage >= 2_000
    assert book.num_hands == 3
    assert book.forfeit is None
    assert sum(book.winnings_chips) == 0
    assert table.client_book is not None
    assert table.client_book.winnings_chips == book.winnings_chips[0]
