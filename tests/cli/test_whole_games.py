"""Runs of whole games, asked from the command line."""

from dataclasses import replace
from pathlib import Path

import pytest

from errai.games.definition_text import format_definition
from errai.games.library import load_game

from .conftest import Errai

SMALL = replace(load_game("holdem.limit.2p"), name="small", num_ranks=3, max_raises=(1, 1, 1, 1))


@pytest.fixture
def run(errai: Errai) -> str:
    """A run of a game of three ranks in the directory of the test."""
    Path("small.game").write_text(format_definition(SMALL))
    solved = errai("solve", "small.game", "--memory", "1G", "--iterations", "2", "--every", "2", "--out", "run")
    assert solved.exit_code == 0
    return "run"


def test_show_tells_what_hands_are_worth_from_the_flop_on_and_before_it_when_asked(errai: Errai, run: str) -> None:
    on_the_flop = errai("show", run, "--betting", "rc/", "--board", "AcKdQh", "--json").json["hands"]
    assert all(hand["value"] <= hand["best_response"] + 1e-3 for hand in on_the_flop)
    before = errai("show", run, "--json").json["hands"]
    assert {hand["value"] for hand in before} == {None}
    outcome = errai("show", run, "--values", "--json")
    assert outcome.exit_code == 0
    assert outcome.stderr == ""
    values = {hand["hand"]: hand["value"] for hand in outcome.json["hands"]}
    assert values["AsAh"] == pytest.approx(values["AdAc"])
    assert values["AsAh"] > values["QsQh"]
    without = errai("show", run, "--betting", "rc/", "--board", "AcKdQh", "--no-values", "--json").json["hands"]
    assert {hand["value"] for hand in without} == {None}


def test_a_run_without_an_average_yet_says_so_and_how_to_go_on(errai: Errai) -> None:
    Path("small.game").write_text(format_definition(SMALL))
    options = ("--memory", "1G", "--iterations", "1", "--averaging-delay", "1", "--out", "run")
    assert errai("solve", "small.game", *options).exit_code == 0
    for command in (
        ("exploit", "run"),
        ("show", "run"),
        ("export", "run", "--out", "run.csv"),
        ("match", "run", "always-call", "--hands", "2x10"),
        ("lbr", "run", "--hands", "10"),
        ("exploit", "small.game", "--strategy", "run"),
    ):
        outcome = errai(*command)
        assert outcome.exit_code != 0
        assert "`run` has no average strategy yet: it begins in iteration 2, and 1 is done" in outcome.stderr
        assert "hint: `errai solve --resume run --iterations 2` goes on until there is one" in outcome.stderr
        assert "`--measure current`" in outcome.stderr
    assert "(current strategy, iteration 1)" in errai("exploit", "run", "--measure", "current").stdout
    assert errai("show", "run", "--measure", "current").exit_code == 0
    assert errai("solve", "--resume", "run", "--iterations", "2").exit_code == 0
    assert "(average strategy, iteration 2)" in errai("exploit", "run").stdout


def test_a_long_run_prints_each_measured_point_once_also_after_it_is_resumed(
    errai: Errai, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errai.cli.render.progress._LONG_SECONDS", 0.0)
    resumed = errai("solve", "--resume", run, "--iterations", "6", "--every", "2")
    points = [line.split()[:2] for line in resumed.stderr.splitlines() if line.startswith("iteration")]
    assert points == [["iteration", "4"], ["iteration", "6"]]
    again = errai("solve", "--resume", run, "--iterations", "6")
    assert not any(line.startswith("iteration") for line in again.stderr.splitlines())


def test_a_plan_from_a_run_takes_its_rates_as_they_are(errai: Errai, run: str) -> None:
    printed = errai("plan", "small.game", "--from", run, "--iterations", "10").stdout
    assert "early" not in printed
    assert "million infosets per core-second, measured on small, iteration 2" in printed
    assert [line.split()[-2:] for line in printed.splitlines() if line.startswith(("  regrets", "  average"))] == [
        ["as", "measured"],
        ["as", "measured"],
    ]
    assert "not measured apart" in printed  # the run averages from its first iteration on


def test_a_run_that_is_coded_fast_says_so_goes_on_and_answers(errai: Errai, run: str) -> None:
    options = ("--memory", "1G", "--iterations", "2", "--every", "2", "--coding", "fast", "--out", "fast")
    assert "fixed point at scale 5, coded fast" in errai("solve", "small.game", *options).stdout
    assert errai("solve", "--resume", "fast", "--iterations", "3").exit_code == 0
    assert errai("solve", "--resume", run, "--iterations", "3").exit_code == 0
    answers = [errai("exploit", directory, "--measure", "current", "--json").json for directory in ("fast", run)]
    assert answers[0]["exploitability_mbb"] == answers[1]["exploitability_mbb"] > 0
    assert errai("verify", "fast").exit_code == 0
    assert errai("status", "fast", "--json").json["coding"] == "fast"


def test_a_coding_is_for_new_files_in_fixed_point(errai: Errai, run: str) -> None:
    for command, message in (
        (("solve", "leduc", "--coding", "fast"), "`--coding` is for whole games from disk"),
        (("solve", "--resume", run, "--coding", "fast"), "coding: small there, fast here"),
        (("plan", "small.game", "--from", run, "--coding", "fast"), "hint: leave out `--coding` with `--from`"),
        (
            ("solve", "small.game", "--memory", "1G", "--precision", "lossless", "--coding", "fast", "--out", "new"),
            "hint: leave out `--coding`, or `--precision lossless`",
        ),
    ):
        outcome = errai(*command)
        assert outcome.exit_code != 0
        assert message in outcome.stderr
