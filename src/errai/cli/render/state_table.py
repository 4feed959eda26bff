"""One public state for a person: who acts, the pot, the square of hands, and hands one by one."""

from math import isnan

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from errai.cli.render.action_colours import TERMINAL_COLOURS, mark_up_mix, short_names
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
        table.add_row(name, f"{report.reach[player].sum():.4g} hands get here{_worth(report, player)}")
    if report.num_locked_hands:
        table.add_row("locked", f"{report.num_locked_hands} of {int((report.reach[report.player] > 0).sum())} hands")
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


def _worth(report: StateReport, player: int) -> str:
    if report.value_chips is None or isnan(value := report.average_value_chips(player)):
        return ""
    realisation = report.average_realisation(player)
    realised = "" if isnan(realisation) else f", {100 * realisation:.1f} % of its equity"
    return f" with {100 * report.average_equity(player):.2f} % equity, worth {value:.3f} chips from here on{realised}"


def _total(report: StateReport, place: int) -> str:
    text = f"{short_names(report)[place]} {100 * report.frequencies[place]:.2f} %"
    return f"[{TERMINAL_COLOURS[report.actions[place][0]]}]{text}[/]"


def _print_grid(console: Console, report: StateReport) -> None:
    for line in hand_grid(report):
        console.print(" ".join(_grid_text(cell, report.actions) for cell in line))
    console.print(_LEGEND, style="dim")


def _grid_text(cell: GridCell, actions: tuple[str, ...]) -> str:
    if cell.probabilities is None:
        return f"[dim]{cell.name:<3}    -[/dim]"
    most = int(np.argmax(cell.probabilities))
    text = f"{cell.name:<3} {actions[most][0]}{100 * cell.probabilities[most]:3.0f}"
    return mark_up_mix(text, actions, cell.probabilities.tolist())


def _hand_table(report: StateReport, chosen: list[int]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("hand", style="bold")
    table.add_column("reach", justify="right")
    table.add_column("")
    worth = _worth_by_hand(report)
    for heading in (*(f"{name}\n%" for name in short_names(report)), *worth):
        table.add_column(heading, justify="right")
    for hand in chosen:
        mix = report.probabilities[hand].tolist()
        table.add_row(
            report.hand_texts[hand],
            f"{report.reach[report.player][hand]:.3f}",
            mark_up_mix(" " * _BAR_WIDTH, report.actions, mix),
            *(f"{100 * probability:.1f}" for probability in mix),
            *("" if isnan(numbers[hand]) else f"{numbers[hand]:.3f}" for numbers in worth.values()),
        )
    return table


def _worth_by_hand(report: StateReport) -> dict[str, NDArray[np.float64]]:
    """Columns of numbers, one per hand of the deck: equity and what the hand and each of its actions are worth."""
    if report.value_chips is None or report.best_response_chips is None or report.action_value_chips is None:
        return {}
    player = report.player
    by_action = zip(short_names(report), report.action_value_chips.T, strict=True)
    return {
        "equity\n%": 100 * report.equity[player],
        "value\nchips": report.value_chips[player],
        **{f"{name}\nchips": values for name, values in by_action},
        "best response\nchips": report.best_response_chips[player],
    }
