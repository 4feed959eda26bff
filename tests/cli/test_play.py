"""`errai play`: typed lines in, a table on stderr, a result on stdout."""

import io
import sys
from pathlib import Path

import pytest

from errai.cli.play_hands import parse_typed_action
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, Action, Raise
from errai.storage.hand_histories import read_hand_history

from .conftest import Errai

NO_LIMIT = load_game("holdem.nolimit.2p")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    lines = io.StringIO()
    monkeypatch.setattr(sys, "stdin", lines)
    return lines


def type_lines(typed: io.StringIO, *lines: str) -> None:
    typed.write("".join(f"{line}\n" for line in lines))
    typed.seek(0)


def test_a_hand_is_shown_and_the_result_printed(errai: Errai, typed: io.StringIO) -> None:
    type_lines(typed, "c", "x", "c", "q")
    outcome = errai("play", "always-call", "--game", "kuhn", "--seed", "1", "--hands", "2")
    assert outcome.exit_code == 0
    assert "hand 1: you are player 0 with" in outcome.stderr
    assert "`x` is not" in outcome.stderr
    assert "opponent check" in outcome.stderr
    assert outcome.stdout.startswith("played        you against always-call, kuhn\nhands         2, ")
    assert "luck removed" in outcome.stdout


def test_a_hand_that_is_not_over_does_not_count(errai: Errai, typed: io.StringIO) -> None:
    type_lines(typed, "q")
    found = errai("play", "always-call", "--game", "kuhn", "--json")
    assert found.json["hands"] == 0
    assert found.json["aivat_mbb"] is None


def test_without_an_agent_leduc_is_solved_and_played_with_advice(errai: Errai, typed: io.StringIO) -> None:
    type_lines(typed, *["c"] * 12)
    outcome = errai("play", "--advice", "--seed", "2", "--hands", "2")
    assert outcome.stdout.startswith("played        you against solution, leduc\n")
    assert "strategy: check " in outcome.stderr
    assert "your choice costs " in outcome.stderr


def test_hands_are_saved_as_phh_and_read_back(errai: Errai, typed: io.StringIO, tmp_path: Path) -> None:
    type_lines(typed, *["c"] * 30)
    outcome = errai("play", "always-call", "--hands", "3", "--phh", "x.phhs", "--name", "Ann")
    assert outcome.exit_code == 0
    hands = read_hand_history(tmp_path / "x.phhs").hands
    assert len(hands) == 3
    found = errai("replay", "x.phhs", "--json").json
    assert (found["checked"], found["mismatches"]) == (3, [])
    assert {player["name"] for player in found["players"]} == {"Ann", "always-call"}


def test_a_spot_by_pot_and_stack_with_rake_is_played_from_its_ranges(errai: Errai, typed: io.StringIO) -> None:
    spot = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10", "--bets", "a", "--rake", "5%")
    ranges = ("--range-bb", "AsAh,QsQh", "--range-dealer", "KsKh")
    solved = errai("solve", "holdem.nolimit.2p", *spot, *ranges, "--iterations", "50", "--out", "river")
    assert solved.exit_code == 0
    type_lines(typed, *["c"] * 8)
    outcome = errai("play", "river", "--hands", "4", "--advice", "--json")
    assert outcome.exit_code == 0
    assert "you are the dealer with KsKh" in outcome.stderr
    # A showdown for the pot alone pays 10 less 5 % of 20.
    assert "you won 9 chips" in outcome.stderr
    assert outcome.json["hands"] == 4
    refused = errai("play", "river", "--phh", "x.phhs")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: PHH records whole hands; these begin at a pot and stack, or pay rake\n")
    match = errai("match", "river", "always-call", "--hands", "2x50", "--workers", "1", "--json").json
    assert sum(match["winnings_chips"]) < -50  # the rake of 100 hands is at least 1 chip each, or a fold's
    assert errai("lbr", "river", "--hands", "2x50", "--workers", "1", "--json").exit_code == 0


@pytest.mark.parametrize(
    ("betting", "text", "action"),
    [
        ("", "f", FOLD),
        ("", "call", CALL),
        ("", "r", Raise(200)),
        ("", "r 300", Raise(300)),
        ("", "p", Raise(300)),
        ("", "a", Raise(20000)),
        ("r300c/", "k", CALL),
        ("r300c/", "b400", Raise(700)),
        ("r300c/", "400", Raise(700)),
        ("r300c/r700", "1200", Raise(1500)),
    ],
)
def test_amounts_are_those_of_the_street(betting: str, text: str, action: Action) -> None:
    assert parse_typed_action(parse_betting(NO_LIMIT, betting), text) == action


@pytest.mark.parametrize(
    ("betting", "text", "message"),
    [
        ("r300c/", "50", "a raise goes to 100 to 19,700 on this street; got 50"),
        ("", "jump", "`jump` is not an action"),
        ("r20000", "a", "there is no raise"),
    ],
)
def test_what_cannot_be_done_is_said(betting: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_typed_action(parse_betting(NO_LIMIT, betting), text)
