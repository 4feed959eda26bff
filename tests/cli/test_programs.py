"""External programs that speak the ACPC protocol, started by `errai match`."""

import os
import sys
import time
from pathlib import Path

import pytest

from cli.conftest import Errai

# A client written from the protocol alone. Its first argument is what it does, then come host and port.
PROGRAM = """#!{python}
import os, socket, sys, time
kind, host, port = sys.argv[1:]
print("starting as", kind, flush=True)
if kind == "dies-at-once":
    sys.exit(3)
if kind == "never-connects":
    time.sleep(60)
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("r", newline="\\r\\n")
connection.sendall(b"VERSION:1.0.0\\r\\n" if kind == "old" else b"VERSION:2.0.0\\r\\n")
with open("seen-by-program.txt", "w") as seen:
    seen.write(f"{{os.getpid()}}\\n")
    for line in lines:
        state = line.strip()
        seen.write(state + "\\n")
        seen.flush()
        _, position, hand, betting, cards = state.split(":")
        rounds = betting.split("/")
        # Leduc: player 0 acts first in every round.
        over = "f" in betting or cards.count("|") and cards.replace("/", "|").split("|")[1 - int(position)]
        turn = len(rounds[-1]) % 2 == int(position)
        if over or not turn:
            continue
        if kind == "hangs":
            time.sleep(60)
        if kind == "dies":
            sys.exit("no more ideas")
        if kind == "babbles":
            connection.sendall(b"what a lovely day\\r\\n" * 5000)
            time.sleep(60)
        answer = "x" if kind == "illegal" else "c"
        connection.sendall(f"# thinking\\r\\n{{state}}:{{answer}}\\r\\n".encode())
if kind == "stays":
    time.sleep(60)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "bot"
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return "./bot"


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def seen(tmp_path: Path) -> tuple[int, list[str]]:
    pid, *states = (tmp_path / "seen-by-program.txt").read_text().split("\n")[:-1]
    return int(pid), states


def test_a_program_plays_as_its_strategy_does_in_this_process(errai: Errai, program: str, tmp_path: Path) -> None:
    settings = ("--game", "leduc", "--hands", "2x20", "--seed", "4", "--json")
    theirs = errai("match", f"{program} calls", "seed=2", *settings)
    assert theirs.exit_code == 0, theirs.stderr
    ours = errai("match", "always-call", "seed=2", *settings)
    assert theirs.json["winnings_chips"] == ours.json["winnings_chips"]
    assert theirs.json["by_seat_mbb"] == ours.json["by_seat_mbb"]
    pid, states = seen(tmp_path)
    assert not is_running(pid)
    # Every hand is shown from its first state to its end, each state once.
    assert len(states) == len(set(states))
    assert {int(state.split(":")[2]) for state in states} == set(range(40))
    endings = [state for state in states if "f" in state.split(":")[3] or "||" not in state.replace("|/", "||")]
    assert len(endings) >= 40


def test_a_program_that_stays_is_ended(errai: Errai, program: str, tmp_path: Path) -> None:
    began = time.monotonic()
    outcome = errai("match", f"{program} stays", "random", "--game", "leduc", "--hands", "4", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    assert time.monotonic() - began < 50
    assert not is_running(seen(tmp_path)[0])


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("dies-at-once", "ended with status 3 before it connected; it printed `starting as dies-at-once`"),
        ("old", "must first send `VERSION:2.0.0`; got `VERSION:1.0.0`"),
        ("hangs", "did not answer in 1.5 seconds at `MATCHSTATE:"),
        ("dies", "hung up at `MATCHSTATE:"),
        ("babbles", "sent 1,000 lines that answer nothing, the last `what a lovely day`"),
        ("illegal", "answered with an action that cannot be read, `x` at `MATCHSTATE:"),
    ],
)
def test_a_program_that_fails_is_named(errai: Errai, program: str, kind: str, message: str) -> None:
    outcome = errai(
        "match", f"{program} {kind}", "always-call", "--game", "leduc", "--hands", "4", "--response-timeout", "1.5"
    )
    assert outcome.exit_code == 1
    assert f"program `./bot {kind}`" in outcome.stderr
    assert message in outcome.stderr


def test_a_program_plays_in_one_process(errai: Errai, program: str) -> None:
    outcome = errai("match", f"{program} calls", "random", "--game", "leduc", "--workers", "2")
    assert outcome.exit_code == 2
    assert "plays in one process" in outcome.stderr


def test_a_file_that_cannot_be_executed_is_no_agent(errai: Errai, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("not a program")
    outcome = errai("match", "./notes", "random", "--game", "leduc")
    assert outcome.exit_code == 2
    assert "there is no agent `./notes`" in outcome.stderr
