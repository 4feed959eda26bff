"""`errai match`, `errai dealer` and `errai agent`, word for word."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from errai.cli.main import run

from .conftest import Errai

MATCH = """\
match              always-raise against always-fold, holdem.limit.2p, seed 1
hands              200 (100 deals, each twice), N per second
always-raise wins  750.0 ± 0.0 mbb/h (95 %)
  as big blind     500.0 ± 0.0 mbb/h
  as dealer        1,000.0 ± 0.0 mbb/h
mbb/h: thousandths of a small bet (10 chips) per hand
"""

RUNOFF = """\
instant runoff, kuhn, 200 hands (100 deals, each twice) per match, seed 1

round 1: `always-fold` goes out
   agent          wins (mbb/h)  lead over the next
1  always-raise   637.5 ± 74.2       535.0 ± 148.9
2  random         102.5 ± 82.4       842.5 ± 113.7
3  always-fold   -740.0 ± 49.2

round 2: `random` goes out
   agent           wins (mbb/h)  lead over the next
1  always-raise   275.0 ± 148.3       550.0 ± 296.6
2  random        -275.0 ± 148.3

ranking: 1. always-raise, 2. random, 3. always-fold

all matches: what the row wins against the column
                always-fold         random    always-raise
always-fold                  -480.0 ± 98.4  -1,000.0 ± 0.0
random         480.0 ± 98.4                 -275.0 ± 148.3
always-raise  1,000.0 ± 0.0  275.0 ± 148.3
mbb/h with 95 % intervals: thousandths of a small bet (1 chip) per hand
"""


def without_speed(text: str) -> str:
    """The output with the one thing that differs from run to run taken out."""
    return re.sub(r"[0-9,]+ per second", "N per second", text)


def test_a_match_says_who_wins_how_sure_that_is_and_in_which_seat(errai: Errai) -> None:
    arguments = ("--game", "holdem.limit.2p", "--hands", "2x100", "--duplicate", "--seed", "1")
    outcome = errai("match", "always-raise", "always-fold", *arguments)
    assert outcome.exit_code == 0
    assert without_speed(outcome.stdout) == MATCH
    assert outcome.stderr == ""


def test_a_duplicate_match_says_what_that_saved(errai: Errai) -> None:
    outcome = errai("match", "always-call", "call-or-raise", "--hands", "2x50", "--duplicate", "--seed", "1")
    assert re.search(r"^duplicate +±[0-9,.]+ without it: it saved [0-9.]+ times the hands$", outcome.stdout, re.M)


def test_a_match_as_json_is_one_object_and_the_same_for_the_same_seed(errai: Errai) -> None:
    arguments = ("match", "random", "call=0.5,raise=0.5", "--hands", "2x50", "--duplicate", "--seed", "1", "--json")
    content, again = errai(*arguments).json, errai(*arguments).json
    assert list(content) == [
        "game",
        "agents",
        "seed",
        "duplicate",
        "hands",
        "mean_mbb",
        "ci95_mbb",
        "by_seat_mbb",
        "by_seat_ci95_mbb",
        "plain_ci95_mbb",
        "duplicate_saved",
        "winnings_chips",
        "seconds",
        "hands_per_second",
    ]
    assert content["game"] == "holdem.nolimit.2p"
    assert content["hands"] == 100
    assert content["mean_mbb"] == content["winnings_chips"][0] / 100 * 1000 / 100
    assert sum(content["winnings_chips"]) == 0
    for key in ("seconds", "hands_per_second"):
        del content[key], again[key]
    assert content == again


def test_one_hand_has_no_interval_and_the_json_says_so(errai: Errai) -> None:
    content = errai("match", "always-call", "always-fold", "--hands", "1", "--json").json
    assert content["ci95_mbb"] is None
    assert content["by_seat_mbb"][1] is None


def test_a_match_writes_an_acpc_log_and_phh_that_agree(errai: Errai) -> None:
    outcome = errai(
        *("match", "random", "always-call", "--hands", "20", "--seed", "3", "--json"),
        *("--log", "game.log", "--phh", "game.phhs"),
    )
    lines = Path("game.log").read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed game holdem.nolimit.2p 20 3"
    assert len(lines) == 22
    first, second = outcome.json["winnings_chips"]
    assert lines[-1] == f"SCORE:{first}|{second}:random|always-call"
    with Path("game.phhs").open("rb") as file:
        histories = list(HandHistory.load_all(file))
    for line, history in zip(lines[1:-1], histories, strict=True):
        *_, payoffs, names = line.split(":")
        *_, last = history
        assert "|".join(map(str, last.payoffs)) == payoffs
        assert "|".join(history.players or []) == names


def test_three_agents_play_a_tournament(errai: Errai) -> None:
    outcome = errai(
        *("match", "always-fold", "random", "always-raise", "--game", "kuhn", "--hands", "2x100", "--duplicate"),
        *("--seed", "1", "--tournament", "instant-runoff"),
    )
    assert outcome.stdout == RUNOFF


def test_a_tournament_as_json_holds_matches_ranking_and_rounds(errai: Errai) -> None:
    agents = ("always-fold", "always-call", "always-raise")
    content = errai("match", *agents, "--game", "holdem.limit.2p", "--hands", "20", "--json").json
    assert content["kind"] == "bankroll"
    assert content["hands_a_match"] == 20
    assert [match["agents"] for match in content["matches"]] == [
        ["always-fold", "always-call"],
        ["always-fold", "always-raise"],
        ["always-call", "always-raise"],
    ]
    assert sorted(content["ranking"]) == sorted(agents)
    assert [standing["agent"] for standing in content["rounds"][0]] == content["ranking"]
    assert len(content["rounds"]) == 1
    runoff = errai(
        *("match", *agents, "--game", "holdem.limit.2p", "--hands", "20", "--json", "--tournament", "instant-runoff")
    ).json
    assert [len(standings) for standings in runoff["rounds"]] == [3, 2]


def without_times(content: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in ("seconds", "hands_per_second")}


def test_two_saved_solutions_play_the_same_match_whatever_the_number_of_workers(errai: Errai) -> None:
    for name, iterations in (("early", "2"), ("late", "50")):
        errai("solve", "leduc", "--iterations", iterations, "--out", name)
    arguments = ("match", "late", "early", "--game", "leduc", "--hands", "2x60", "--duplicate", "--json")
    alone, together = (errai(*arguments, "--log", f"{number}.log", "--workers", number) for number in ("1", "2"))
    assert alone.exit_code == 0, alone.stderr
    assert without_times(alone.json) == without_times(together.json)
    assert Path("1.log").read_text().splitlines()[1:] == Path("2.log").read_text().splitlines()[1:]


def test_a_saved_match_goes_on_and_ends_as_one_that_was_played_at_once(errai: Errai) -> None:
    options = ("match", "random", "seed=1", "--game", "leduc", "--duplicate", "--seed", "3", "--workers", "1", "--json")
    assert errai(*options, "--hands", "2x60", "--out", "run").json["hands"] == 120
    resumed = errai(*options, "--hands", "2x150", "--out", "run").json
    assert without_times(resumed) == without_times(errai(*options, "--hands", "2x150").json)
    finished = errai(*options, "--hands", "2x100", "--out", "run").json
    assert without_times(finished) == without_times(resumed)
    assert finished["hands_per_second"] == 0


# Presses Ctrl-C when it is first asked, but only once.
BOT = """
import pathlib, signal
from errai.agents.baselines import UniformRandom

class Impatient(UniformRandom):
    def action_probabilities(self, state, board):
        mark = pathlib.Path("pressed")
        if not mark.exists():
            mark.touch()
            signal.raise_signal(signal.SIGINT)
        return super().action_probabilities(state, board)
"""


@pytest.mark.parametrize("command", ["match", "lbr"])
def test_a_run_that_is_interrupted_tells_and_saves_what_there_is_and_goes_on(errai: Errai, command: str) -> None:
    Path("bot.py").write_text(BOT)
    agents = ("bot.py:Impatient", "seed=1")[: 2 if command == "match" else 1]
    options = (command, *agents, "--game", "leduc", "--hands", "300", "--workers", "1", "--json")
    outcome = errai(*options, "--out", "run")
    assert outcome.exit_code == 130
    assert outcome.stderr == "interrupted\n"
    assert outcome.json["hands"] == (50 if command == "match" else 100)  # a batch of 50 deals
    resumed = errai(*options, "--out", "run")
    assert resumed.exit_code == 0
    assert without_times(resumed.json) == without_times(errai(*options).json)


def test_what_a_bot_prints_is_no_part_of_the_result(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from errai.agents.baselines import UniformRandom as Bot\n\nprint('hello')\n")
    for num_workers in ("1", "2"):
        arguments = ("match", f"{bot}:Bot", "seed=1", "--game", "leduc", "--hands", "120", "--json")
        assert run([*arguments, "--workers", num_workers]) == 0
        captured = capfd.readouterr()
        assert json.loads(captured.out)["hands"] == 120
        assert set(captured.err.split()) == {"hello"}


def test_a_saved_tournament_goes_on_too(errai: Errai) -> None:
    options = ("match", "random", "seed=1", "always-call", "--game", "leduc", "--workers", "1", "--json")
    errai(*options, "--hands", "60", "--out", "run")
    resumed = errai(*options, "--hands", "150", "--out", "run").json
    assert resumed == errai(*options, "--hands", "150").json


def test_a_saved_match_of_something_else_is_not_continued(errai: Errai) -> None:
    options = ("match", "random", "seed=1", "--game", "leduc", "--hands", "10", "--out", "run")
    errai(*options)
    outcome = errai(*options, "--duplicate")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: `run` holds a run with `duplicate` False; got True\n")
    errai("lbr", "random", "--game", "leduc", "--hands", "2x10", "--out", "lbr", "--workers", "1")
    outcome = errai(*options[:-1], "lbr")
    assert outcome.stderr.startswith("error: `lbr` holds a run with `kind` 'local-best-response'; got 'match'\n")


def test_a_match_stops_when_the_interval_is_narrow_enough(errai: Errai) -> None:
    options = ("--game", "leduc", "--hands", "2x100000", "--duplicate", "--until", "110", "--workers", "1", "--json")
    found = errai("match", "random", "seed=1", *options).json
    assert found["ci95_mbb"] <= 110
    assert 1_000 < found["hands"] < 10_000


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (
            ("always-call", "random", "--log", "x.log", "--out", "run"),
            "`--log` and `--phh` write a match that is played at once, not one that is kept in `--out`",
            "`errai match --help` shows how to use it",
        ),
        (
            ("random", "random", "--tournament", "bankroll"),
            "a tournament needs two or more competitors of different names; got `random, random`",
            "`errai match --help` shows how to use it",
        ),
        (("always-call",), "a match needs two agents or more; got 1", "`errai match --help` shows how to use it"),
        (
            ("always-call", "always-cal"),
            "there is no agent `always-cal`",
            "did you mean `always-call`? an agent is a baseline, `call=0.5,raise=0.5`, `seed=7`, `mybot.py:MyBot`, or "
            "the directory of a saved solution; baselines are always-call, always-fold, always-raise, call-or-raise, "
            "call-or-clipped-raise, all-in-or-fold, random",
        ),
        (
            ("always-call", "random", "--hands", "2x"),
            "invalid value for `--hands`: expected a number of hands, as in `20000` or `2x10000`; got `2x`",
            "`errai match --help` shows how to use it",
        ),
        (
            ("always-call", "random", "--hands", "0"),
            "invalid value for `--hands`: expected a number of hands, as in `20000` or `2x10000`; got `0`",
            "`errai match --help` shows how to use it",
        ),
        (
            ("always-call", "random", "--hands", "3", "--duplicate"),
            "a duplicate match plays every deal twice; got an odd number of hands, 3",
            "for example 4",
        ),
        (
            ("always-call", "random", "--game", "kuhn", "--phh", "x.phhs"),
            "PHH has no variant for the game `kuhn`",
            "it has hold'em, limit and no-limit; `--log FILE` writes any game",
        ),
        (
            ("always-call", "random", "always-fold", "--log", "x.log"),
            "`--log` and `--phh` write the hands of one match, not of a tournament",
            "`errai match --help` shows how to use it",
        ),
    ],
)
def test_a_match_that_cannot_be_played_says_why(
    errai: Errai, arguments: tuple[str, ...], message: str, hint: str
) -> None:
    outcome = errai("match", *arguments)
    assert outcome.exit_code == 2
    assert outcome.stderr == f"error: {message}\n\nhint: {hint}\n"
    assert outcome.stdout == ""
    assert not list(Path().iterdir())


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from errai.cli.main import main; main()", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read_port(dealer: subprocess.Popen[str]) -> str:
    assert dealer.stderr is not None
    return dealer.stderr.readline().rpartition(" ")[2].strip()


def test_dealer_and_agents_play_over_tcp_and_their_books_agree(errai: Errai) -> None:
    settings = ("--hands", "2x10", "--duplicate", "--seed", "3", "--name-a", "Ann", "--name-b", "Bob")
    with start("dealer", "holdem.limit.2p", *settings, "--log", "game.log", "--json") as dealer:
        ports = [read_port(dealer), read_port(dealer)]
        game = ("--game", "holdem.limit.2p", "--seed", "1")
        with start("agent", "random", "127.0.0.1", ports[0], *game) as first:
            second = errai("agent", "call-or-raise", "127.0.0.1", ports[1], *game, "--json").json
            first_output, _ = first.communicate(timeout=60)
        dealt, stderr_console = dealer.communicate(timeout=60)
    assert (dealer.returncode, first.returncode, stderr_console) == (0, 0, "")
    assert second["hands"] == 20
    chips = second["winnings_chips"]
    assert f'"winnings_chips": [\n    {-chips},\n    {chips}\n  ]' in dealt
    assert re.fullmatch(rf"20 hands, {-chips:,} chips, -?[0-9,.]+ ± [0-9,.]+ mbb/h\n", first_output)
    lines = Path("game.log").read_text().splitlines()
    assert len(lines) == 22
    assert lines[-1] == f"SCORE:{-chips}|{chips}:Ann|Bob"


def test_a_forfeited_match_says_who_why_and_fails(errai: Errai) -> None:
    with start("dealer", "holdem.limit.2p", "--hands", "5", "--log", "game.log") as dealer:
        ports = [int(read_port(dealer)), int(read_port(dealer))]
        clients = [socket.create_connection(("127.0.0.1", port)) for port in ports]
        for client in clients:
            client.sendall(b"VERSION:2.0.0\r\n")
        clients[1].recv(1)
        clients[1].close()
        output, stderr_console = dealer.communicate(timeout=60)
        clients[0].close()
    assert dealer.returncode == 1
    assert re.sub(r"[0-9.]+ *$", "SECONDS", output, flags=re.M).splitlines() == [
        "player  chips  invalid actions  seconds",
        "a           0                0      SECONDS",
        "b           0                0      SECONDS",
        "0 hands",
        "player `b` forfeits in hand 0: hung up",
    ]
    assert stderr_console == ""
    assert Path("game.log").read_text().splitlines() == [
        "# name/game/hands/seed game holdem.limit.2p 5 0",
        "# hand 0: b hung up",
    ]


def test_a_port_in_use_and_a_dealer_that_is_not_there_are_named(errai: Errai) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        outcome = errai("dealer", "kuhn", "--port-a", port)
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        f"error: cannot listen on `127.0.0.1` port {port}: Address already in use\n\n"
        "hint: port 0 takes any port that is free\n"
    )
    outcome = errai("agent", "random", "127.0.0.1", port)
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        f"error: cannot connect to `127.0.0.1` port {port}: Connection refused\n\n"
        "hint: is the dealer running, and is this the port that it printed for this player?\n"
    )


def test_a_port_that_is_none_is_wrong_usage(errai: Errai) -> None:
    outcome = errai("agent", "random", "127.0.0.1", "100000")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: invalid value for `PORT`: 100000 is not in the range 1<=x<=65535\n")


@pytest.mark.parametrize("option", ["--log", "--phh"])
def test_a_named_pipe_without_a_reader_is_refused(errai: Errai, tmp_path: Path, option: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    outcome = errai("match", "random", "random", "--hands", "2", option, "pipe")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: `pipe` cannot be written: No such device or address\n")
