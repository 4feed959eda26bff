"""`errai replay FILE`: check recorded hands, remove luck, and compare their decisions with a strategy."""

from pathlib import Path

import click

from errai.cli.failure import EXIT_FAILED
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--strategy", metavar="PATH", help="Rate every decision by this saved solution or run.")
@click.option(
    "--played-by",
    metavar="NAME",
    help="The player who played `--strategy`: the luck of its draws is removed as well as that of the cards.",
)
@click.option("--game", help="The game of an ACPC log: a bundled game's name or a `.game` file. [default: as it says]")
@output_options
def replay(*, file: Path, strategy: str | None, played_by: str | None, game: str | None, as_json: bool) -> int:
    """Replay the hands of FILE: check every payoff, and rate every decision by a saved strategy.

    FILE is a log of the ACPC's dealer, PHH (`.phh`, `.phhs`), or a hand history as PokerStars writes it. Payoffs are
    compared with the rules, before rake. The exit code is 1 if a payoff differs or a hand is damaged. Where the record
    shows all cards, the result is also given with the luck of the cards removed (AIVAT).
    """
    from errai.agents.replaying import replay as replay_file
    from errai.cli.render.replay_table import print_replay

    report = replay_file(file, strategy=strategy, played_by=played_by, game=game)
    if as_json:
        print_json(report.to_json())
    else:
        print_replay(stdout_console(), report)
    return 0 if report.is_right else EXIT_FAILED
