"""`errai count GAME`: the exact sizes of a game."""

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.argument("game")
@output_options
def count(*, game: str, as_json: bool) -> None:
    """Count the states and infosets of GAME exactly, round by round.

    GAME is a bundled game's name (see `errai games`) or a `.game` file. Canonical infosets are counted up to suit
    isomorphism: hands that differ only in the names of the suits count as one.
    """
    from errai.games.library import load_game
    from errai.games.sizes import count_sizes
    from errai.reports.size_report import SizeReport

    definition = load_game(game)
    report = SizeReport(definition.name, count_sizes(definition))
    if as_json:
        print_json(report.to_json())
        return
    from errai.cli.render.size_table import size_table

    stdout_console().print(size_table(report))
