"""`errai show DIR`: what a saved solution does at one public state."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from errai.cli.options import output_options, state_options, threads_option
from errai.cli.output import print_json, results, stderr_console
from errai.cli.render.picture import verify_can_draw
from errai.cli.render.progress import progress_bar
from errai.cli.render.strategy_chart import draw_chart
from errai.cli.state_report import print_state, state_json
from errai.cli.whole_solve import is_run
from errai.errors import InputError
from errai.games.spot import position_names
from errai.runs.run_query import OnFlop, query_run
from errai.solutions.schedule import StrategyKind
from errai.solutions.solution import load_solution
from errai.workers.local_runner import num_cores


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
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
    help="What hands are worth. [default: yes, but not before the flop of a whole game, which takes all flops]",
)
@threads_option
@output_options
def show(
    *,
    directory: Path,
    betting: str | None,
    board: str | None,
    measure: StrategyKind | None,
    shown_range: str | None,
    png: Path | None,
    with_values: bool | None,
    num_threads: int | None,
    as_json: bool,
) -> None:
    """Show who acts at a public state of the solution in DIRECTORY, with what, how, and what it is worth.

    Values are chips from here on: giving up now is worth 0.
    """
    if png is not None:
        verify_can_draw(png)
    if is_run(directory):
        with _flop_progress() as on_flop:
            report = query_run(
                directory,
                betting=betting or "",
                board=board or "",
                kind=measure,
                with_values=with_values,
                num_threads=num_threads or num_cores(),
                on_flop=on_flop,
            )
    else:
        solution = load_solution(directory, num_threads=num_threads)
        report = solution.query(betting=betting, board=board, kind=measure, with_values=with_values is not False)
    if png is not None:
        if report.definition.num_hole_cards != 2:
            raise InputError(f"the square of hands needs two hole cards; `{report.definition.name}` deals one")
        text = report.definition.deck.text(report.board)
        draw_chart(
            png,
            report,
            title=f"{text or 'no board'} after {report.betting or 'no betting'}: "
            f"{position_names(report.definition)[report.player]} to act",
        )
        stderr_console().print(f"drawn in `{png}`")
    if as_json:
        print_json(state_json(report, shown_range=shown_range))
    else:
        print_state(results(), report, shown_range=shown_range)


@contextmanager
def _flop_progress() -> Iterator[OnFlop]:
    """Within, show how many flops are done of those that values take."""
    with progress_bar(stderr_console()) as bar:
        task = bar.add_task("values", total=None, status="", visible=False)

        def on_flop(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, status=f"{done:,} of {total:,} flops", visible=True)

        yield on_flop
