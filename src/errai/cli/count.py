"""`errai count GAME`: exact sizes, a round a row."""

from dataclasses import asdict

import click
from rich.table import Table

from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.games.library import load_game
from errai.games.sizes import count_sizes

_COLUMNS = ("decision_nodes", "states", "infosets", "canonical_infosets", "canonical_infoset_actions")
_LONGEST_WRITTEN_OUT = 10**21


@click.command()
@click.argument("game")
@output_options
def count(*, game: str, as_json: bool) -> None:
    """Count the states and infosets of GAME exactly, round by round.

    GAME is a bundled game's name (see `errai games`) or a `.game` file. Canonical infosets are counted up to suit
    isomorphism: hands that differ only in the names of the suits are one.
    """
    definition = load_game(game)
    sizes = count_sizes(definition)
    if as_json:
        rounds = [{"round": number, **asdict(counted)} for number, counted in enumerate(sizes.rounds)]
        print_json({"game": definition.name, "rounds": rounds, "total": asdict(sizes.total)})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("round")
    for column in _COLUMNS:
        table.add_column(column.replace("_", " "), justify="right")
    for name, counted in [*((str(number), each) for number, each in enumerate(sizes.rounds)), ("total", sizes.total)]:
        table.add_row(
            name,
            *(_format(getattr(counted, column)) for column in _COLUMNS),
            style="bold" if name == "total" else None,
        )
    results().print(table)


def _format(number: int) -> str:
    """Written out with separators; beyond 21 digits, seven of them and the power of ten."""
    if number < _LONGEST_WRITTEN_OUT:
        return f"{number:,}"
    exponent = len(str(number)) - 1
    return f"{number / 10**exponent:.6f}e{exponent}"
