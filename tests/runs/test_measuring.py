"""Every measurement that is due is made, and a run that cannot reach its target ends."""

import json
from pathlib import Path

import pytest

from errai.cli.main import run as run_command
from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.runs.flop_executor import JudgedValue, LocalFlops
from errai.runs.progress import RunProgress
from errai.runs.run import Outcome, WholeRun
from errai.runs.settings import RunSettings
from reference.mini_game import MINI, MINI_TEXT
from reference.stored_runs import logical_files, logical_ledger


def begin(directory: Path, scale: float = 0.0) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(MINI, scale=scale))


class Interruption:
    """Asks a run to stop while it measures after a certain iteration, once."""

    def __init__(self, iteration: int) -> None:
        self.iteration = iteration
        self.is_asked = self.is_over = False

    def on_progress(self, progress: RunProgress) -> None:
        if progress.is_measuring and progress.iteration == self.iteration and not self.is_over:
            self.is_asked = self.is_over = True

    def should_stop(self) -> bool:
        return self.is_asked


def advance(run: WholeRun, interruption: Interruption | None = None, **goal: float | None) -> Outcome:
    watch = (
        {}
        if interruption is None
        else {
            "on_progress": interruption.on_progress,
            "should_stop": interruption.should_stop,
        }
    )
    options = {"iterations": None, **goal, **watch}
    return run.advance(LocalFlops(run.flop_worker(), 1), **options)  # type: ignore[arg-type]


def measured_iterations(run: WholeRun) -> list[int]:
    return [iteration for iteration, _ in run.curve("current")]


@pytest.mark.parametrize("iteration", [1, 5, 10])
def test_a_run_interrupted_while_measuring_ends_like_one_that_was_not(tmp_path: Path, iteration: int) -> None:
    target_mbb = 110.0  # met at iteration 15
    whole, interrupted = begin(tmp_path / "whole"), begin(tmp_path / "interrupted")
    assert advance(whole, target_mbb=target_mbb) == "finished"
    assert measured_iterations(whole) == [1, 5, 10, 15]
    interruption = Interruption(iteration)
    assert advance(interrupted, interruption, target_mbb=target_mbb) == "stopped"
    assert interrupted.iteration == iteration
    assert iteration not in measured_iterations(interrupted)
    assert advance(interrupted, target_mbb=target_mbb) == "finished"
    assert logical_files(interrupted.directory) == logical_files(whole.directory)
    assert logical_ledger(interrupted.directory) == logical_ledger(whole.directory)


def test_a_run_that_has_met_its_target_does_nothing_more(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    for _ in range(2):
        assert advance(run, target_mbb=110.0) == "finished"
        assert run.iteration == 15


def test_a_run_beyond_its_goal_is_measured_where_it_is(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    interruption = Interruption(4)
    advance(run, interruption, iterations=9, measure_every=4)
    assert (run.iteration, measured_iterations(run)) == (4, [])
    assert advance(run, iterations=2) == "finished"
    assert (run.iteration, measured_iterations(run)) == (4, [4])


def test_json_names_the_iteration_that_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mini.game").write_text(MINI_TEXT)
    solve = ("solve", "mini.game", "--memory", "500M", "--iterations", "3", "--every", "2", "--out", "run", "--json")
    assert run_command(solve) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["iterations"], report["measured_iteration"]) == (3, 3)
    assert [point["iteration"] for point in report["trace"]] == [2, 3]


def test_a_target_below_the_floor_of_the_precision_ends_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mini.game").write_text(MINI_TEXT)
    solve = ("solve", "mini.game", "--memory", "500M", "--scale", "1e-6", "--target", "0.001", "--out", "run")
    assert run_command(solve) == 0
    errors = capsys.readouterr().err.replace("\n", " ")
    assert "the target of 0.001 mbb was not reached: the exploitability no longer falls" in errors
    assert "hint: begin a new run with a finer scale, as in `--scale 0.0001`, or `--precision lossless`" in errors
    assert run_command(("solve", "--resume", "run")) == 0  # it says so again, at once
    assert WholeRun.open(Path("run")).iteration == 40


def test_an_exploitability_that_is_not_a_number_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(tmp_path / "run")

    class Overflowing(LocalFlops):
        def best_response(self, flops, **question):  # type: ignore[no-untyped-def]
            for answer in super().best_response(flops, **question):
                assert isinstance(answer, JudgedValue)
                yield JudgedValue(answer.flop, answer.value + float("nan"))

    with pytest.raises(InputError, match="overflowed: its best responses are worth `nan`"):
        run.advance(Overflowing(run.flop_worker(), 1), iterations=1)
    assert run.measured("current") is None
    assert isinstance(run.measure(LocalFlops(run.flop_worker(), 1), "current"), Exploitability)
