"""Solving a whole game from disk in one call: begin a run, or go on with the one that is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.runs.executors import most_threads, open_executor
from errai.runs.memory import plan_resources
from errai.runs.progress import OnProgress
from errai.runs.run import WholeRun
from errai.runs.run_options import RunOptions, new_settings
from errai.runs.stored_run import StoredRun
from errai.solutions.method import Goal
from errai.solutions.request import Resources
from errai.storage.ledger import LEDGER_FILE

_DEFAULT_GOAL = Goal()
_ANY_RESOURCES = Resources()


def solve_whole(
    game: str | GameDefinition,
    directory: str | Path,
    *,
    goal: Goal = _DEFAULT_GOAL,
    resources: Resources = _ANY_RESOURCES,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] | None = None,
    **options: Unpack[RunOptions],
) -> StoredRun:
    """Solve a whole game whose numbers are kept in `directory`, to so many iterations or to a target.

    `RunOptions` lists the options. A run that is in the directory already goes on, if it has the same settings.
    """
    settings = new_settings(load_game(game) if isinstance(game, str) else game, **options)
    planned = plan_resources(
        settings,
        num_threads=resources.num_threads or most_threads(resources.cluster),
        memory_limit_bytes=resources.memory_bytes,
    )
    directory = Path(directory)
    if (directory / LEDGER_FILE).exists():
        run = WholeRun.open(directory)
        run.verify_same(settings)
    else:
        run = WholeRun.create(directory, settings)
    with open_executor(run, planned, cluster=resources.cluster, should_stop=should_stop) as executor:
        run.advance(
            executor,
            iterations=goal.iterations,
            target_mbb=goal.target_mbb,
            measure=settings.measured_strategy,
            measure_every=goal.measure_every,
            on_progress=on_progress,
            should_stop=should_stop,
        )
    return StoredRun(run)
