"""Options of the commands that play hands. Their help is printed from here, so nothing of the play is imported."""

import re
from dataclasses import dataclass
from pathlib import Path

import click

from errai.cli.options import Command
from errai.games.library import DEFAULT_GAME


@dataclass(frozen=True)
class HandTotal:
    """How many hands are played, and whether that was written as deals that are played twice."""

    number: int
    is_duplicate: bool


class HandCount(click.ParamType):  # type: ignore[type-arg]
    """`20000` hands, or `2x10000`: ten thousand deals, each played twice."""

    name = "hands"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> HandTotal:
        if isinstance(value, HandTotal):
            return value
        written = re.fullmatch(r"(2x)?([1-9][0-9]{0,11})", str(value))
        if written is None:
            self.fail(f"expected a number of hands, as in `20000` or `2x10000`; got `{value}`", param, ctx)
        is_duplicate = written[1] is not None
        return HandTotal(int(written[2]) * (2 if is_duplicate else 1), is_duplicate)


def history_options(command: Command) -> Command:
    """The options for files that hands are written to."""
    file = click.Path(path_type=Path)
    log = click.option("--log", type=file, metavar="FILE", help="Write the hands in the format of the ACPC's dealer.")
    phh = click.option("--phh", type=file, metavar="FILE.phhs", help="Write the hands in PHH, which other tools read.")
    return log(phh(command))


def session_options(command: Command) -> Command:
    """When to stop, who plays, where the run is kept."""
    until = click.option(
        "--until", "until_mbb", type=float, metavar="MBB", help="Stop when the 95 % interval is at most ± MBB."
    )
    workers = click.option(
        "--workers",
        "num_workers",
        type=click.IntRange(min=1),
        help="Processes; the result does not depend on them. [default: one per core]",
    )
    cluster = click.option(
        "--cluster", metavar="ADDRESS", help="Play on a Ray cluster: `auto` or `HOST:PORT`. The result is the same."
    )
    out = click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Save the run here, or continue it.",
    )
    return until(workers(cluster(out(command))))


def game_option(command: Command) -> Command:
    option = click.option(
        "--game",
        help=f"A bundled game's name or a `.game` file. [default: the game of a saved solution, else {DEFAULT_GAME}]",
    )
    return option(command)
