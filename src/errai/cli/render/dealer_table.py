"""A match at the dealer, as a table."""

from rich.console import Console
from rich.table import Table

from errai.cli.render.estimates import format_estimate
from errai.reports.dealer import DealerReport


def print_dealer(console: Console, report: DealerReport) -> None:
    """One line per player, then the result."""
    table = Table(box=None, pad_edge=False)
    table.add_column("player", style="bold")
    for heading in ("chips", "invalid actions", "seconds"):
        table.add_column(heading, justify="right")
    rows = zip(report.players, report.winnings_chips, report.invalid_actions, report.used_seconds, strict=True)
    for name, chips, invalid_actions, seconds in rows:
        table.add_row(name, f"{chips:,}", f"{invalid_actions:,}", f"{seconds:.1f}")
    console.print(table)
    result = ""
    if report.first_wins_mbb is not None:
        result = f"; `{report.players[0]}` wins {format_estimate(report.first_wins_mbb)} mbb/h (95 %)"
    console.print(f"{report.hands:,} hands{result}", markup=False)
    if report.forfeit is not None:
        forfeit = report.forfeit
        console.print(f"player `{forfeit.name}` forfeits in hand {forfeit.hand_number}: {forfeit.reason}", markup=False)
