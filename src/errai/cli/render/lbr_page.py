"""Local best response, as lines for a person or as a page of Markdown."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from errai.cli.render.estimates import format_estimate, format_unit, position_labels
from errai.cli.render.lbr_plot import plot_local_best_response
from errai.errors import StorageError
from errai.evaluate.statistics import Estimate
from errai.reports.local_best_response import LbrReport


def print_lbr(console: Console, report: LbrReport) -> None:
    """A run, in lines."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("agent", f"{report.agent}, {report.game}, seed {report.seed}")
    table.add_row("local best response", f"{report.bets} in rounds {report.rounds_text}")
    deals = f"{report.hands // 2:,} deals, each twice"
    table.add_row("hands", f"{report.hands:,} ({deals}), {report.hands_per_second:,.0f} per second")
    table.add_row("LBR wins", f"{format_estimate(report.wins_mbb)} mbb/h (95 %)")
    for what, estimate in zip(position_labels(report.definition), report.by_seat_mbb, strict=True):
        table.add_row(f"  {what}", f"{format_estimate(estimate)} mbb/h")
    for name, technique in report.techniques.items():
        table.add_row(f"  {name}", f"{format_estimate(technique)} mbb/h{_saving(report, technique)}", style="dim")
    console.print(table)
    console.print(f"[dim]mbb/h: thousandths of {format_unit(report.definition)} per hand[/dim]")


def write_report(directory: Path, runs: Sequence[LbrReport], *, title: str) -> None:
    """`report.md` and `report.png` in `directory`."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "report.md").write_text(_markdown(runs, title), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"`{directory}` cannot be written: {error.strerror}") from error
    plot_local_best_response(directory / "report.png", runs)


def _markdown(runs: Sequence[LbrReport], title: str) -> str:
    lines = [f"# {title}", "", "![means with intervals, and where they come from](report.png)", ""]
    lines += ["| agent | bets | rounds | hands | LBR wins (mbb/h, 95 %) | as player 0 | as player 1 |"]
    lines += ["|---|---|---|---:|---:|---:|---:|"]
    for run in runs:
        estimates = map(format_estimate, (run.wins_mbb, *run.by_seat_mbb))
        lines.append(_row(run, f"{run.hands:,}", *estimates))
    lines += ["", "## What each technique saved", "", "The same hands, counted in different ways.", ""]
    lines += ["| agent | bets | rounds | technique | LBR wins (mbb/h, 95 %) |", "|---|---|---|---|---:|"]
    for run in runs:
        lines += [_row(run, name, format_estimate(technique)) for name, technique in run.techniques.items()]
    lines += ["", "## Winnings by the round of the last action", ""]
    lines += ["| agent | bets | rounds | last action in round | hands | mbb/h |", "|---|---|---|---:|---:|---:|"]
    for run in runs:
        lines += [
            _row(run, str(last.round), f"{last.share_of_hands:.1%}", f"{last.mbb:,.1f}") for last in run.by_last_round
        ]
    return "\n".join([*lines, ""])


def _row(run: LbrReport, *cells: str) -> str:
    return f"| {' | '.join([run.agent, run.bets, run.rounds_text, *cells])} |"


def _saving(report: LbrReport, technique: Estimate) -> str:
    plain = report.techniques["plain"]
    if technique == plain or not plain.half_width > 0.0:
        return ""
    return f", {technique.half_width / plain.half_width:.0%} of the plain interval"
