"""`errai show PATH`: what a stored strategy does at one public state."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from errai.cli.options import output_options, state_options, threads_option
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.errors import InputError

if TYPE_CHECKING:
    from errai.games.strategies import StrategyKind
    from errai.reports.state import StateReport
    from errai.solutions.stored_strategy import StoredStrategy


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@state_options
@click.option(
    "--hands", "shown_range", metavar="RANGE", help="List these hands one by one, as in `AA,AKs`; `random`: all."
)
@click.option(
    "--png", type=click.Path(path_type=Path), metavar="FILE", help="Draw the square of hands; .svg and .pdf too."
)
@click.option(
    "--values/--no-values",
    "with_values",
    default=None,
    help="What hands are worth. [default: yes, except before the flop of a run, where it takes all flops]",
)
@threads_option
@output_options
def show(
    *,
    path: Path,
    betting: str | None,
    board: str | None,
    measure: "StrategyKind | None",
    shown_range: str | None,
    png: Path | None,
    with_values: bool | None,
    num_threads: int | None,
    as_json: bool,
) -> None:
    """Show a public state of the solution or run in PATH: who acts, with what, how, and what it is worth.

    Values are chips from here on: folding now is worth 0. Of a game that was made in Python, all infosets are listed.
    """
    from errai.cli.render.picture import verify_can_draw
    from errai.cli.render.progress import step_progress
    from errai.cli.render.state_table import print_state
    from errai.runs.opening import open_strategy
    from errai.solutions.stored_strategy import Work

    if png is not None:
        verify_can_draw(png)
    stored = open_strategy(path, num_threads=num_threads)
    if stored.definition is None:
        _show_infosets(stored, measure, as_json=as_json)
        return
    with step_progress("values", "flops") as on_progress:
        report = stored.query(
            betting=betting,
            board=board,
            strategy=measure,
            with_values=with_values,
            work=Work(num_threads=num_threads, on_progress=on_progress),
        )
    if png is not None:
        _draw(png, report)
    if as_json:
        print_json(report.to_json(shown_range=shown_range))
    else:
        print_state(stdout_console(), report, shown_range=shown_range)


def _show_infosets(stored: "StoredStrategy", strategy: "StrategyKind | None", *, as_json: bool) -> None:
    from errai.cli.render.strategy_table import print_strategy

    rows = stored.infosets(strategy=strategy)
    if as_json:
        print_json({"game": stored.name, "infosets": [row.to_json() for row in rows]})
    else:
        print_strategy(stdout_console(), rows, None)


def _draw(png: Path, report: "StateReport") -> None:
    from errai.cli.render.state_name import state_name
    from errai.cli.render.strategy_chart import draw_chart
    from errai.games.spot import position_names

    definition = report.definition
    if definition.num_hole_cards != 2:
        raise InputError(f"the square of hands needs two hole cards; `{definition.name}` deals one")
    player = position_names(definition)[report.player]
    draw_chart(png, report, title=f"{definition.name}, {state_name(report)}: {player} to act")
    stderr_console().print(f"drawn in `{png}`")
