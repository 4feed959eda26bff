"""`errai figures`: the published numbers, and one's own results beside them."""

import json
from pathlib import Path

import pytest

from cli.conftest import Errai
from errai.reports.published_figures import published_figures, published_preflop

NAMES = ("games-solved", "convergence", "preflop", "programs", "compression", "lbr-table-2", "lbr-by-round")
FILES = {f"{name}.png" for name in NAMES}


def test_every_published_number_names_its_source() -> None:
    figures = published_figures()
    for topic in ("sizes_of_games", "games_solved", "programs"):
        assert all(entry["source"] in figures["sources"] for entry in figures[topic])
    # Bowling et al. 2015: 1,579 iterations, 0.986 mbb/g.
    assert figures["published_solution"]["exploitability_mbb"] == 0.986
    # Lisý and Bowling 2017, Table 2.
    assert figures["local_best_response_bb"]["strategies"]["random"][3] == [80.7, 0.7]


def test_the_published_preflop_strategy_is_whole() -> None:
    preflop = published_preflop()
    assert set(preflop) == {"initial", "c", "r", "cr", "rr", "crr", "rrr", "crrr"}
    for mixes in preflop.values():
        assert len(mixes) == 169
    # The paper: no hand limps more than 0.5 % of the time, which it gives to a tenth of a percent.
    assert max(call for _, call, _, _ in preflop["initial"].values()) < 0.0055


def test_all_figures_are_drawn(errai: Errai, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert errai("solve", "leduc", "--target", "0.9", "--out", "solved").exit_code == 0
    cell = {"agent": "always-call", "bets": "fcpa", "rounds": "1-4", "mean_mbb": 33790.6, "ci95_mbb": 500.0}
    (tmp_path / "lbr.json").write_text(json.dumps({"table": [cell]}))
    outcome = errai("figures", "solved", "--lbr", "lbr.json", "--out", "drawn", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    assert {Path(path).name for path in outcome.json["files"]} == FILES
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == FILES


def test_a_file_without_cells_is_refused(errai: Errai, tmp_path: Path) -> None:
    (tmp_path / "lbr.json").write_text("{}")
    outcome = errai("figures", "--lbr", "lbr.json", "--out", "drawn")
    assert outcome.exit_code == 2
    assert "it has no results of local best response" in outcome.stderr
