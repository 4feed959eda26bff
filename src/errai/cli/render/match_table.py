"""Matches and tournaments, as tables."""

from rich.console import Console
from rich.table import Table

from errai.cli.render.estimates import format_estimate, format_unit, position_labels
from errai.reports.match import MatchReport
from errai.reports.tournament import Standings, TournamentReport


def print_match(console: Console, report: MatchReport) -> None:
    """A match between two agents, in lines."""
    first, second = report.agents
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("match", f"{first} against {second}, {report.game}, seed {report.seed}")
    table.add_row("hands", f"{report.hands:,}{_describe_deals(report)}, {report.hands_per_second:,.0f} per second")
    table.add_row(f"{first} wins", f"{format_estimate(report.wins_mbb)} mbb/h (95 %)")
    for what, estimate in zip(position_labels(report.definition), report.by_seat_mbb, strict=True):
        if estimate is not None:
            table.add_row(f"  {what}", f"{format_estimate(estimate)} mbb/h")
    if report.duplicate_saved is not None:
        plain = f"±{report.plain_mbb.half_width:,.1f} without it"
        table.add_row("duplicate", f"{plain}: it saved {report.duplicate_saved:.1f} times the hands")
    console.print(table)
    console.print(f"[dim]mbb/h: thousandths of {format_unit(report.definition)} per hand[/dim]")


def print_tournament(console: Console, report: TournamentReport) -> None:
    """The ranking, which agent went out when, and all results."""
    first = report.matches[0]
    console.print(
        f"[bold]{report.kind.replace('-', ' ')}[/bold], {first.game}, "
        f"{first.hands:,} hands{_describe_deals(first)} per match, seed {first.seed}"
    )
    is_runoff = report.kind == "instant-runoff"
    for number, standings in enumerate(report.rounds, start=1):
        console.print(f"\nround {number}: `{standings[-1].name}` goes out" if is_runoff else "")
        console.print(_standings_table(standings))
    places = ", ".join(f"{place}. {name}" for place, name in enumerate(report.ranking, start=1))
    console.print(f"\n[bold]ranking[/bold]: {places}")
    console.print("\n[bold]all matches[/bold]: what the row wins against the column")
    console.print(_cross_table(report))
    console.print(f"[dim]mbb/h with 95 % intervals: thousandths of {format_unit(first.definition)} per hand[/dim]")


def _standings_table(standings: Standings) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("agent", style="bold")
    table.add_column("wins (mbb/h)", justify="right")
    table.add_column("lead over the next", justify="right")
    table.add_column("")
    for place, standing in enumerate(standings, start=1):
        lead = standing.lead_mbb
        is_unsure = lead is not None and lead.mean <= lead.half_width
        table.add_row(
            str(place),
            standing.name,
            format_estimate(standing.mean_mbb),
            "" if lead is None else format_estimate(lead),
            "[dim]not significant[/dim]" if is_unsure else "",
        )
    return table


def _cross_table(report: TournamentReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", style="bold")
    for name in report.agents:
        table.add_column(name, justify="right")
    for name in report.agents:
        cells = ("" if name == other else format_estimate(report.wins_mbb(name, other)) for other in report.agents)
        table.add_row(name, *cells)
    return table


def _describe_deals(report: MatchReport) -> str:
    return f" ({report.hands // 2:,} deals, each twice)" if report.duplicate else ""
