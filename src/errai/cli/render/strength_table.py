"""The features of hands as a table, with their histograms drawn as bars."""

from collections.abc import Sequence
from math import isnan

from rich.console import Console
from rich.table import Table

from errai.reports.strength_report import StrengthReport

_BLOCKS = " ▁▂▃▄▅▆▇█"
_LINES = 4  # of a picture
_MOST_BARS_DRAWN = 150


def print_strengths(console: Console, reports: Sequence[StrengthReport], emd: float | None) -> None:
    """One row per hand, then the histograms, then the distance."""
    table = Table(box=None, pad_edge=False)
    table.add_column("hand", style="bold")
    table.add_column("board")
    for heading in ("E[HS]", "E[HS^2]", *(f"vs {number}" for number in range(1, len(reports[0].ochs) + 1))):
        table.add_column(heading, justify="right")
    for report in reports:
        ochs = ("-" if isnan(equity) else f"{equity:.4f}" for equity in report.ochs)
        table.add_row(report.hand, report.board or "none", f"{report.ehs:.6f}", f"{report.ehs2:.6f}", *ochs)
    console.print(table)
    for report in reports:
        if len(report.histogram) <= _MOST_BARS_DRAWN:
            console.print(f"\n{report.hand}: strength at the showdown, {len(report.histogram)} bars from 0 to 1")
            for line in draw_histogram(report.histogram):
                console.print(line)
    if emd is not None:
        console.print(f"\nearth mover's distance: {emd:.4f} bars")


def draw_histogram(histogram: Sequence[float]) -> list[str]:
    """Lines of block characters, the highest bar as high as the picture."""
    highest = max(histogram)
    steps = (len(_BLOCKS) - 1) * _LINES
    heights = [round(value / highest * steps) for value in histogram]
    return [
        "".join(_BLOCKS[min(max(height - 8 * line, 0), 8)] for height in heights).rstrip()
        for line in range(_LINES - 1, -1, -1)
    ]
