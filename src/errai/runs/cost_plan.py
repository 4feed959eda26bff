"""Planning the cost of a whole game: the rates of a run, and what they mean for a game of another size."""

from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.sizes import count_sizes
from errai.reports.cost_plan import Cluster, CostPlan, RunRates
from errai.runs.run import WholeRun
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.trees.whole_game import WholeGame

_FLOAT_BYTES = 4
_RECENT_ITERATIONS = 5


def rates_of_run(run: WholeRun) -> RunRates:
    """The rates of the last iterations of a run."""
    recent = run.ledger.pass_core_seconds()[-_RECENT_ITERATIONS * PASSES_PER_ITERATION :]
    if not recent:
        raise InputError(
            f"the run in `{run.directory}` has not completed an iteration yet",
            hint=f"`errai solve --resume {run.directory}` goes on with it",
        )
    infosets = run.settings.num_infosets
    return RunRates(
        game=run.settings.name if run.settings.flop_factors is None else f"{run.num_flops} of its flops",
        iteration=run.iteration,
        core_seconds_per_infoset=PASSES_PER_ITERATION * sum(recent) / len(recent) / infosets,
        bytes_per_infoset=run.num_bytes / infosets,
    )


def plan_cost(definition: GameDefinition, rates: RunRates, *, cluster: Cluster, iterations: int) -> CostPlan:
    """The cost of solving `definition` with `rates` on `cluster`."""
    game = WholeGame(definition)
    lanes = game.top.rounds[1].padded_lanes
    reach = game.top.rounds[0].most_hands(0) * lanes
    values = game.top.rounds[1].most_hands(0) * lanes
    return CostPlan(
        game=definition.name,
        rates=rates,
        cluster=cluster,
        iterations=iterations,
        infosets=count_sizes(definition).total.canonical_infosets,
        num_flops=len(game.flops),
        message_bytes_per_flop=_FLOAT_BYTES * (reach + values),
    )
