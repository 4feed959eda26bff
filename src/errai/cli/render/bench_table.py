"""The table of what `errai bench` measured."""

from rich.table import Table

from errai.reports.bench_report import BenchReport


def bench_table(report: BenchReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("measured")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, figures in report.figures.items():
        for row, (figure, value) in enumerate(figures.items()):
            shown = "not installed" if value is None else f"{value:,.2f}"
            table.add_row(name if row == 0 else "", figure.replace("_", " "), shown)
    return table
