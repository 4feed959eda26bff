"""A run from disk is a stored strategy."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.errors import InputError
from errai.games.state import initial_state
from errai.solutions.stored_strategy import StoppedError
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
        errai.open(tmp_path / "lossless").export(tmp_path / "run.csv", strategy="current", whole=True)
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

    def test_a_strategy_that_was_not_measured_is_measured_once(self, tmp_path: Path) -> None:
        stored = errai.solve_whole(MINI, tmp_path / "run", goal=errai.Goal(iterations=3), with_average=True)
        assert {point.strategy for point in stored.describe().trace} == {"average"}
        steps: list[tuple[int, int]] = []
        work = errai.Work(on_progress=lambda done, total: steps.append((done, total)))
        measured = errai.open(tmp_path / "run").exploitability("current", work=work)
        assert steps
        assert errai.StoredRun.open(tmp_path / "run").describe().trace[-1].exploitability == measured
        steps.clear()
        assert errai.open(tmp_path / "run").exploitability("current", work=work) == measured
        assert not steps

    def test_the_size_after_every_iteration_is_that_of_the_files(self, tmp_path: Path) -> None:
        found: dict[int, dict[str, int]] = {}
        for iterations in (1, 2, 3):
            stored = errai.solve_whole(
                MINI, tmp_path / "run", goal=errai.Goal(iterations=iterations), with_average=True
            )
            found[iterations] = {
                kind: sum(file.stat().st_size for file in (tmp_path / "run").rglob(f"{kind}-*.flop"))
                for kind in ("regrets", "average")
            }
        sizes = {size.iteration: size for size in stored.describe().sizes}
        assert {
            number: {"regrets": size.regret_bytes, "average": size.average_bytes} for number, size in sizes.items()
        } == found
        assert stored.describe().num_bytes == sum(found[3].values())

    def test_a_measurement_that_is_stopped_says_so(self, tmp_path: Path) -> None:
        errai.solve_whole(MINI, tmp_path / "run", goal=errai.Goal(iterations=3), with_average=True)
        with pytest.raises(StoppedError, match="interrupted before the exploitability was measured"):
            errai.open(tmp_path / "run").exploitability("current", work=errai.Work(should_stop=lambda: True))

    def test_a_state_is_the_same_with_and_without_values(self, directory: Path) -> None:
        """Without values the nodes of the line are read, with them the spot is taken out of the run."""
        stored = errai.open(directory)
        for betting, board in (("cc/cc/", "AhKs"), ("cc/rc/c", "AhKs"), ("cc/cc/r", "KsKh")):
            plain, valued = (
                stored.query(betting=betting, board=board, with_values=with_values) for with_values in (False, True)
            )
            assert plain.value_chips is None
            assert valued.value_chips is not None
            for ours, theirs in zip(
                (*plain.reach, plain.probabilities), (*valued.reach, valued.probabilities), strict=True
            ):
                np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-9)


def test_before_the_average_begins_only_the_current_strategy_can_be_asked_for(tmp_path: Path) -> None:
    goal = errai.Goal(iterations=1)
    stored = errai.solve_whole(MINI, tmp_path / "run", goal=goal, with_average=True, averaging_delay=1)
    asked: tuple[Callable[[], object], ...] = (
        stored.exploitability,
        stored.query,
        lambda: next(stored.infosets()),
        lambda: stored.export(tmp_path / "run.csv"),
        lambda: stored.export(tmp_path / "run.csv", whole=True),
        lambda: stored.action_probabilities(initial_state(MINI), ()),
    )
    for ask in asked:
        with pytest.raises(InputError, match="no average strategy yet: it begins in iteration 2, and 1 is done"):
            ask()
    assert not (tmp_path / "run.csv").exists()
    assert stored.exploitability("current").exploitability_mbb > 0
    assert stored.query(strategy="current").player == 0
    errai.solve_whole(MINI, tmp_path / "run", goal=errai.Goal(iterations=2), with_average=True, averaging_delay=1)
    assert errai.open(tmp_path / "run").exploitability().exploitability_mbb > 0
