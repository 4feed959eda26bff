"""A hand that a person plays, advice, and the result, in lines."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from errai.cli.render.estimates import format_estimate_of_few, format_unit
from errai.games.definition import GameDefinition
from errai.games.showdown import chips_text
from errai.play.session import Table
from errai.reports.play import Advice, PlayReport

_SHOWN_ACTIONS = 6


def print_table(console: Console, table: Table, *, first_event: int) -> None:
    """What is new since `first_event`, and what the player sees."""
    deck = table.state.definition.deck
    cards = deck.text(sorted(table.own_cards, reverse=True))
    if first_event == 0:
        console.print(f"\n[bold]hand {table.number + 1}[/bold]: you are {table.position} with [bold]{cards}[/bold]")
    for event in table.events[first_event:]:
        console.print(f"  {'you' if event.is_own else 'opponent'} {event.text}")
    board = f"board {deck.text(table.board)}, " if table.board else ""
    if not table.is_over:
        to_call = f", {table.state.call_chips:,} to call" if table.state.call_chips else ""
        console.print(f"{board}your cards {cards}, pot {table.pot_chips:,}{to_call}")
        return
    if table.opponent_cards is not None:
        console.print(f"{board}you show {cards}, the opponent {deck.text(sorted(table.opponent_cards, reverse=True))}")
    won = table.won_chips or 0
    console.print(f"[bold]you {'lost' if won < 0 else 'won'} {chips_text(-won if won < 0 else won)} chips[/bold]")


def print_advice(console: Console, advice: Advice | None) -> None:
    """What the strategy does with the hand, and what the choice costs."""
    if advice is None:
        console.print("  [dim]the strategy does not know this hand here[/dim]")
        return
    # Some bots use every size of a raise.
    often = sorted(range(len(advice.actions)), key=lambda place: -advice.probabilities[place])[:_SHOWN_ACTIONS]
    parts = [
        f"{advice.actions[place]} {100 * advice.probabilities[place]:.0f} %"
        + ("" if advice.values_chips is None else f" (worth {advice.values_chips[place]:,.2f})")
        for place in sorted(often)
    ]
    parts += ["..."] if len(often) < len(advice.actions) else []
    cost = advice.cost_chips
    verdict = "" if cost is None else f"; your choice costs {max(cost, 0.0):,.2f} chips"
    console.print(f"  [dim]strategy: {escape(', '.join(parts))}{verdict}[/dim]", soft_wrap=True)


def print_result(console: Console, report: PlayReport, definition: GameDefinition) -> None:
    """What was won, as it came and with luck removed."""
    table = RichTable.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("played", escape(f"{report.player} against {report.opponent}, {report.game}"))
    table.add_row("hands", f"{report.hands:,}, {report.winnings_chips:+,g} chips")
    if report.plain_mbb is not None and report.aivat_mbb is not None:
        table.add_row("you won", f"{format_estimate_of_few(report.plain_mbb)} mbb/h")
        table.add_row("luck removed", f"{format_estimate_of_few(report.aivat_mbb)} mbb/h (95 %)")
    console.print(table)
    if report.hands:
        console.print(f"[dim]mbb/h: thousandths of {format_unit(definition)} per hand[/dim]")
