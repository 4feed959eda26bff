"""`errai report`: a stored strategy on every card that can come next."""

import csv
from pathlib import Path

import pytest

from .conftest import Errai

TURN = (
    *("holdem.nolimit.2p", "--pot", "40", "--stack", "120", "--board", "QsJh2h8s", "--iterations", "40"),
    *("--range-bb", "AA,KK,KQs,T9s,98s", "--range-dealer", "QQ,AQs,KQs,JTs,A5s"),
)


def test_a_report_has_a_row_for_every_river_and_its_means_are_those_of_the_turn(errai: Errai) -> None:
    """Nobody can bet on the turn, so that what the ranges are worth there is the mean over all rivers."""
    errai("solve", *TURN, "--bets", "turn none", "--bets", "river 50%,a / 3x", "--out", "spot")
    before = errai("show", "spot", "--json").json
    content = errai("report", "spot", "--betting", "cc/", "--json").json
    assert len(content["rows"]) == 48
    assert [row["cards"] for row in content["rows"][:3]] == ["As", "Ah", "Ad"]
    assert sum(row["share"] for row in content["rows"]) == pytest.approx(1)
    (whole,) = content["totals"]["all"]
    assert whole["values_chips"] == pytest.approx(before["value"], abs=1e-3)
    assert whole["equities"] == pytest.approx(before["equity"], abs=1e-6)
    river = errai("show", "spot", "--betting", "cc/", "--board", "QsJh2h8s3d", "--json").json
    (row,) = (row for row in content["rows"] if row["cards"] == "3d")
    assert row["frequencies"] == pytest.approx(river["frequencies"])
    assert row["values_chips"] == pytest.approx(river["value"])
    assert list(row["frequencies"]) == ["check", "bet 20", "all-in"]


def test_a_report_is_written_and_drawn(errai: Errai) -> None:
    errai("solve", *TURN, "--bets", "50%", "--out", "spot")
    outcome = errai("report", "spot", "--betting", "cc/r20", "--out", "rivers.csv", "--png", "rivers.png")
    assert outcome.exit_code == 0
    assert "to act  the dealer" in outcome.stdout
    rows = list(csv.DictReader(Path("rivers.csv").read_text().splitlines()))
    assert len(rows) == 48
    for row in rows:
        assert sum(float(row[name]) for name in ("fold", "call", "raise_60")) == pytest.approx(1, abs=1e-5)
        assert float(row["equity_0"]) + float(row["equity_1"]) == pytest.approx(1, abs=1e-5)
        assert float(row["value_chips_0"]) + float(row["value_chips_1"]) == pytest.approx(60, abs=1e-2)
    assert Path("rivers.png").read_bytes().startswith(b"\x89PNG")
    errai("report", "spot", "--betting", "cc/", "--no-values", "--out", "rivers.parquet")
    assert Path("rivers.parquet").read_bytes().startswith(b"PAR1")


def test_a_small_whole_game_is_reported_too(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "100", "--out", "leduc")
    content = errai("report", "leduc", "--betting", "rc/", "--json").json
    assert [row["cards"] for row in content["rows"]] == ["As", "Ah", "Ks", "Kh", "Qs", "Qh"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), "no cards of the board are dealt in the round in which the strategy begins"),
        (("--betting", "r20f"), "nobody acts after `r20f`: the hand is over"),
        (("--betting", "cc/", "--board", "QsJh2h"), "this strategy begins on `QsJh2h8s`"),
        (("--betting", "cc/r33"), "the betting tree has no action `r33`"),
        (("--betting", "cc/", "--out", "rows.txt"), "a table's name must end in `.csv` or `.parquet`"),
    ],
)
def test_a_report_that_cannot_be_has_a_sentence(errai: Errai, arguments: tuple[str, ...], error: str) -> None:
    errai("solve", *TURN, "--bets", "50%", "--iterations", "1", "--out", "spot")
    outcome = errai("report", "spot", *arguments)
    assert outcome.exit_code == 2
    assert f"error: {error}" in outcome.stderr
