"""`errai games`: what is bundled."""

import click
from rich.table import Table

from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.games.definition import GameDefinition
from errai.games.library import bundled_games, load_game


@click.command()
@output_options
def games(*, as_json: bool) -> None:
    """List the bundled games."""
    definitions = [load_game(name) for name in bundled_games()]
    if as_json:
        print_json({"games": [_describe(definition) for definition in definitions]})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("game", style="bold")
    table.add_column("betting")
    for heading in ("rounds", "cards", "hole", "board"):
        table.add_column(heading, justify="right")
    for definition in definitions:
        table.add_row(
            definition.name,
            "limit" if definition.is_limit else "no-limit",
            str(definition.num_rounds),
            str(definition.deck.size),
            str(definition.num_hole_cards),
            " ".join(map(str, definition.num_board_cards)),
        )
    results().print(table)


def _describe(definition: GameDefinition) -> dict[str, object]:
    return {
        "name": definition.name,
        "is_limit": definition.is_limit,
        "rounds": definition.num_rounds,
        "cards": definition.deck.size,
        "hole_cards": definition.num_hole_cards,
        "board_cards": list(definition.num_board_cards),
        "unit_chips": definition.unit_chips,
    }
