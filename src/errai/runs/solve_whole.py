"""Solving a whole game from disk in one call: begin a run, or go on with the one that is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.runs.executors import most_threads, open_executor
from errai.runs.memory import plan_resources
from errai.runs.progress import OnProgress
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solutions.method import Goal
from errai.solutions.schedule import StrategyKind
from errai.storage.ledger import LEDGER_FILE
from errai.trees.whole_game import choose_flops


def solve_whole(
    game: str | GameDefinition,
    directory: str | Path,
    *,
    flops: str | None = None,
    iterations: int | None = None,
    target_mbb: float | None = None,
    measure_every: int | None = None,
    memory_limit_bytes: int | None = None,
    num_threads: int | None = None,
    cluster: str | None = None,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] | None = None,
    **method: Any,
) -> WholeRun:
    """Solve a whole limit game whose numbers are kept in `directory`, to so many iterations or to a target.

    `flops` names the flops that are dealt, as in `AsKsQs,7h7d2c:2`, or how many; without it, all are. `method` are the
    other fields of `RunSettings`: `algorithm`, `alpha`, `gamma`, `with_average`, `averaging_delay` and `scale`. A run
    that is in the directory already goes on, if it has the same settings.
    """
    goal = Goal(iterations=iterations, target_mbb=target_mbb, measure_every=measure_every)
    definition = load_game(game) if isinstance(game, str) else game
    factors = None if flops is None else choose_flops(definition, flops)
    settings = RunSettings.of(definition, factors, **method)
    resources = plan_resources(
        settings, num_threads=num_threads or most_threads(cluster), memory_limit_bytes=memory_limit_bytes
    )
    directory = Path(directory)
    if (directory / LEDGER_FILE).exists():
        run = WholeRun.open(directory)
        run.verify_same(settings)
    else:
        run = WholeRun.create(directory, settings)
    measure: StrategyKind = "average" if settings.with_average else "current"
    with open_executor(run, resources, cluster=cluster, should_stop=should_stop) as executor:
        run.advance(
            executor,
            iterations=goal.iterations,
            target_mbb=goal.target_mbb,
            measure=measure,
            measure_every=goal.measure_every,
            on_progress=on_progress,
            should_stop=should_stop,
        )
    return run
