"""A run from disk is a stored strategy."""

from dataclasses import replace
from pathlib import Path

import pytest

import errai
from solutions.stored_strategy_kit import StoredStrategyContract, read_rows

# Three rounds on a deck of six cards: three flops, small enough to be read whole.
MINI = replace(
    errai.load_game("rhode-island"),
    name="mini",
    blinds=(5, 5),
    raise_sizes=(10, 20, 20),
    max_raises=(1, 1, 1),
    num_suits=2,
    num_ranks=3,
)


class TestARun(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        errai.solve_whole(MINI, directory, goal=errai.Goal(iterations=10), with_average=True)

    def test_everything_is_what_the_same_solve_in_memory_exports(self, directory: Path, tmp_path: Path) -> None:
        errai.solve_whole(MINI, tmp_path / "lossless", goal=errai.Goal(iterations=5), scale=0.0, algorithm="cfr+")
        errai.open(tmp_path / "lossless").export(tmp_path / "run.csv", whole=True)
        solution = errai.solve(MINI, algorithm="cfr+", iterations=5, precision="float32", engine="lanes")
        solution.export(tmp_path / "memory.csv", strategy="current", whole=True)
        ours, theirs = (
            {(row["betting"], row["board"], row["hand"]): row for row in read_rows(tmp_path / name)}
            for name in ("run.csv", "memory.csv")
        )
        assert ours.keys() == theirs.keys()
        for key, row in ours.items():
            for action in ("fold", "call", "raise"):
                assert float(row[action] or 0) == pytest.approx(float(theirs[key][action] or 0), abs=1e-4)
