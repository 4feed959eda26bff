import json
import re
from pathlib import Path
from typing import Any

import pytest

from errai.cli.render.lbr_table import PaperFigure, printed_figure, swapped_figure
from errai.evaluate.statistics import Estimate

from .conftest import Errai

LINES = """\
agent                   always-fold, holdem.nolimit.2p, seed 0
local best response     fcpa in rounds 1-4
hands                   20 (10 deals, each twice), N per second
LBR wins                750.0 ± 0.0 mbb/h (95 %)
  as big blind          500.0 ± 0.0 mbb/h
  as dealer             1,000.0 ± 0.0 mbb/h
  plain                 750.0 ± 0.0 mbb/h
  duplicate             750.0 ± 0.0 mbb/h
  duplicate, imaginary  750.0 ± 0.0 mbb/h
mbb/h: thousandths of a big blind (100 chips) per hand
"""

BOT = """
from errai.games.action_probabilities import ActionProbabilities

class Nan:
    def action_probabilities(self, state, board):
        return ActionProbabilities(call=float("nan"))

class Gone:
    def action_probabilities(self, state, board):
        import os
        os._exit(0)
"""


def run_json(errai: Errai, *arguments: str) -> Any:
    outcome = errai("lbr", *arguments, "--workers", "1", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    return outcome.json


def test_json_has_the_mean_its_interval_and_where_it_comes_from(errai: Errai) -> None:
    found = run_json(errai, "always-call", "--bets", "fcpa", "--rounds", "3-4", "--hands", "2x200", "--seed", "1")
    assert found["hands"] == 400
    assert found["rounds"] == [3, 4]
    # figures.md, section 6, exact: 48,634.621 mbb.
    assert found["mean_mbb"] == pytest.approx(48_634.621, abs=found["ci95_mbb"])
    assert sum(found["by_seat_mbb"]) / 2 == pytest.approx(found["mean_mbb"])
    assert list(found["techniques"]) == ["plain", "duplicate", "duplicate, imaginary", "duplicate, AIVAT"]
    assert sum(part["mbb"] for part in found["by_last_round"]) == pytest.approx(found["mean_mbb"])
    assert found["hands_per_second"] > 0


def test_a_person_reads_the_same_in_lines(errai: Errai) -> None:
    outcome = errai("lbr", "always-fold", "--hands", "2x10", "--workers", "1", "--estimator", "plain")
    # Always folding loses 750 mbb (figures.md, section 3).
    assert re.sub(r"[0-9,]+ per second", "N per second", outcome.stdout) == LINES


def test_limit_games_are_judged_too(errai: Errai) -> None:
    found = run_json(errai, "random", "--game", "leduc", "--hands", "2x100")
    assert found["game"] == "leduc"
    # Uniform random play in Leduc: NashConv 4.7472 chips (figures.md, section 2), so at most 2.3736 chips, 1,186.8 mbb.
    assert 0 < found["mean_mbb"] < 1186.8 + found["ci95_mbb"]


def test_a_saved_run_goes_on_and_ends_as_one_that_was_played_at_once(errai: Errai) -> None:
    options = ("random", "--game", "leduc", "--seed", "3")
    run_json(errai, *options, "--hands", "2x60", "--out", "run")
    resumed = run_json(errai, *options, "--hands", "2x150", "--out", "run")
    at_once = run_json(errai, *options, "--hands", "2x150")
    del resumed["hands_per_second"], at_once["hands_per_second"]
    assert resumed == at_once


def test_a_saved_run_of_something_else_is_not_continued(errai: Errai) -> None:
    run_json(errai, "random", "--game", "leduc", "--hands", "2x10", "--out", "run")
    outcome = errai("lbr", "random", "--game", "leduc", "--hands", "2x10", "--out", "run", "--seed", "1")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: `run` holds a run with `seed` 0; got 1\n")


def test_it_stops_when_the_interval_is_narrow_enough(errai: Errai) -> None:
    found = run_json(errai, "random", "--game", "leduc", "--hands", "2x100000", "--until", "250")
    assert found["ci95_mbb"] <= 250
    assert found["hands"] < 10_000


def test_a_report_is_a_page_and_a_picture(errai: Errai, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run_json(errai, "random", "--game", "leduc", "--hands", "2x20", "--report", "out")
    page = (tmp_path / "out" / "report.md").read_text()
    assert "| random | fcpa | 1-2 | 40 |" in page
    assert "## Winnings by the round of the last action" in page
    assert (tmp_path / "out" / "report.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_of_the_paper_stands_beside_the_papers_figures(errai: Errai) -> None:
    arguments = ("lbr", "--table", "2", "--hands", "2x2", "--workers", "1")
    cells = json.loads(errai(*arguments, "--json").stdout)["table"]
    # Twelve figures, four of them in two readings of the strategy.
    assert len(cells) == 16
    assert [cell["paper_mbb"] for cell in cells if cell["agent"] == "random"] == [15700, 2200, 39100, 80700]
    assert [cell["mean_mbb"] for cell in cells if cell["agent"] == "always-call" and cell["bets"] == "fc"] == [0, 0]
    lines = errai(*arguments).stdout.splitlines()
    assert lines[1].split()[:6] == ["bets", "rounds", "always-call", "paper", "call-or-raise", "paper"]
    assert lines[4].split()[:2] == ["fcpa", "1-4"]
    assert lines[-2].startswith("*  agrees with the other `fc` figure of its column")


def test_table_3_has_a_column_per_agent_and_the_gain_off_the_tree(errai: Errai) -> None:
    arguments = ("lbr", "always-call", "random", "--table", "3", "--hands", "2x2", "--workers", "1")
    report = json.loads(errai(*arguments, "--json").stdout)
    assert [(cell["bets"], cell["rounds"]) for cell in report["table"][::2]] == [
        *(("fc", "1-4"), ("fc", "3-4"), ("fcpa", "3-4"), ("on-tree", "3-4"), ("56bets", "1-4"), ("56bets", "3-4"))
    ]
    mean = {(cell["agent"], cell["bets"], cell["rounds"]): cell["mean_mbb"] for cell in report["table"]}
    for gain in report["gain_off_tree"]:
        agent = gain["agent"]
        assert gain["mean_mbb"] == mean[agent, "56bets", "3-4"] - mean[agent, "on-tree", "3-4"]
    # Lisý and Bowling 2017, Table 3.
    assert report["paper_mbb"]["Act1 2016"] == [407, 390, 2597, None, 2429, 3302]
    lines = errai(*arguments).stdout.splitlines()
    assert lines[1].split()[:4] == ["bets", "rounds", "always-call", "random"]
    assert lines[-1].startswith("gain off tree  3-4")


def test_the_two_figures_that_stand_the_wrong_way_round_are_compared_both_ways() -> None:
    first, second = ("call-or-raise", "fc", "1-4"), ("call-or-raise", "fc", "3-4")
    assert swapped_figure(first) == printed_figure(second) == PaperFigure(16.2, 0.3)
    assert swapped_figure(second) == printed_figure(first) == PaperFigure(7.1, 0.5)
    assert swapped_figure(("random", "fc", "1-4")) is None
    assert PaperFigure(7.1, 0.5).agrees_with(Estimate(7600, 100 / 1.96, 9))
    assert not PaperFigure(7.1, 0.5).agrees_with(Estimate(7800, 100 / 1.96, 9))


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        ((), 2, "error: give one AGENT; `--table 2` takes none, and `--table 3` takes one or more\n"),
        (
            ("random", "--table", "2"),
            2,
            "error: give one AGENT; `--table 2` takes none, and `--table 3` takes one or more\n",
        ),
        (("--table", "3"), 2, "error: give one AGENT; `--table 2` takes none, and `--table 3` takes one or more\n"),
        (("random", "--hands", "3"), 2, "error: every deal is played twice; got an odd number of hands, 3\n"),
        (("random", "--hands", "many"), 2, "error: invalid value for `--hands`: expected a number of hands"),
        (("random", "--rounds", "0-9"), 2, "error: expected rounds, as in `3-4` or `1,4`; got `0-9`\n"),
        (("random", "--rounds", "5"), 2, "error: `holdem.nolimit.2p` has the rounds 1 to 4; got [5]\n"),
        (("random", "--bets", "fcx"), 2, "error: there is no set of bets `fcx`: `fcx`: `fcx` is not a bet size\n"),
        (("nobody",), 2, "error: there is no agent `nobody`\n"),
        (("missing.py:Bot",), 1, "error: there is no file `missing.py`\n"),
        (("seed=nan",), 2, "error: a seed must be a whole number from 0 to 2**53 - 1; got `seed=nan`\n"),
        (
            ("bot.py:Gone", "--hands", "2x1"),
            1,
            "error: agent `Gone` raised SystemExit: 0 as player 1 after the betting `` on the board ``\n",
        ),
        (
            ("bot.py:Nan", "--hands", "2x1"),
            1,
            "error: agent `Nan` answered with `call` that holds nan as player 1 after the betting `` on the board ``\n",
        ),
    ],
)
def test_what_is_wrong_is_said(
    errai: Errai, tmp_path: Path, arguments: tuple[str, ...], exit_code: int, message: str
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    outcome = errai("lbr", *arguments, "--workers", "1")
    assert outcome.exit_code == exit_code
    assert outcome.stderr.startswith(message)
