"""Progress on stderr: of a solve, how far, how exploitable, how long still."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from errai.cli.output import stderr_console
from errai.cli.render.quantities import format_seconds
from errai.games.strategies import StrategyKind
from errai.solutions.solution import OnProgress, Progress


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


@contextmanager
def solve_progress(console: Console, *, label: str, strategy: StrategyKind) -> Iterator[OnProgress]:
    """Within, show the progress of one solve."""
    bar = progress_bar(console)
    task = bar.add_task(label, total=None, status="")

    def show(progress: Progress) -> None:
        status = f"iteration {progress.iteration:,}"
        if progress.latest is not None:
            status += f" · {progress.latest.of(strategy):.4g} mbb"
        if progress.seconds_left is not None:
            # The bar shows time, not iterations: towards a target nobody knows how many there will be.
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
