"""A report over next cards as a table: one row per deal, then the means."""

from math import isnan

from rich.console import Console
from rich.table import Table

from errai.cli.render.solution_table import result_table
from errai.games.spot import position_names
from errai.reports.deals import DealRow, DealsReport, DealTotal

_MOST_ROWS = 60
_TOTALS = ("suits", "pairing", "high")


def print_deals(console: Console, report: DealsReport) -> None:
    """All rows of a card; of more deals than that, means by texture."""
    names = position_names(report.definition)
    head = result_table()
    head.add_row("after", f"{report.board or 'no board'}, {report.betting or 'no betting'}")
    head.add_row("to act", names[report.player])
    head.add_row("pot", f"{report.pot_chips} chips")
    console.print(head)
    console.print()
    table = Table(box=None, pad_edge=False)
    is_short = len(report.rows) <= _MOST_ROWS
    table.add_column("cards" if is_short else "deals", style="bold")
    table.add_column("share", justify="right")
    for name in report.action_names:
        table.add_column(name, justify="right")
    if report.rows[0].equities is not None:
        for name in names:
            table.add_column(f"equity\n{name}", justify="right")
    if report.has_values:
        for name in names:
            table.add_column(f"value\n{name}", justify="right")
    if is_short:
        for row, share in zip(report.rows, report.shares, strict=True):
            table.add_row(row.cards, _percent(share), *_cells(row))
    else:
        for group in _TOTALS:
            for total in report.totals[group]:
                name = f"{total.name} high" if group == "high" else total.name
                table.add_row(name, _percent(total.share), *_cells(total))
    (whole,) = report.totals["all"]
    table.add_row(f"all {whole.num_deals:,}", "", *_cells(whole))
    console.print(table)
    if not is_short:
        count = len(report.rows)
        console.print(f"[dim]{count:,} rows; `--json`, `--out FILE.csv` and `--png FILE` have all of them[/dim]")


def _cells(part: DealRow | DealTotal) -> list[str]:
    return [
        *(_percent(share) for share in part.frequencies),
        *(_percent(share) for share in part.equities or ()),
        *("-" if isnan(chips) else f"{chips:.3f}" for chips in part.values_chips or ()),
    ]


def _percent(share: float) -> str:
    return "-" if isnan(share) else f"{100 * share:.2f} %"
