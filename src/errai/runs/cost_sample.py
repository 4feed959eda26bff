"""A sample of a whole game, run to where it is realistic, for what it takes of cores and disk.

Three flops, spread out, and of each of them one turn: a game like the whole one in everything that decides the cost of
a section, its lanes, its boards, its reaches and how far its regrets have come, and a thousandth of its size.
"""

from dataclasses import replace
from pathlib import Path

from errai.games.definition import GameDefinition
from errai.runs.cost_plan import RunRates
from errai.runs.flop_executor import LocalFlops
from errai.runs.flop_worker import FlopWorker
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.trees.whole_game import choose_flops

SAMPLE_FLOPS = 3
SAMPLE_TURNS = 1
SAMPLE_ITERATIONS = 15


def measure_sample(
    definition: GameDefinition, directory: Path, *, num_threads: int, iterations: int = SAMPLE_ITERATIONS
) -> RunRates:
    """Run the sample in `directory`; the rates of its last iteration."""
    settings = RunSettings.of(definition, choose_flops(definition, str(SAMPLE_FLOPS)))
    settings = replace(settings, num_turns=SAMPLE_TURNS)
    run = WholeRun.create(directory / "sample", settings)
    executor = LocalFlops(FlopWorker(run.directory, settings, max_trees=SAMPLE_FLOPS), num_threads)
    run.advance(executor, iterations=iterations, measure_every=iterations)
    infosets = sum(run.game.flop_tree(flop).num_infosets for flop in range(run.num_flops))
    return RunRates(
        game=f"{run.num_flops} flops of {definition.name}, {SAMPLE_TURNS} turn of each",
        iteration=run.iteration,
        core_seconds_per_infoset=sum(run.ledger.pass_core_seconds()[-PASSES_PER_ITERATION:]) / infosets,
        bytes_per_infoset=run.num_bytes / infosets,
    )
