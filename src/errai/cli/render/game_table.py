"""The table of bundled games."""

from collections.abc import Sequence

from rich.table import Table

from errai.reports.game_summary import GameSummary


def game_table(summaries: Sequence[GameSummary]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("game", style="bold")
    table.add_column("betting")
    for heading in ("rounds", "cards", "hole", "board"):
        table.add_column(heading, justify="right")
    for game in summaries:
        table.add_row(
            game.name,
            "limit" if game.is_limit else "no-limit",
            str(game.rounds),
            str(game.cards),
            str(game.hole_cards),
            " ".join(map(str, game.board_cards)),
        )
    return table
