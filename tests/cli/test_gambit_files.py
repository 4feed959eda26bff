"""`errai export GAME --out FILE.efg` and `errai solve FILE.efg`."""

import json
from pathlib import Path

import pytest

from errai.cli.main import run


@pytest.fixture
def leduc_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "leduc.efg"
    assert run(["export", "leduc", "--out", str(path)]) == 0
    assert capsys.readouterr().out.startswith("1,936 nodes, ")
    return path


def test_a_gambit_file_is_solved_to_the_value_of_the_game(leduc_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", str(leduc_file), "--algorithm", "lp", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["value_bounds_chips"] == pytest.approx([-0.085606424078] * 2, abs=1e-9)
    assert report["unit_chips"] == 2


def test_a_solution_is_saved_and_its_game_written_again(leduc_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory, again = leduc_file.with_name("solved"), leduc_file.with_name("again.efg")
    assert run(["solve", str(leduc_file), "--iterations", "5", "--out", str(directory)]) == 0
    capsys.readouterr()
    assert run(["export", str(directory), "--out", str(again), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 1936
    # The labels of infosets and the fractions are the same; infosets may be numbered in another order.
    assert again.read_text().count("1/15") == leduc_file.read_text().count("1/15")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "FILE", "--board", "As"], "`--board` is for poker games"),
        (["export", "FILE", "--out", "x.efg", "--all"], "holds the game, not a strategy"),
        (["export", "flop-holdem", "--out", "x.efg"], "more than 5000000 nodes"),
        (["solve", "missing.efg"], "cannot read the game `missing.efg`"),
    ],
)
def test_what_a_tree_does_not_know_is_refused(
    leduc_file: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([str(leduc_file) if word == "FILE" else word for word in arguments]) in (1, 2)
    assert message in capsys.readouterr().err
