"""`errai export PATH --out FILE`: a strategy as a table for other programs, or a game for Gambit."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from errai.cli.options import output_options, state_options
from errai.cli.output import print_json, stdout_console

if TYPE_CHECKING:
    from errai.games.strategies import StrategyKind


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@state_options
@click.option("--all", "whole", is_flag=True, help="Every decision, on one board of each isomorphic class.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="A file that ends in .csv or .parquet; .efg for the game itself, as Gambit reads it.",
)
@output_options
@click.pass_context
def export(
    context: click.Context,
    /,
    *,
    path: Path,
    betting: str | None,
    board: str | None,
    measure: "StrategyKind | None",
    whole: bool,
    out: Path,
    as_json: bool,
) -> None:
    """Write what the solution or run in PATH does at one public state, or everywhere, as CSV or Parquet.

    A game that was made in Python is always written whole. An `.efg` file gets the game instead, with exact fractions;
    PATH may then also be the name of a game.
    """
    from errai.cli.render.progress import step_progress
    from errai.cli.render.quantities import format_bytes
    from errai.runs.opening import open_strategy
    from errai.solutions.efg_file import is_efg, write_efg
    from errai.solutions.stored_strategy import Work
    from errai.storage.table_file import verify_can_write_table

    if is_efg(out) and (whole or any(option is not None for option in (betting, board, measure))):
        raise click.UsageError("an `.efg` file holds the game, not a strategy; `--out FILE.efg` goes alone", context)
    if whole and (betting is not None or board is not None):
        raise click.UsageError("`--all` exports every state; leave `--betting` and `--board` out", context)
    unit = "nodes" if is_efg(out) else "rows"
    if is_efg(out) and not path.is_dir():
        rows = write_efg(str(path), out)
    else:
        if not is_efg(out):
            verify_can_write_table(out)
        with step_progress("exporting", "flops") as on_progress:
            rows = open_strategy(path).export(
                out, betting=betting, board=board, strategy=measure, whole=whole, work=Work(on_progress=on_progress)
            )
    size = out.stat().st_size
    if as_json:
        print_json({"file": str(out), unit: rows, "bytes": size})
    else:
        stdout_console().print(f"{rows:,} {unit}, {format_bytes(size)} in `{out}`", markup=False, soft_wrap=True)
