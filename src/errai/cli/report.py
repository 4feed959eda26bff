"""`errai report PATH`: what a stored strategy does on every card, or every flop, that can come next."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from errai.cli.options import output_options, state_options, threads_option
from errai.cli.output import print_json, stderr_console, stdout_console

if TYPE_CHECKING:
    from errai.games.definition import GameDefinition
    from errai.games.place import Place
    from errai.games.spot import Spot
    from errai.games.strategies import StrategyKind


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@state_options
@click.option("--values/--no-values", "with_values", default=True, help="Equity and value of both ranges.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the rows as .csv or .parquet.")
@click.option("--png", type=click.Path(path_type=Path), metavar="FILE", help="Draw the rows; .svg and .pdf too.")
@threads_option
@output_options
def report(
    *,
    path: Path,
    betting: str | None,
    board: str | None,
    measure: "StrategyKind | None",
    with_values: bool,
    out: Path | None,
    png: Path | None,
    num_threads: int | None,
    as_json: bool,
) -> int:
    """Show what the solution or run in PATH does on every card, or every flop, that can come next.

    `--betting` ends where cards are dealt, as in `cc/`, or later in that round, as in `cc/r100`; `--board` holds the
    cards before the deal. Each row has the actions of the player to act, and the equity and value of both ranges.
    """
    from errai.cli.failure import EXIT_INTERRUPTED
    from errai.cli.interrupt import interruptible
    from errai.cli.render.deals_picture import draw_deals
    from errai.cli.render.deals_table import print_deals
    from errai.cli.render.picture import verify_can_draw
    from errai.cli.render.progress import step_progress
    from errai.errors import InputError
    from errai.runs.opening import open_strategy
    from errai.solutions.look import Look
    from errai.solutions.next_deals import report_deals
    from errai.solutions.stored_strategy import StoppedError, Work
    from errai.storage.table_file import verify_can_write_table, write_table

    if out is not None:
        verify_can_write_table(out)
    if png is not None:
        verify_can_draw(png)
    stored = open_strategy(path, num_threads=num_threads)
    if stored.definition is None:
        raise InputError(f"`{stored.name}` was made in Python and has no board", hint=f"`errai show {path}` lists it")
    place = _place(stored.definition, stored.start, betting, board)
    with step_progress("deals", "deals") as on_progress, interruptible() as is_interrupted:
        work = Work(num_threads=num_threads, on_progress=on_progress, should_stop=is_interrupted)
        try:
            deals = report_deals(Look(stored, place, measure, with_values), work=work)
        except StoppedError:
            stderr_console().print("interrupted")
            return EXIT_INTERRUPTED
    if out is not None:
        rows = write_table(out, iter([deals.columns()]))
        stderr_console().print(f"{rows:,} rows in `{out}`", markup=False, soft_wrap=True)
    if png is not None:
        draw_deals(png, deals)
        stderr_console().print(f"drawn in `{png}`", markup=False, soft_wrap=True)
    if as_json:
        print_json(deals.to_json())
    else:
        print_deals(stdout_console(), deals)
    return 0


def _place(definition: "GameDefinition", start: "Spot | None", betting: str | None, board: str | None) -> "Place":
    """The decision after `betting`, whose last cards need not be on `board`."""
    from errai.games.place import parse_place
    from errai.solutions.public_state import parse_public_state

    before = betting
    if betting is not None and "/" in betting:
        before = betting[: betting.rindex("/") + 1]
    place = parse_place(definition, start, betting=before, board=board)
    state, _ = parse_public_state(definition, start, betting=betting, board=board)
    return replace(place, state=state)
