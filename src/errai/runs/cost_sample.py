"""A sample of a whole game, run until its rates are realistic, to estimate core time and disk space.

The sample has three flops, spread out, and one turn of each. It is like the whole game in everything that decides the
cost of a section (its lanes, boards, reaches and the state of its regrets) at a thousandth of its size.
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from errai.reports.cost_plan import RunRates
from errai.runs.cost_plan import rates_per_infoset
from errai.runs.flop_executor import LocalFlops
from errai.runs.run import WholeRun
from errai.runs.run_options import change_settings
from errai.runs.settings import RunSettings
from errai.workers.local_runner import num_cores

SAMPLE_FLOPS = 3
SAMPLE_TURNS = 1
SAMPLE_ITERATIONS = 16
_AVERAGE_BEGINS = 0.625  # of the iterations: 11 to 16 update the average
_AVERAGE_GAMMA = 0.0  # as it is begun late


def measure_sample(
    settings: RunSettings, *, num_threads: int | None = None, iterations: int = SAMPLE_ITERATIONS
) -> RunRates:
    """Run the sample of a whole game in a temporary directory and return the rates of its last iterations."""
    settings = change_settings(settings, flops=str(SAMPLE_FLOPS))
    delay = int(iterations * _AVERAGE_BEGINS)
    settings = replace(settings, num_turns=SAMPLE_TURNS, averaging_delay=delay, gamma=_AVERAGE_GAMMA)
    with TemporaryDirectory(prefix="errai-plan-") as directory:
        run = WholeRun.create(Path(directory) / "sample", settings)
        worker = run.flop_worker(max_trees=SAMPLE_FLOPS)
        run.advance(LocalFlops(worker, num_threads or num_cores()), iterations=iterations, measure_every=iterations)
        infosets = sum(run.game.flop_tree(flop).num_infosets for flop in range(run.num_flops))
        where = f"{run.num_flops} flops of {settings.name}, {SAMPLE_TURNS} turn of each"
        return rates_per_infoset(run, game=where, infosets=infosets)
