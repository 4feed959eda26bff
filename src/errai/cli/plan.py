"""`errai plan GAME`: the cost of solving a whole game, from rates measured on this machine."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from errai.cli.menu_options import SpotChips, menu_options, menu_text, stack_options
from errai.cli.options import coding_option, output_options, parse_bytes, threads_option
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.errors import InputError
from errai.reports.cost_plan import EARLY_TO_LATE, Cluster, Growth, RunRates, expected_iterations

if TYPE_CHECKING:
    from errai.runs.settings import RunSettings


@click.command()
@click.argument("game")
@stack_options
@menu_options
@click.option("--from", "directory", type=click.Path(path_type=Path), metavar="DIR", help="Use the rates of this run.")
@click.option("--measure", is_flag=True, help="Measure the rates now, on some turns of some flops; a few minutes.")
@coding_option
@click.option("--nodes", type=click.IntRange(1), default=200, show_default=True, help="Nodes of the cluster.")
@click.option(
    "--cores", "cores_per_node", type=click.IntRange(1), default=24, show_default=True, help="Cores per node."
)
@click.option("--disk", default="0.5T", show_default=True, metavar="BYTES", help="Per node.")
@click.option(
    "--iterations",
    type=click.IntRange(1),
    help="Iterations to 1 mbb/g. [default: those of the published run, times what ours were on games solved both ways]",
)
@threads_option
@output_options
def plan(
    *,
    game: str,
    stack: str | None,
    last_round: int | None,
    bets: Sequence[str],
    add_all_in: str | None,
    force_all_in: str | None,
    merge: str | None,
    directory: Path | None,
    measure: bool,
    coding: Literal["small", "fast"] | None,
    nodes: int,
    cores_per_node: int,
    disk: str,
    iterations: int | None,
    num_threads: int | None,
    as_json: bool,
) -> None:
    """Estimate the cost of solving GAME whole, from the rates of a run or measured now: bytes, core-hours, days.

    A no-limit game needs the sizes of `--bets`, and takes its stacks from `--stack`.
    """
    if measure == (directory is not None):
        raise InputError(
            "the plan needs rates: those of a run, or measured now", hint="give either `--from DIR` or `--measure`"
        )
    if coding is not None and directory is not None:
        raise InputError("the files of a run are coded as they are", hint="leave out `--coding` with `--from`")
    cluster = Cluster(nodes, cores_per_node, parse_bytes(disk))
    from errai.runs.cost_plan import plan_cost
    from errai.runs.run_options import new_settings

    definition = SpotChips.of(game, pot=None, stack=stack, last_round=last_round).definition
    menu = menu_text(bets, add_all_in=add_all_in, force_all_in=force_all_in, merge=merge)
    settings = new_settings(definition, bets=menu, coding=coding or "small")
    rates = _measured_rates(settings, num_threads) if directory is None else _run_rates(directory)
    fewest, expected, most = expected_iterations() if iterations is None else (iterations,) * 3
    growth = EARLY_TO_LATE if directory is None else Growth()
    cost = plan_cost(
        settings, rates, cluster=cluster, iterations=expected, iterations_bounds=(fewest, most), growth=growth
    )
    if as_json:
        print_json(cost.to_json())
        return
    from errai.cli.render.cost_table import cost_table

    stdout_console().print(cost_table(cost))


def _run_rates(directory: Path) -> RunRates:
    from errai.runs.cost_plan import rates_of_run
    from errai.runs.run import WholeRun

    return rates_of_run(WholeRun.open(directory))


def _measured_rates(settings: "RunSettings", num_threads: int | None) -> RunRates:
    from errai.runs.cost_sample import SAMPLE_ITERATIONS, measure_sample

    stderr_console().print(
        f"measuring {SAMPLE_ITERATIONS} iterations on some turns of some flops of {settings.name} ..."
    )
    return measure_sample(settings, num_threads=num_threads)
