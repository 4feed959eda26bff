"""`errai games`: list the bundled games."""

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@output_options
def games(*, as_json: bool) -> None:
    """List the bundled games."""
    from errai.games.library import bundled_games, load_game
    from errai.reports.game_summary import GameSummary

    summaries = [GameSummary.of(load_game(name)) for name in bundled_games()]
    if as_json:
        print_json({"games": [summary.to_json() for summary in summaries]})
        return
    from errai.cli.render.game_table import game_table

    stdout_console().print(game_table(summaries))
