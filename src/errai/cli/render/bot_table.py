"""A bot in lines: what it is made of, how far it is solved, and the plan before it is built."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

from errai.cli.render.progress import progress_bar
from errai.cli.render.quantities import format_bytes, format_seconds
from errai.cli.render.solution_table import result_table
from errai.reports.bot import BotPlan, BotPoint, BotReport, BotSummary
from errai.solutions.bot import BotProgress, OnProgress

_LONG_SECONDS = 3.0


def print_bot(console: Console, report: BotReport) -> None:
    """How far a bot is."""
    table = result_table()
    table.add_row("game", report.game + (f", bets `{report.bets}`" if report.bets else ""))
    recall = "perfect" if report.perfect_recall else "imperfect"
    buckets = " / ".join(f"{count:,}" for count in report.buckets)
    table.add_row("table", f"{report.table}: {buckets} buckets, {recall} recall")
    table.add_row("abstract game", f"{report.infosets:,} infosets, {report.infoset_actions:,} infoset-actions")
    drawn = "" if report.boards is None else f" on {report.boards:,} boards"
    drawn = drawn if report.flops is None else f" on {report.flops:,} flops"
    table.add_row("solved", f"{report.method}{drawn}, {report.algorithm}, seed {report.seed}")
    table.add_row("iterations", f"{report.iterations:,}, in {format_seconds(report.seconds)}")
    if report.trace:
        table.add_row("in the abstract game", format_point(report.trace[-1]))
    if report.exploitability is not None:
        table.add_row("in the real game", f"{report.exploitability.exploitability_mbb:.6f} mbb exploitable")
    if report.directory is not None:
        table.add_row("saved in", f"`{report.directory}`")
    console.print(table)


def format_point(point: BotPoint) -> str:
    """A measurement."""
    if point.in_abstraction_mbb is not None:
        return f"{'at least ' if point.is_lower_bound else ''}{point.in_abstraction_mbb:.4g} mbb exploitable"
    if point.change is not None:
        return f"probabilities changed by {point.change:.4f} on average since half as many iterations"
    return "not measured yet"


def print_plan(console: Console, plan: BotPlan) -> None:
    """What building a bot takes."""
    table = result_table()
    table.add_row("game", plan.game + (f", bets `{plan.bets}`" if plan.bets else ""))
    table.add_row("table", f"{plan.table}: {' / '.join(f'{count:,}' for count in plan.buckets)} buckets")
    table.add_row("abstract game", f"{plan.infosets:,} infosets, {plan.infoset_actions:,} infoset-actions")
    table.add_row("method", f"{plan.method}: {plan.method_reason}")
    table.add_row("memory", format_bytes(plan.memory_bytes))
    table.add_row("table takes", _about(plan.table_seconds) if plan.table_seconds else "it is built")
    done = f", {plan.iterations_done:,} of them done" if plan.iterations_done else ""
    iterations = f"{plan.iterations:,} iterations of {plan.algorithm}{done}"
    table.add_row("solving takes", f"{_about(plan.solve_seconds)} for {iterations}")
    if plan.directory is not None:
        table.add_row("saved in", f"`{plan.directory}`")
    console.print(table, soft_wrap=True)


def _about(seconds: float) -> str:
    return f"about {format_seconds(seconds)}" if seconds >= 1.0 else "less than a second"


@contextmanager
def bot_progress(console: Console, label: str) -> Iterator[OnProgress]:
    """Within, show how far a bot is solved, with a line for every measurement of a long solve."""
    bar = progress_bar(console)
    task = bar.add_task(label, total=1, status="")
    first: BotProgress | None = None
    last_line = 0

    def show(progress: BotProgress) -> None:
        nonlocal first, last_line
        if progress.counted is not None:
            done, every = progress.counted
            bar.update(task, completed=done, total=every, status=f"pairs of buckets on {done:,} of {every:,} boards")
            return
        first = first or progress
        latest = progress.latest
        is_new = latest is not None and latest.is_measured and latest.iteration > last_line
        if latest is not None and is_new and progress.seconds >= _LONG_SECONDS:
            last_line = latest.iteration
            console.print(f"iteration {latest.iteration:>6,}  {format_point(latest)}", soft_wrap=True)
        status = f"{progress.iteration:,} of {progress.iterations:,} iterations"
        if progress.iteration > first.iteration:
            per_iteration = (progress.seconds - first.seconds) / (progress.iteration - first.iteration)
            status += f" · {format_seconds((progress.iterations - progress.iteration) * per_iteration)} left"
        bar.update(task, completed=progress.iteration, total=progress.iterations, status=status)

    with bar:
        yield show


def print_bots(console: Console, presets: Sequence[BotSummary], saved: Sequence[BotSummary]) -> None:
    """What can be built, and what is saved."""
    for heading, summaries in (("to build: errai bot build NAME", presets), ("saved here", saved)):
        table = Table(box=None, pad_edge=False, title=heading, title_justify="left", title_style="bold")
        for column in ("name", "game", "bets", "table", "iterations", "infoset-actions", ""):
            table.add_column(column, justify="right" if column in ("iterations", "infoset-actions") else "left")
        for bot in summaries:
            numbers = f"{bot.iterations:,}", f"{bot.infoset_actions:,}"
            table.add_row(bot.name, bot.game, bot.bets, bot.table, *numbers, bot.summary)
        if summaries:
            console.print(table, soft_wrap=True)
        else:
            console.print(f"{heading}: none")
