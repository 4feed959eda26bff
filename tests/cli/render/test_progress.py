"""The lines of measured points that a long solve prints."""

import io

import pytest
from rich.console import Console

from errai.cli.render import progress as progress_module
from errai.cli.render.progress import solve_progress
from errai.reports.trace import TracePoint
from errai.solutions.solution import Progress


def lines_of(points: list[TracePoint]) -> list[str]:
    written = io.StringIO()
    with solve_progress(Console(file=written, width=80), label="game", strategy="average") as show:
        for point in points:
            show(Progress(point.iteration, None, point, None))
    return [line.rstrip() for line in written.getvalue().splitlines()]


def test_each_measured_point_of_a_long_solve_is_a_line_also_where_nobody_watches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress_module, "_LONG_SECONDS", 0.0)
    first, second = TracePoint(5, 100.0, None), TracePoint(1_000, 1.0, None)
    assert lines_of([first, first, second, TracePoint(2_000, 0.0, None)]) == [
        "iteration      5         100 mbb  " + "█" * 30,  # ten cells for each factor of ten above 0.1 mbb
        "iteration  1,000           1 mbb  " + "█" * 10,
        "iteration  2,000           0 mbb",
    ]


def test_a_short_solve_prints_no_points() -> None:
    assert lines_of([TracePoint(5, 100.0, None)]) == []
