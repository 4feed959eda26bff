"""A strategy as tables: one per board, with a row per point of the betting and a column per hand; or as a list."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from errai.cli.render.action_colours import TERMINAL_COLOURS
from errai.games.definition import GameDefinition
from errai.reports.infoset import InfosetRow

MOST_INFOSETS = 1_000  # a longer list is of no use to a reader


def print_strategy(console: Console, rows: Iterable[InfosetRow], definition: GameDefinition | None) -> None:
    """Print the infosets of a strategy: of a poker game by board, of another one as a list."""
    if definition is None:
        console.print(_list_table(rows))
        return
    console.print("percentages of fold, call (or check) and raise (or bet)")
    tables: dict[str, dict[tuple[str, int], dict[str, InfosetRow]]] = {}
    for row in rows:
        hole, _, board = row.cards.partition("/")
        tables.setdefault(board, {}).setdefault((row.betting, row.player), {})[hole] = row
    for board, points in tables.items():
        console.print()
        console.print(_board_table(board, points))


def _board_table(board: str, points: dict[tuple[str, int], dict[str, InfosetRow]]) -> Table:
    hands = list(dict.fromkeys(hand for by_hand in points.values() for hand in by_hand))
    title = f"board {board}" if board else "before the board"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("betting")
    table.add_column("player", justify="right")
    for hand in hands:
        table.add_column(hand, justify="right")
    for (betting, player), by_hand in sorted(points.items(), key=lambda point: (point[0][0].count("/"), point[0])):
        cells = (_format_actions(by_hand[hand].probabilities) if hand in by_hand else "" for hand in hands)
        table.add_row(betting or "-", str(player), *cells)
    return table


def _list_table(rows: Iterable[InfosetRow]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("infoset", style="bold")
    table.add_column("player", justify="right")
    table.add_column("percentages")
    table.add_column("value", justify="right")
    for row in rows:
        value = "" if row.value_chips is None else f"{row.value_chips:.4f}"
        table.add_row(Text(row.cards), str(row.player), _format_actions(row.probabilities), value)
    return table


def _format_actions(probabilities: dict[str, float]) -> str:
    return " ".join(_format_action(action, probability) for action, probability in probabilities.items())


def _format_action(action: str, probability: float) -> str:
    text = f"{escape(action)}{'' if len(action) == 1 else ' '}{100 * probability:3.0f}"
    return f"[{TERMINAL_COLOURS.get(action[0], 'magenta')}]{text}[/]" if probability >= 0.005 else f"[dim]{text}[/dim]"
