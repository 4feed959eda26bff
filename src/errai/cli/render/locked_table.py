"""A stored strategy with locks beside the strategy as it was."""

from rich.console import Console
from rich.table import Table

from errai.cli.render.solution_table import add_lock_rows, result_table
from errai.evaluate.exploitability import Exploitability
from errai.games.spot import position_names
from errai.reports.locked import LockedReport


def print_locked(console: Console, report: LockedReport) -> None:
    """What each player gets, by the strategy and by a best response."""
    spot = report.spot
    head = result_table()
    head.add_row("spot", spot.name)
    add_lock_rows(head, spot)
    console.print(head)
    table = Table(box=None, pad_edge=False)
    table.add_column("chips of the pot", style="bold")
    for player in position_names(spot.definition):
        table.add_column(player, justify="right")
        table.add_column("best response", justify="right")
    table.add_column("exploitability", justify="right")
    for name, judged in (("as stored", report.stored), ("with the locks", report.locked)):
        table.add_row(name, *_cells(report, judged), f"{judged.exploitability_mbb:.3f} mbb")
    console.print(table)
    console.print("[dim]nothing was solved again; a best response keeps to the locks of its own player[/dim]")


def _cells(report: LockedReport, judged: Exploitability) -> list[str]:
    values, best = report.expected_value_chips(judged), report.best_response_chips(judged)
    return [f"{chips:.3f}" for player in (0, 1) for chips in (values[player], best[player])]
