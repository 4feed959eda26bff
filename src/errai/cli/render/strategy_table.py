"""A strategy as tables: one a board, a row a point of the betting, a column a hand; percentages in the cells."""

from rich.console import Console
from rich.table import Table

from errai.cli.render.action_colours import TERMINAL_COLOURS
from errai.solutions.solution import Solution
from errai.solutions.strategy_rows import StrategyRow

_MOST_INFOSETS = 1_000  # beyond that nobody reads on


def print_strategy(console: Console, solution: Solution) -> None:
    """Print the measured strategy; of a large game, its first round."""
    kind = solution.goal.measure
    rows = solution.strategy_rows(kind, last_round=0 if solution.plan.num_infosets > _MOST_INFOSETS else None)
    console.print(f"the {kind} strategy: percentages of fold, call (or check) and raise (or bet)")
    tables: dict[str, dict[tuple[str, int], dict[str, StrategyRow]]] = {}
    for row in rows:
        hole, _, board = row.cards.partition("/")
        tables.setdefault(board, {}).setdefault((row.betting, row.player), {})[hole] = row
    for board, points in tables.items():
        console.print()
        console.print(_board_table(board, points))


def _board_table(board: str, points: dict[tuple[str, int], dict[str, StrategyRow]]) -> Table:
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


def _format_actions(probabilities: dict[str, float]) -> str:
    return " ".join(_format_action(action, probability) for action, probability in probabilities.items())


def _format_action(action: str, probability: float) -> str:
    text = f"{action}{100 * probability:3.0f}"
    return f"[{TERMINAL_COLOURS.get(action[0], 'magenta')}]{text}[/]" if probability >= 0.005 else f"[dim]{text}[/dim]"
