"""Spots on the command line: solve, show, export."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from errai.cli.render.action_colours import mark_up_mix
from errai.games.definition_text import format_definition
from errai.games.library import load_game
from errai.solutions import machine_memory

from .conftest import Errai

SMALL = replace(load_game("holdem.limit.2p"), name="small", num_ranks=4, max_raises=(1, 1, 2, 2))
SPOT = ("--board", "AsKsQdJh", "--betting", "rc/cc/")


@pytest.fixture
def small(errai: Errai) -> str:
    """A game of four ranks in the directory of the test."""
    Path("small.game").write_text(format_definition(SMALL))
    return "small.game"


@pytest.fixture
def solved(errai: Errai, small: str) -> str:
    assert errai("solve", small, *SPOT, "--iterations", "100", "--out", "spot").exit_code == 0
    return "spot"


def test_a_solved_spot_tells_its_exploitability_in_every_unit_and_by_position(errai: Errai, small: str) -> None:
    outcome = errai("solve", small, *SPOT, "--range-dealer", "AA,KQs", "--iterations", "50")
    assert outcome.exit_code == 0
    rows = [line.partition("  ")[0] for line in outcome.stdout.splitlines()]
    assert rows[:12] == [
        "game",
        "spot",
        "ranges",
        "method",
        "size",
        "exploitability",
        "",
        "loses at most",
        "equity",
        "expected value",
        "first action",
        "best responses",
    ]
    assert "AsKsQdJh after rc/cc/, pot 40 chips\n" in outcome.stdout
    assert "the big blind `random`, the dealer `AA,KQs`\n" in outcome.stdout
    assert "dcfr+, 50 iterations in " in outcome.stdout
    assert "% of the pot\n" in outcome.stdout
    assert "mbb as the big blind, " in outcome.stdout
    assert outcome.stderr.startswith("small AsKsQdJh rc/cc/ by dcfr+: ")


def test_a_solved_spot_as_json(errai: Errai, small: str) -> None:
    content = errai("solve", small, *SPOT, "--target", "5", "--threads", "2", "--json").json
    assert (content["board"], content["betting"], content["pot_chips"]) == ("AsKsQdJh", "rc/cc/", 40)
    assert (content["range_bb"], content["range_dealer"]) == ("random", "random")
    assert (content["algorithm"], content["precision"]) == ("dcfr+", "float32")
    assert content["exploitability_mbb"] <= 5
    assert content["exploitability_chips"] == pytest.approx(content["exploitability_mbb"] / 100)
    assert content["exploitability_percent_of_pot"] == pytest.approx(content["exploitability_chips"] / 0.4)
    # Half of what both give away is the exploitability of both together.
    assert sum(content["given_away_mbb"]) / 2 == pytest.approx(content["exploitability_mbb"])
    assert content["trace"][-1]["current_mbb"] is None
    low, high = content["value_bounds_chips"]
    assert low <= content["value_chips"] <= high


def test_a_dry_run_tells_the_cost_and_solves_nothing(errai: Errai, small: str) -> None:
    outcome = errai("solve", small, *SPOT, "--target", "1", "--dry-run")
    assert [line.partition("  ")[0] for line in outcome.stdout.splitlines()] == [
        "size",
        "memory",
        "per iteration",
        "in all",
    ]
    content = errai("solve", small, *SPOT, "--iterations", "10", "--dry-run", "--json").json
    solved = errai("solve", small, *SPOT, "--iterations", "1", "--json").json
    assert (content["infosets"], content["memory_bytes"]) == (solved["infosets"], solved["memory_bytes"])
    assert content["iterations"] == 10
    assert content["seconds"] == pytest.approx(10 * content["seconds_per_iteration"])


def test_a_dry_run_tells_the_cost_of_what_does_not_fit(
    errai: Errai, small: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_memory, "available_bytes", lambda: 10_000)
    outcome = errai("solve", small, *SPOT, "--iterations", "10", "--dry-run", "--threads", "1")
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[1].endswith(" kB, more than the 10.0 kB that this machine can give")
    assert lines[2].endswith(" on 1 thread")


def test_a_target_below_the_floor_is_given_up_and_said(errai: Errai, small: str) -> None:
    outcome = errai("solve", small, *SPOT, "--target", "1e-9", "--precision", "uint16")
    assert outcome.exit_code == 0
    assert outcome.stderr.endswith(
        "the target of 1e-09 mbb was not reached\n"
        "the exploitability no longer falls: this is the floor of `uint16`\n"
        "\n"
        "hint: a finer `--precision` has a lower floor\n"
    )


def test_show_tells_who_acts_the_pot_the_square_and_the_hands(errai: Errai, solved: str) -> None:
    outcome = errai("show", solved, "--betting", "rc/cc/cr", "--hands", "AA,KK")
    lines = outcome.stdout.splitlines()
    assert lines[:3] == [
        "state          AsKsQdJh after rc/cc/cr",
        "to act         the big blind",
        "pot            60 chips, 20 to call",
    ]
    assert lines[5].startswith("in all         fold ")
    assert [line.split()[0] for line in lines[7:11]] == ["AA", "AKo", "AQo", "AJo"]
    heading = next(place for place, line in enumerate(lines) if line.startswith("hand"))
    actions = ["fold", "call", "raise"]
    assert lines[heading - 1].split() == [*actions, "equity", "value", *actions, "best", "response"]
    assert lines[heading].split() == ["hand", "reach"] + ["%"] * 4 + ["chips"] * 5
    assert {line[:2] for line in lines[heading + 1 :]} <= {"Ad", "Ah", "Kd", "Kh"}
    values = [float(line.split()[-5]) for line in lines[heading + 1 :]]
    assert values == sorted(values, reverse=True)


def test_show_tells_what_hands_are_worth_on_the_flop_as_well(errai: Errai, small: str) -> None:
    ranges = ("--range-bb", "AA,KQs,QJs", "--range-dealer", "KK,AQs,JJ")
    errai("solve", small, "--board", "AsKsQd", "--betting", "rc/", *ranges, "--iterations", "20", "--out", "flop")
    outcome = errai("show", "flop", "--betting", "rc/cr", "--hands", "random")
    lines = outcome.stdout.splitlines()
    worth = [float(line.split("worth ")[1].split()[0]) for line in lines[3:5]]
    assert sum(worth) == pytest.approx(50, abs=0.01)
    heading = next(place for place, line in enumerate(lines) if line.startswith("hand"))
    assert lines[heading - 1].split()[-2:] == ["best", "response"]
    hands = errai("show", "flop", "--betting", "rc/cr", "--json").json["hands"]
    assert hands
    assert all(hand["best_response"] >= hand["value"] - 1e-3 for hand in hands)


def test_hands_that_never_get_to_a_state_are_named(errai: Errai, solved: str) -> None:
    outcome = errai("show", solved, "--hands", "AsAd")
    assert outcome.exit_code == 0
    assert outcome.stdout.splitlines()[-1] == "no hand of `AsAd` gets here"


def test_show_as_json_holds_every_hand(errai: Errai, solved: str) -> None:
    content = errai("show", solved, "--betting", "rc/cc/rc/", "--board", "AsKsQdJhJd", "--json").json
    assert (content["player"], content["position"], content["pot_chips"]) == (0, "the big blind", 80)
    assert content["actions"] == ["c", "r"]
    assert list(content["frequencies"]) == ["check", "bet 20"]
    assert sum(content["frequencies"].values()) == pytest.approx(1)
    assert sum(content["value"]) == pytest.approx(80)
    assert sum(content["equity"]) == pytest.approx(1)
    assert content["equity_realisation"][0] == pytest.approx(content["value"][0] / (content["equity"][0] * 80))
    assert sum(hand["reach"] for hand in content["hands"]) == pytest.approx(content["reach"][0])
    for hand in content["hands"]:
        assert sum(hand["frequencies"].values()) == pytest.approx(1)
        assert hand["best_response"] >= hand["value"] - 1e-6
        mixed = sum(share * hand["values"][action] for action, share in hand["frequencies"].items())
        assert hand["value"] == pytest.approx(mixed, abs=1e-4)
    assert sum(hand["reach"] for hand in content["opponent_hands"]) == pytest.approx(content["reach"][1])


def test_show_draws_the_square(errai: Errai, solved: str) -> None:
    outcome = errai("show", solved, "--png", "square.png")
    assert outcome.stderr == "drawn in `square.png`\n"
    assert Path("square.png").read_bytes().startswith(b"\x89PNG")


def test_show_lists_the_cards_of_a_game_without_a_square(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "50", "--out", "leduc")
    lines = errai("show", "leduc", "--betting", "rc/r", "--board", "Ks").stdout.splitlines()
    assert lines[1] == "to act    player 1"
    assert [line.split()[0] for line in lines[-5:]] == ["Kh", "Ah", "As", "Qh", "Qs"]  # the pair is worth most
    outcome = errai("show", "leduc", "--png", "square.png")
    assert outcome.exit_code == 2
    assert "the square of hands needs two hole cards; `leduc` deals one" in outcome.stderr


def test_a_spot_is_resumed_where_it_stopped(errai: Errai, solved: str) -> None:
    content = errai("solve", "--resume", solved, "--iterations", "150", "--json").json
    assert (content["iterations"], content["board"]) == (150, "AsKsQdJh")
    assert errai("exploit", solved, "--json").json["exploitability_mbb"] == content["exploitability_mbb"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_export_writes_one_state_or_all(errai: Errai, solved: str, suffix: str) -> None:
    one = errai("export", solved, "--betting", "rc/cc/c", "--out", f"one.{suffix}", "--json").json
    assert one["rows"] == 66  # hands of the twelve cards that are not on the board
    everything = errai("export", solved, "--all", "--out", f"all.{suffix}", "--json").json
    assert (
        everything["rows"] == errai("solve", "small.game", *SPOT, "--iterations", "1", "--json").json["merged_infosets"]
    )
    assert everything["bytes"] == Path(f"all.{suffix}").stat().st_size
    if suffix == "csv":
        header, first, *_ = Path("one.csv").read_text().splitlines()
        assert header == (
            "hand,reach,opponent_reach,fold,call,raise,equity,value_chips,fold_value_chips,call_value_chips,"
            "raise_value_chips,best_response_chips"
        )
        assert first.startswith("Jd") or first[0] in "JQKA"
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table("all.parquet").column_names[:4] == ["betting", "board", "player", "hand"]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("show spot --betting rc/cc/f", "character 7 (`f`) of the betting `rc/cc/f`: player 0 cannot fold"),
        ("show spot --board AsKsQdJhJh", "every card must be different; got `AsKsQdJhJh`"),
        ("show spot --png square.txt", "a picture's name must end in `.png`, `.svg` or `.pdf`; got `square.txt`"),
        ("export spot --out table.txt", "a table's name must end in `.csv` or `.parquet`; got `table.txt`"),
        (
            "export spot --all --betting rc/cc/ --out table.csv",
            "`--all` exports every state; leave `--betting` and `--board` out",
        ),
        ("solve small.game --board AsKsQd --betting rc/cc/", "the betting `rc/cc/` leads to round 3"),
        ("solve small.game --board AsKsQdJh --betting rc/cc/ --range-bb 22", "`22` has a rank that this deck"),
        ("solve --resume spot --board AsKsQd", "`--board` cannot change when a solution is resumed"),
        ("solve --resume spot --dry-run", "`--dry-run` is about one new solve"),
        ("solve kuhn --board As", "the betting `` leads to round 1, which has 0 cards on the board; got 1: `As`"),
    ],
)
def test_wrong_usage_is_told_in_one_line_with_exit_code_2(errai: Errai, solved: str, command: str, error: str) -> None:
    outcome = errai(*command.split())
    assert outcome.exit_code == 2
    assert f"error: {error}" in outcome.stderr
    assert "\n\nhint: " in outcome.stderr


def test_parquet_without_pyarrow_says_what_to_install(
    errai: Errai, solved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    outcome = errai("export", solved, "--out", "table.parquet")
    assert outcome.exit_code == 2
    assert outcome.stderr == (
        "error: Parquet needs pyarrow\n\n"
        f"hint: `{sys.executable} -m pip install pyarrow` installs it; `.csv` needs nothing\n"
    )


def test_a_mix_colours_as_much_of_the_text_as_its_probability() -> None:
    assert mark_up_mix("abcd", ("f", "c", "r"), (0.25, 0.75, 0.0)) == "[white on red]a[/][white on blue]bcd[/]"
