"""Matches against a stand-in for Slumbot on this machine."""

from typing import Any

import pytest

from cli.conftest import Errai
from errai.games.acpc import format_betting, parse_betting
from errai.games.library import load_game
from errai.games.state import CALL, Raise
from errai.play.slumbot import format_move, parse_moves
from reference.slumbot_server import slumbot_server

NOLIMIT = load_game("holdem.nolimit.2p")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("", ""),
        ("b200c/", "r200c/"),
        ("b250b750c/kb400c/", "r250r750c/cr1150c/"),
        ("ck/kk/kb100f", "cc/cc/cr200f"),
        ("b20000c///", "r20000c///"),
    ],
)
def test_bets_of_a_street_are_totals_of_the_hand(theirs: str, ours: str) -> None:
    state = parse_moves(NOLIMIT, theirs)
    assert state == parse_betting(NOLIMIT, ours)
    assert format_betting(state).rstrip("/") == ours.rstrip("/")


def test_moves_are_written_as_chips_of_this_street() -> None:
    state = parse_betting(NOLIMIT, "r200c/c")
    assert format_move(state, CALL) == "k"
    assert format_move(state, Raise(600)) == "b400"
    assert format_move(state.apply_raise(600), CALL) == "c"


@pytest.mark.parametrize("agent", ["always-call", "seed=3"])
def test_a_match_agrees_with_the_servers_own_book(errai: Errai, agent: str) -> None:
    with slumbot_server() as (url, server):
        outcome = errai("match", agent, f"slumbot={url}", "--hands", "60", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    report = outcome.json
    assert report["hands"] == 60
    assert report["agents"] == [agent, "slumbot"]
    assert report["winnings_chips"] == [server.total_winnings, -server.total_winnings]
    assert report["mean_mbb"] == pytest.approx(server.total_winnings / 60 * 10)
    assert None not in report["by_seat_mbb"]


def test_slumbot_can_be_named_first(errai: Errai) -> None:
    with slumbot_server() as (url, server):
        report = errai("match", f"slumbot={url}", "always-call", "--hands", "10", "--json").json
    assert report["agents"] == ["slumbot", "always-call"]
    assert report["winnings_chips"][1] == server.total_winnings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"error_msg": "Too many sessions\x1b[0m"}, "answered: Too many sessions[0m"),
        ({"client_pos": 2}, "sent `client_pos` 2"),
        ({"client_pos": None}, "without a proper `client_pos`"),
        ({"hole_cards": ["Xx", "As"]}, "`hole_cards` ['Xx', 'As']: `Xx` is not a card"),
        ({"action": "b50"}, "the betting `b50`: player 1 must raise"),
        ({"action": "q"}, "the betting `q`: `q` is no move"),
        ({"action": "f", "winnings": 75}, "winnings of 75 chips after `f`; by the rules"),
    ],
)
def test_a_server_that_sends_nonsense_is_named(errai: Errai, change: dict[str, Any], message: str) -> None:
    with slumbot_server(lambda reply: {**reply, **change}) as (url, _):
        outcome = errai("match", "always-call", f"slumbot={url}", "--hands", "4")
    assert outcome.exit_code == 1
    assert url in outcome.stderr
    assert message in outcome.stderr


def test_a_server_that_is_not_there_is_named(errai: Errai) -> None:
    with slumbot_server() as (url, _):
        pass
    outcome = errai("match", "always-call", f"slumbot={url}", "--hands", "4")
    assert outcome.exit_code == 1
    assert f"`{url}/api/new_hand` cannot be reached" in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["slumbot", "slumbot"], "between one agent and `slumbot`"),
        (["slumbot", "random", "always-call"], "between one agent and `slumbot`"),
        (["slumbot", "random", "--out", "x"], "`--out` is not for matches against Slumbot"),
        (["slumbot", "random", "--game", "leduc"], "Slumbot plays `holdem.nolimit.2p`; got `leduc`"),
    ],
)
def test_what_slumbot_cannot_play_is_refused(errai: Errai, arguments: list[str], message: str) -> None:
    outcome = errai("match", *arguments)
    assert outcome.exit_code in (1, 2)
    assert message in outcome.stderr
