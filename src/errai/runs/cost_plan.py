"""Planning the cost of a whole game: the rates of a run, and what they mean for a game of another size."""

from statistics import fmean

from errai.errors import InputError
from errai.reports.cost_plan import Cluster, CostPlan, Growth, RunRates
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solvers.preflop_state import PASSES_PER_ITERATION

# The part of the iterations before the average, `--averaging-delay`; from there on all weigh the same, `--gamma 0`
# (docs/reference/benchmarks.md).
AVERAGE_BEGINS = 0.75
_FLOAT_BYTES = 4
_NO_GROWTH = Growth()
_RECENT_PART, _LEAST_RECENT = 4, 3  # of the iterations of a phase: the last of so many parts, at least so many


def rates_of_run(run: WholeRun) -> RunRates:
    """The rates of the last iterations of a run."""
    if run.iteration <= run.settings.draw_until:
        what = "visited only a part of the boards so far" if run.iteration else "not completed an iteration yet"
        raise InputError(
            f"the run in `{run.directory}` has {what}",
            hint=f"`errai solve --resume {run.directory}` goes on with it",
        )
    where = run.settings.name if run.settings.flop_factors is None else f"{run.num_flops} of its flops"
    return rates_per_infoset(run, game=where, infosets=run.settings.num_infosets)


def rates_per_infoset(run: WholeRun, *, game: str, infosets: int) -> RunRates:
    """The rates of the last iterations before the average began, and of the last ones since, where it has both.

    Iterations that visited a part of the boards do not count.
    """
    of_passes = run.ledger.pass_core_seconds()
    spent = [
        sum(of_passes[PASSES_PER_ITERATION * iteration : PASSES_PER_ITERATION * (iteration + 1)])
        for iteration in range(run.iteration)
    ]
    begins = run.settings.averaging_delay if run.settings.with_average else run.iteration
    plain, updating = _recent_mean(spent[run.settings.draw_until : begins]), _recent_mean(spent[begins:])
    return RunRates(
        game=game,
        iteration=run.iteration,
        core_seconds_per_infoset=(plain or updating or 0.0) / infosets,
        bytes_per_infoset=run.num_bytes / infosets,
        average_core_seconds_per_infoset=max(updating - plain, 0.0) / infosets if plain and updating else 0.0,
        average_bytes_per_infoset=run.average_bytes / infosets,
    )


def _recent_mean(spent: list[float]) -> float | None:
    """Of the last quarter, at least three, if there are any."""
    return fmean(spent[-max(len(spent) // _RECENT_PART, _LEAST_RECENT) :]) if spent else None


def plan_cost(
    settings: RunSettings,
    rates: RunRates,
    *,
    cluster: Cluster,
    iterations: int,
    iterations_bounds: tuple[int, int] | None = None,
    growth: Growth = _NO_GROWTH,
) -> CostPlan:
    """The cost of solving the game of `settings` with `rates` on `cluster`."""
    game = settings.game
    lanes = game.top.rounds[1].padded_lanes
    reach = game.top.rounds[0].most_hands(0) * lanes
    values = game.top.rounds[1].most_hands(0) * lanes
    return CostPlan(
        game=settings.name,
        rates=rates,
        cluster=cluster,
        iterations=iterations,
        iterations_bounds=iterations_bounds or (iterations, iterations),
        average_updates=iterations - int(iterations * AVERAGE_BEGINS) if rates.average_bytes_per_infoset else 0,
        infosets=settings.num_infosets,
        num_flops=len(game.flops),
        message_bytes_per_flop=_FLOAT_BYTES * (reach + values),
        growth=growth,
    )
