"""One public state for a person: who acts, the pot, the square of hands, and hands one by one."""

from math import isnan

import numpy as np
from rich.console import Console
from rich.table import Table

from errai.cli.render.action_colours import TERMINAL_COLOURS, action_name, mark_up_mix
from errai.cli.render.hand_grid import GridCell, hand_grid
from errai.cli.render.state_name import state_name
from errai.games.spot import position_names
from errai.reports.state import StateReport

_LEGEND = "f fold, c call or check, r raise or bet; each class with its most frequent action in percent; `-` never"
_BAR_WIDTH = 20
_FEW_HANDS = 100  # that fit on a screen, and are listed without being asked for


def print_state(console: Console, report: StateReport, *, shown_range: str | None) -> None:
    """Print a state; `shown_range` names the hands to list one by one."""
    state, facing_bet = report.state, "f" in report.actions
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("state", state_name(report))
    cost = f", {state.call_chips} to call" if facing_bet else ""
    names = position_names(report.definition)
    table.add_row("to act", names[report.player])
    table.add_row("pot", f"{report.pot_chips} chips{cost}")
    for player, name in enumerate(names):
        table.add_row(name, f"{report.reach[player].sum():.4g} hands get here{_average_value(report, player)}")
    table.add_row("in all", "  ".join(_total(report, place) for place in range(len(report.actions))))
    console.print(table)
    has_grid = report.definition.num_hole_cards == 2
    if has_grid:
        console.print()
        _print_grid(console, report)
    chosen = report.chosen_hands(shown_range)
    if len(chosen) and (shown_range is not None or len(report.reach[0]) <= _FEW_HANDS):
        console.print()
        console.print(_hand_table(report, chosen))
    elif shown_range is not None:
        console.print(f"\nno hand of `{shown_range}` gets here")


def _average_value(report: StateReport, player: int) -> str:
    if report.value_chips is None or isnan(value := report.average_value_chips(player)):
        return ""
    return f", worth {value:.3f} chips from here on"


def _total(report: StateReport, place: int) -> str:
    action = report.actions[place]
    name = action_name(action, facing_bet="f" in report.actions)
    return f"[{TERMINAL_COLOURS[action[0]]}]{name} {100 * report.frequencies[place]:.2f} %[/]"


def _print_grid(console: Console, report: StateReport) -> None:
    for line in hand_grid(report):
        console.print(" ".join(_grid_text(cell, report.actions) for cell in line))
    console.print(_LEGEND, style="dim")


def _grid_text(cell: GridCell, actions: tuple[str, ...]) -> str:
    if cell.probabilities is None:
        return f"[dim]{cell.name:<3}    -[/dim]"
    most = int(np.argmax(cell.probabilities))
    text = f"{cell.name:<3} {actions[most]}{100 * cell.probabilities[most]:3.0f}"
    return mark_up_mix(text, actions, cell.probabilities.tolist())


def _hand_table(report: StateReport, chosen: list[int]) -> Table:
    facing_bet = "f" in report.actions
    table = Table(box=None, pad_edge=False)
    table.add_column("hand", style="bold")
    table.add_column("reach", justify="right")
    table.add_column("")
    for action in report.actions:
        table.add_column(action_name(action, facing_bet=facing_bet), justify="right")
    has_values = report.value_chips is not None
    for heading in ("value", "best response") if has_values else ():
        table.add_column(heading, justify="right")
    texts = report.hand_texts
    for hand in chosen:
        mix = report.probabilities[hand].tolist()
        values = [report.hand_value_chips(hand), report.hand_best_response_chips(hand)] if has_values else []
        table.add_row(
            texts[hand],
            f"{report.reach[report.player][hand]:.3f}",
            mark_up_mix(" " * _BAR_WIDTH, report.actions, mix),
            *(f"{100 * probability:.1f}" for probability in mix),
            *("" if value is None else f"{value:.3f}" for value in values),
        )
    return table
