"""`errai export PATH --out FILE`: a strategy as a table for other programs."""

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
    help="A file that ends in .csv or .parquet.",
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

    A game that was made in Python is always written whole.
    """
    from errai.cli.render.progress import step_progress
    from errai.cli.render.quantities import format_bytes
    from errai.runs.opening import open_strategy
    from errai.solutions.stored_strategy import Work
    from errai.storage.table_file import verify_can_write_table

    if whole and (betting is not None or board is not None):
        raise click.UsageError("`--all` exports every state; leave `--betting` and `--board` out", context)
    verify_can_write_table(out)
    with step_progress("exporting", "flops") as on_progress:
        rows = open_strategy(path).export(
            out, betting=betting, board=board, strategy=measure, whole=whole, work=Work(on_progress=on_progress)
        )
    size = out.stat().st_size
    if as_json:
        print_json({"file": str(out), "rows": rows, "bytes": size})
    else:
        stdout_console().print(f"{rows:,} rows, {format_bytes(size)} in `{out}`", markup=False, soft_wrap=True)
