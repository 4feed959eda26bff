"""Progress on stderr: how far a solve has come, how exploitable it is, and how long it will still take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log10
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from errai.cli.output import stderr_console
from errai.cli.render.quantities import format_seconds
from errai.games.strategies import StrategyKind
from errai.solutions.solution import OnProgress, Progress

_LONG_SECONDS = 3.0
_CELLS_PER_DECADE = 10
_SHORTEST_BAR_MBB = 0.1


def progress_bar(console: Console) -> RichProgress:
    """A bar whose tasks have a description and a `status`; on a terminal only."""
    return RichProgress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[status]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class PointLines:
    """The measured points of a long solve, one line each, also where stderr is not a terminal.

        iteration     14       67.44 mbb  ████████████████████████████

    The bars are logarithmic. A short solve prints none: its curve is there before anybody could read them.
    """

    def __init__(self, console: Console, *, after_iteration: int = 0) -> None:
        self._console = console
        self._started = monotonic()
        self._waiting: list[str] = []
        self._last_iteration = after_iteration

    def add(self, iteration: int, mbb: float) -> None:
        """Print a point, unless it is there already."""
        if iteration > self._last_iteration:
            self._last_iteration = iteration
            self._waiting.append(_point_line(iteration, mbb))
        if monotonic() - self._started >= _LONG_SECONDS:
            for line in self._waiting:
                self._console.print(line, soft_wrap=True)
            self._waiting.clear()


def _point_line(iteration: int, mbb: float) -> str:
    length = max(0, round(_CELLS_PER_DECADE * log10(mbb / _SHORTEST_BAR_MBB))) if mbb > 0 else 0
    return f"iteration {iteration:>6,}  {mbb:>10.4g} mbb  {'█' * length}"


@contextmanager
def solve_progress(console: Console, *, label: str, strategy: StrategyKind) -> Iterator[OnProgress]:
    """Within, show the progress of one solve."""
    bar = progress_bar(console)
    task = bar.add_task(label, total=None, status="")
    lines = PointLines(console)

    def show(progress: Progress) -> None:
        status = f"iteration {progress.iteration:,}"
        if progress.latest is not None:
            mbb = progress.latest.of(strategy)
            lines.add(progress.latest.iteration, mbb)
            status += f" · {mbb:.4g} mbb"
        if progress.seconds_left is not None:
            # The bar shows time, not iterations: how many a target takes is not known.
            elapsed = bar.tasks[0].elapsed or 0.0
            bar.update(task, completed=elapsed, total=elapsed + progress.seconds_left)
            status += f" · {format_seconds(progress.seconds_left)} left"
        bar.update(task, status=status)

    with bar:
        yield show


@contextmanager
def step_progress(label: str, steps: str) -> Iterator[Callable[[int, int], None]]:
    """Within, show how many of so many steps are done; nothing where there are none."""
    with progress_bar(stderr_console()) as bar:
        task = bar.add_task(label, total=None, status="", visible=False)

        def on_progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, status=f"{done:,} of {total:,} {steps}", visible=True)

        yield on_progress
