"""What is told of one public state: who acts, the pot, the square of hands, hands one by one; or one JSON object."""

from math import isnan
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from errai.cards.ranges import parse_range
from errai.cli.render.action_colours import TERMINAL_COLOURS, action_name, mark_up_mix
from errai.cli.render.hand_grid import GridCell, hand_grid
from errai.games.spot import position_names
from errai.solutions.tree_query import PublicStateReport

_BAR_WIDTH = 20
_FEW_HANDS = 100  # that fit on a screen without being asked for


def print_state(console: Console, report: PublicStateReport, *, shown_range: str | None) -> None:
    """Tell a state to a person; `shown_range` names the hands to list one by one."""
    state, facing_bet = report.state, "f" in report.actions
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    board = report.definition.deck.text(report.board)
    table.add_row("state", f"{board or 'no board'} after {report.betting or 'no betting'}")
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
    chosen = _chosen_hands(report, shown_range)
    if len(chosen) and (shown_range is not None or len(report.reach[0]) <= _FEW_HANDS):
        console.print()
        console.print(_hand_table(report, chosen))
    elif shown_range is not None:
        console.print(f"\nno hand of `{shown_range}` gets here")


def state_json(report: PublicStateReport, *, shown_range: str | None) -> dict[str, Any]:
    """The object that `--json` prints."""
    player = report.player
    return {
        "game": report.definition.name,
        "betting": report.betting,
        "board": report.definition.deck.text(report.board),
        "player": player,
        "position": position_names(report.definition)[player],
        "pot_chips": report.pot_chips,
        "call_chips": report.state.call_chips,
        "actions": list(report.actions),
        "frequencies": [_number(value) for value in report.frequencies],
        "reach": [float(reach.sum()) for reach in report.reach],
        "hands": [
            {
                "hand": report.hand_texts[hand],
                "reach": float(report.reach[player][hand]),
                "probabilities": [_number(value) for value in report.probabilities[hand]],
                "value_chips": _value(report, hand, best=False),
                "best_response_chips": _value(report, hand, best=True),
            }
            for hand in _chosen_hands(report, shown_range)
        ],
    }


def _average_value(report: PublicStateReport, player: int) -> str:
    if report.value_chips is None or isnan(value := report.average_value_chips(player)):
        return ""
    return f", worth {value:.3f} chips from here on"


def _total(report: PublicStateReport, place: int) -> str:
    action = report.actions[place]
    name = action_name(action, facing_bet="f" in report.actions)
    return f"[{TERMINAL_COLOURS[action]}]{name} {100 * report.frequencies[place]:.2f} %[/]"


def _print_grid(console: Console, report: PublicStateReport) -> None:
    for line in hand_grid(report):
        console.print(" ".join(_grid_text(cell, report.actions) for cell in line))
    console.print("[dim]each class with its most frequent action and its percentage; `-` never gets here[/dim]")


def _grid_text(cell: GridCell, actions: tuple[str, ...]) -> str:
    if cell.probabilities is None:
        return f"[dim]{cell.name:<3}    -[/dim]"
    most = int(np.argmax(cell.probabilities))
    text = f"{cell.name:<3} {actions[most]}{100 * cell.probabilities[most]:3.0f}"
    return mark_up_mix(text, actions, cell.probabilities.tolist())


def _chosen_hands(report: PublicStateReport, shown_range: str | None) -> list[int]:
    """The hands of the player to act that get here, best value first."""
    reach = report.reach[report.player]
    chosen = reach > 0
    if shown_range is not None:
        chosen &= parse_range(shown_range, report.definition.deck) > 0
    values = reach if report.value_chips is None else np.nan_to_num(report.value_chips[report.player])
    numbers = np.flatnonzero(chosen)
    return [int(hand) for hand in numbers[np.argsort(-values[numbers], kind="stable")]]


def _hand_table(report: PublicStateReport, chosen: list[int]) -> Table:
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
        values = [_value(report, hand, best=best) for best in (False, True)] if has_values else []
        table.add_row(
            texts[hand],
            f"{report.reach[report.player][hand]:.3f}",
            mark_up_mix(" " * _BAR_WIDTH, report.actions, mix),
            *(f"{100 * probability:.1f}" for probability in mix),
            *("" if value is None else f"{value:.3f}" for value in values),
        )
    return table


def _value(report: PublicStateReport, hand: int, *, best: bool) -> float | None:
    values = report.best_response_chips if best else report.value_chips
    return None if values is None else _number(values[report.player][hand])


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)
