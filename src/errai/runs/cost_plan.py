"""Planning the cost of a whole game: the rates of a run, and what they mean for a game of another size."""

from statistics import fmean

from errai.errors import InputError
from errai.reports.cost_plan import Cluster, CostPlan, RunRates
from errai.runs.run import WholeRun
from errai.runs.settings import DEFAULT_AVERAGE_STEPS, RunSettings
from errai.solvers.lane_steps import AveragingSchedule
from errai.solvers.preflop_state import PASSES_PER_ITERATION

# The part of the iterations before the average, `--averaging-delay`: weights of t^4 leave them a thousandth.
AVERAGE_BEGINS = 0.25
_FLOAT_BYTES = 4
_RECENT_PART = 4  # of the iterations of a run, the last of so many parts


def rates_of_run(run: WholeRun) -> RunRates:
    """The rates of the last iterations of a run."""
    if not run.iteration:
        raise InputError(
            f"the run in `{run.directory}` has not completed an iteration yet",
            hint=f"`errai solve --resume {run.directory}` goes on with it",
        )
    where = run.settings.name if run.settings.flop_factors is None else f"{run.num_flops} of its flops"
    return rates_per_infoset(run, game=where, infosets=run.settings.num_infosets)


def rates_per_infoset(run: WholeRun, *, game: str, infosets: int) -> RunRates:
    """The rates of the last iterations: of those that updated the average and those that did not, where it has both."""
    of_passes = run.ledger.pass_core_seconds()
    spent: dict[bool, list[float]] = {True: [], False: []}  # by whether the average was updated
    for iteration in range(run.iteration - run.iteration // _RECENT_PART, run.iteration + 1):
        seconds = sum(of_passes[PASSES_PER_ITERATION * (iteration - 1) : PASSES_PER_ITERATION * iteration])
        spent[run.settings.with_average and run.settings.averaging.last(iteration) == iteration].append(seconds)
    plain, updating = (fmean(spent[kind]) if spent[kind] else None for kind in (False, True))
    return RunRates(
        game=game,
        iteration=run.iteration,
        core_seconds_per_infoset=(plain or updating or 0.0) / infosets,
        bytes_per_infoset=run.num_bytes / infosets,
        average_core_seconds_per_infoset=max(updating - plain, 0.0) / infosets if plain and updating else 0.0,
        average_bytes_per_infoset=run.average_bytes / infosets,
    )


def plan_cost(
    settings: RunSettings,
    rates: RunRates,
    *,
    cluster: Cluster,
    iterations: int,
    iterations_bounds: tuple[int, int] | None = None,
) -> CostPlan:
    """The cost of solving the game of `settings` with `rates` on `cluster`."""
    game = settings.game
    averaging = AveragingSchedule(delay=int(iterations * AVERAGE_BEGINS), steps=DEFAULT_AVERAGE_STEPS)
    lanes = game.top.rounds[1].padded_lanes
    reach = game.top.rounds[0].most_hands(0) * lanes
    values = game.top.rounds[1].most_hands(0) * lanes
    return CostPlan(
        game=settings.name,
        rates=rates,
        cluster=cluster,
        iterations=iterations,
        iterations_bounds=iterations_bounds or (iterations, iterations),
        average_updates=averaging.updates(iterations) if rates.average_bytes_per_infoset else 0,
        infosets=settings.num_infosets,
        num_flops=len(game.flops),
        message_bytes_per_flop=_FLOAT_BYTES * (reach + values),
    )
