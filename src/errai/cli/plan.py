"""`errai plan GAME`: what it costs to solve a whole game, from what was measured here."""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from errai.cli.options import output_options, threads_option
from errai.cli.output import print_json, results, stderr_console
from errai.cli.quantities import format_bytes
from errai.cli.run_report import count_infosets
from errai.cli.whole_solve import parse_bytes
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.runs.cost_plan import Cluster, CostPlan, RunRates, plan_cost
from errai.runs.cost_sample import SAMPLE_ITERATIONS, measure_sample
from errai.runs.run import WholeRun
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.workers.local_runner import num_cores

# Bowling et al., Science 347 (2015): 200 nodes of 24 cores, 61 minutes an iteration, 1,579 iterations.
PUBLISHED = {
    "infosets": 13_803_249_787_132,
    "disk_bytes": 10.9e12,
    "core_hours_per_iteration": 4_855.0,
    "iterations": 1_579,
    "core_years": 900.0,
    "minutes_per_iteration": 61.0,
}
_PUBLISHED_GAME = "holdem.limit.2p"


@click.command()
@click.argument("game")
@click.option("--from", "directory", type=click.Path(path_type=Path), metavar="DIR", help="A run, for its figures.")
@click.option("--measure", is_flag=True, help="Measure: some turns of some flops of GAME, a few minutes.")
@click.option("--nodes", type=click.IntRange(1), default=200, show_default=True)
@click.option("--cores", "cores_per_node", type=click.IntRange(1), default=24, show_default=True, help="Of a node.")
@click.option("--disk", default="0.5T", show_default=True, metavar="BYTES", help="Of a node.")
@click.option(
    "--iterations", type=click.IntRange(1), default=PUBLISHED["iterations"], show_default=True, help="To 1 mbb/g."
)
@threads_option
@output_options
def plan(
    *,
    game: str,
    directory: Path | None,
    measure: bool,
    nodes: int,
    cores_per_node: int,
    disk: str,
    iterations: int,
    num_threads: int | None,
    as_json: bool,
) -> None:
    """Tell what solving GAME whole would cost: bytes, core-hours, days, from a run's figures or measured now."""
    definition = load_game(game)
    if measure == (directory is not None):
        raise InputError(
            "the plan needs figures: those of a run, or measured now", hint="give either `--from DIR` or `--measure`"
        )
    if directory is not None:
        rates = _run_rates(WholeRun.open(directory))
    else:
        rates = _measured_rates(definition, num_threads=num_threads or num_cores())
    cluster = Cluster(nodes, cores_per_node, parse_bytes(disk))
    cost = plan_cost(definition, rates, cluster=cluster, iterations=iterations)
    if as_json:
        print_json(_plan_json(cost))
    else:
        _print_plan(cost)


def _run_rates(run: WholeRun) -> RunRates:
    """Of the last iterations of a run."""
    recent = run.ledger.pass_core_seconds()[-5 * PASSES_PER_ITERATION :]
    if not recent:
        raise InputError(f"the run in `{run.directory}` has made no iteration yet", hint="`errai solve --resume` does")
    infosets = count_infosets(run.settings)
    return RunRates(
        game=run.settings.name if run.settings.flop_factors is None else f"{run.num_flops} of its flops",
        iteration=run.iteration,
        core_seconds_per_infoset=PASSES_PER_ITERATION * sum(recent) / len(recent) / infosets,
        bytes_per_infoset=run.num_bytes / infosets,
    )


def _measured_rates(definition: GameDefinition, *, num_threads: int) -> RunRates:
    console = stderr_console()
    console.print(f"measuring {SAMPLE_ITERATIONS} iterations on some turns of some flops of {definition.name} ...")
    with tempfile.TemporaryDirectory(prefix="errai-plan-") as directory:
        return measure_sample(definition, Path(directory), num_threads=num_threads)


def _plan_json(cost: CostPlan) -> dict[str, Any]:
    derived = {name: getattr(cost, name) for name, _, _ in _ROWS}
    return {**asdict(cost), **derived, "published": PUBLISHED if cost.game == _PUBLISHED_GAME else None}


_ROWS = (
    ("infosets", "infosets", "counted"),
    ("disk_bytes", "on disk", "{bytes:.3f} bytes an infoset, measured on {where}"),
    (
        "core_hours_per_iteration",
        "core-hours an iteration",
        "{rate:.1f} million infosets a core-second, measured on {where}",
    ),
    ("iterations", "iterations to 1 mbb/g", "those of the published run unless given"),
    ("core_years", "core-years", "extrapolated: all three together"),
    ("minutes_per_iteration", "minutes an iteration", "on {cores:,} cores"),
    ("days", "days", "on {cores:,} cores"),
    ("least_nodes", "nodes that hold it", "of {disk} each"),
    ("disk_bytes_per_second_per_node", "disk, a node", "read twice and written once an iteration"),
    ("network_bytes_per_second", "network, the leading node", "reach out, values back"),
)


def _print_plan(cost: CostPlan) -> None:
    names = {
        "bytes": cost.rates.bytes_per_infoset,
        "rate": 1e-6 / cost.rates.core_seconds_per_infoset,
        "where": f"{cost.rates.game}, iteration {cost.rates.iteration:,}",
        "cores": cost.cluster.num_cores,
        "disk": format_bytes(int(cost.cluster.disk_bytes_per_node)),
    }
    table = Table(box=None, pad_edge=False)
    table.add_column(cost.game, style="bold")
    table.add_column("this program", justify="right")
    if cost.game == _PUBLISHED_GAME:
        table.add_column("published", justify="right")
    table.add_column("from")
    for name, label, basis in _ROWS:
        row = [label, _text(name, getattr(cost, name))]
        if cost.game == _PUBLISHED_GAME:
            row.append(_text(name, PUBLISHED[name]) if name in PUBLISHED else "")
        table.add_row(*row, basis.format(**names))
    results().print(table)


def _text(name: str, value: float) -> str:
    if name.startswith(("disk_bytes_per", "network")):
        return f"{format_bytes(int(value))}/s"
    if name == "disk_bytes":
        return format_bytes(int(value))
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
