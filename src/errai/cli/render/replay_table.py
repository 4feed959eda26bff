"""Replayed hands, as tables."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from errai.cli.render.estimates import format_estimate_of_few
from errai.reports.replay import NEVER, ReplayReport

_SHOWN_MISMATCHES = 10
_SHOWN_DECISIONS = 10


def print_replay(console: Console, report: ReplayReport) -> None:
    """What was checked, what each player won, and how the decisions compare with the strategy."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("file", escape(f"{report.file}, {report.kind}"))
    table.add_row("hands", f"{report.hands:,}{_of_games(report)}")
    table.add_row("payoffs", f"{report.checked:,} checked, {len(report.mismatches):,} wrong or damaged")
    for reason, count in report.skipped.items():
        table.add_row("skipped", escape(f"{count:,}: {reason}"))
    if report.strategy is not None:
        rated = sum(len(player.rated) for player in report.players)
        table.add_row("strategy", escape(f"{report.strategy}, {rated:,} decisions rated"))
        for reason, count in report.unrated.items():
            table.add_row("not rated", f"{count:,}: {reason}")
    if report.luck_remains is not None:
        table.add_row("luck", escape(f"not removed: {report.luck_remains}"))
    elif report.players:
        table.add_row("luck", escape(f"removed: that of the cards{_of_draws(report)}"))
    console.print(table)
    for mismatch in report.mismatches[:_SHOWN_MISMATCHES]:
        console.print(mismatch, markup=False, soft_wrap=True)
    if len(report.mismatches) > _SHOWN_MISMATCHES:
        console.print(f"... and {len(report.mismatches) - _SHOWN_MISMATCHES:,} more")
    if report.players:
        console.print()
        console.print(_players(report))
        console.print("[dim]mbb/h: thousandths of a big blind (in limit games, of a small bet) per hand[/dim]")
    if any(player.rated for player in report.players):
        console.print("\n[bold]the rarest decisions[/bold]: what the strategy hardly ever does")
        console.print(_worst(report))


def _of_games(report: ReplayReport) -> str:
    return f" of {', '.join(report.games)}" if report.games else ""


def _of_draws(report: ReplayReport) -> str:
    return "" if report.played_by is None else f", and of the draws of `{report.played_by}`"


def _players(report: ReplayReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("player", style="bold")
    for name in ("hands", "wins (chips)", "wins (mbb/h)"):
        table.add_column(name, justify="right")
    if report.luck_remains is None:
        table.add_column("luck removed", justify="right")
    if report.strategy is not None:
        for name in ("decisions", "rated", "as the strategy", f"below {100 * NEVER:g} %"):
            table.add_column(name, justify="right")
    for player in report.players:
        cells = [
            escape(player.name),
            f"{player.hands:,}",
            f"{player.winnings_chips:,}",
            "" if player.wins_mbb is None else format_estimate_of_few(player.wins_mbb),
        ]
        if report.luck_remains is None:
            cells.append("" if player.aivat_mbb is None else format_estimate_of_few(player.aivat_mbb))
        if report.strategy is not None:
            cells += [f"{player.decisions:,}", f"{len(player.rated):,}"]
            cells += [_percent(player.mean_probability), _percent(player.share_never)]
        table.add_row(*cells)
    return table


def _worst(report: ReplayReport) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("hand", "player", "cards", "board", "betting", "action"):
        table.add_column(name)
    table.add_column("strategy", justify="right")
    for decision in report.worst(_SHOWN_DECISIONS):
        table.add_row(
            decision.hand,
            escape(decision.player),
            decision.hole_cards,
            decision.board,
            decision.betting,
            decision.action,
            _percent(decision.probability),
        )
    return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
