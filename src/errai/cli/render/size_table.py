"""The table of a game's sizes, one row per round."""

from rich.table import Table

from errai.reports.size_report import SizeReport

_COLUMNS = ("decision_nodes", "states", "infosets", "canonical_infosets", "canonical_infoset_actions")
_LONGEST_WRITTEN_OUT = 10**21


def size_table(report: SizeReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("round")
    for column in _COLUMNS:
        table.add_column(column.replace("_", " "), justify="right")
    rows = [(str(number), sizes) for number, sizes in enumerate(report.sizes.rounds)]
    for name, sizes in [*rows, ("total", report.sizes.total)]:
        numbers = (_format(getattr(sizes, column)) for column in _COLUMNS)
        table.add_row(name, *numbers, style="bold" if name == "total" else None)
    return table


def _format(number: int) -> str:
    """Written out with separators; beyond 21 digits, the first seven and the power of ten."""
    if number < _LONGEST_WRITTEN_OUT:
        return f"{number:,}"
    exponent = len(str(number)) - 1
    return f"{number / 10**exponent:.6f}e{exponent}"
