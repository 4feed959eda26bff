"""`errai solve GAME --out DIR` of a whole game from disk: begin a run or go on with one, tell how far it is."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.options import parse_bytes
from errai.cli.output import print_json, results, stderr_console, stdout_kept_for_results
from errai.cli.render.progress import progress_bar
from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.run_report import print_run, run_json
from errai.errors import InputError
from errai.games.library import load_game
from errai.runs.checkpoint import Checkpoint
from errai.runs.executors import most_threads, open_executor
from errai.runs.memory import RunResources, plan_resources
from errai.runs.progress import RunProgress
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.solutions.method import Goal
from errai.solutions.schedule import StrategyKind
from errai.storage.ledger import LEDGER_FILE
from errai.trees.whole_game import choose_flops


def is_run(directory: Path) -> bool:
    """Whether a directory holds a run of a whole game."""
    return (directory / LEDGER_FILE).exists()


def verify_is_free(directory: Path) -> None:
    """Refuse a directory that holds anything."""
    if is_run(directory):
        raise InputError(
            f"`{directory}` holds a run already", hint=f"`errai solve --resume {directory}` goes on with it"
        )
    if directory.exists() and not WholeRun.can_create(directory):
        raise InputError(f"`{directory}` holds something else", hint="name a new directory with `--out`")


def new_settings(game: str, options: dict[str, Any]) -> RunSettings:
    """The settings of a new run, of the options that the command line gave."""
    definition = load_game(game)
    flops = options.get("flops")
    factors = None if flops is None else choose_flops(definition, flops)
    return RunSettings.of(definition, factors, **_method(options))


def _method(options: dict[str, Any]) -> dict[str, Any]:
    method = {name: options[name] for name in ("alpha", "gamma", "averaging_delay") if options.get(name) is not None}
    if options.get("algorithms"):
        (method["algorithm"],) = options["algorithms"]
    if options.get("precision") == "lossless":
        method["scale"] = 0.0
    elif options.get("precision") not in (None, "fixed"):
        raise InputError(
            f"a whole game is kept as `fixed` or `lossless`; got `{options['precision']}`",
            hint="`--scale` says how fine `fixed` is",
        )
    if options.get("scale") is not None:
        method["scale"] = options["scale"]
    return {**method, "with_average": options.get("measure") == "average"}


def verify_same(run: WholeRun, options: dict[str, Any]) -> None:
    """Refuse options that are not those of the run."""
    given = _method(options)
    if options.get("measure") is None:
        del given["with_average"]
    settings = {**run.settings.to_json(), **given}
    if options.get("flops") is not None:
        factors = choose_flops(run.settings.definition, options["flops"])
        settings["flop_factors"] = [(run.settings.definition.deck.text(c), f) for c, f in factors.items()]
    run.verify_same(RunSettings.from_json(settings))


def plan_whole(
    settings: RunSettings, *, memory: str | None, num_threads: int | None, cluster: str | None = None
) -> RunResources:
    """Who can work on a run within the memory, on this machine or on each node of a cluster."""
    if num_threads is not None and num_threads < 1:
        raise InputError(f"`--threads` must be at least 1; got `{num_threads}`")
    return plan_resources(
        settings,
        num_threads=num_threads or most_threads(cluster),
        memory_limit_bytes=None if memory is None else parse_bytes(memory),
    )


def solve_whole(
    run: WholeRun,
    *,
    asked_goal: dict[str, Any],
    memory: str | None,
    num_threads: int | None,
    cluster: str | None,
    checkpoint: Checkpoint | None,
    is_interrupted: Callable[[], bool],
    as_json: bool,
) -> int:
    """Go on with a run to what is asked for now, or was last; the exit code."""
    console = stderr_console()
    with run.owned():
        goal = _goal(run, asked_goal)
    crew = plan_whole(run.settings, memory=memory, num_threads=num_threads, cluster=cluster)
    _tell_plan(console, run, crew, cluster)
    strategy: StrategyKind = "average" if run.settings.with_average else "current"
    bar = progress_bar(console)
    task = bar.add_task(run.settings.name, total=None, status="")

    def show(progress: RunProgress) -> None:
        bar.update(task, completed=progress.flops_done, total=progress.num_flops, status=_status(progress))

    with (
        run.owned(),
        stdout_kept_for_results(),
        open_executor(
            run,
            crew,
            cluster=cluster,
            checkpoint=None if checkpoint is None else checkpoint.path,
            should_stop=is_interrupted,
        ) as executor,
        bar,
    ):
        outcome = run.advance(
            executor,
            iterations=goal.iterations,
            target_mbb=goal.target_mbb,
            measure_every=goal.measure_every,
            measure=strategy,
            checkpoint=checkpoint,
            on_progress=show,
            should_stop=is_interrupted,
        )
    if as_json:
        print_json(run_json(run))
    else:
        print_run(results(), run)
    if is_interrupted():
        console.print(f"interrupted after {run.iteration:,} iterations")
        console.print(f"\nhint: `errai solve --resume {run.directory}` goes on from here", soft_wrap=True)
        return EXIT_INTERRUPTED
    if outcome == "stalled":
        _report_stall(console, run, goal)
    return 0


def _report_stall(console: Console, run: WholeRun, goal: Goal) -> None:
    """Explain why a run ended above its target."""
    scale = run.settings.scale
    precision = f"numbers in fixed point at scale {scale:g}" if scale else "`float32`"
    console.print(
        f"the target of {goal.target_mbb:g} mbb was not reached: the exploitability no longer falls, which is the "
        f"floor of {precision}",
        soft_wrap=True,
    )
    if scale:
        console.print(
            f"\nhint: begin a new run with a finer scale, as in `--scale {100 * scale:g}`, or `--precision lossless`",
            soft_wrap=True,
        )


def _goal(run: WholeRun, asked: dict[str, Any]) -> Goal:
    """What is asked now, and for the rest what was asked last; where to stop is one question."""
    ends = {"iterations", "target_mbb"}
    kept = {name: value for name, value in run.ledger.goal.items() if name not in ends or not ends & asked.keys()}
    goal = Goal(**{**kept, **asked})
    run.ledger.set_goal({name: getattr(goal, name) for name in ("iterations", "target_mbb", "measure_every")})
    return goal


def tell_cost(settings: RunSettings, crew: RunResources, *, as_json: bool) -> None:
    """What is known of a run that is not begun."""
    game = settings.game
    infosets = settings.num_infosets
    if as_json:
        print_json({"game": settings.name, "flops": len(game.flops), "infosets": infosets, **asdict(crew)})
        return
    results().print(
        f"{settings.name} by {settings.algorithm}: {infosets:,} infosets on {format_count(len(game.flops), 'flop')}, "
        f"{format_bytes(crew.memory_bytes)} of memory on {format_count(crew.num_threads, 'thread')}",
        soft_wrap=True,
    )
    stderr_console().print("\nhint: `errai plan` measures what an iteration takes, and how much disk", soft_wrap=True)


def _tell_plan(console: Console, run: WholeRun, crew: RunResources, cluster: str | None) -> None:
    where = f"on the cluster `{cluster}`" if cluster else f"on {format_count(crew.num_threads, 'thread')}"
    console.print(
        f"{run.settings.name} by {run.settings.algorithm}: {format_count(run.num_flops, 'flop')} from disk "
        f"in `{run.directory}`, "
        f"{where}, will take {format_bytes(crew.memory_bytes)} of memory"
        + (" on a node" if cluster else "")
        + (f"; at iteration {run.iteration:,}" if run.iteration else ""),
        soft_wrap=True,
    )


def _status(progress: RunProgress) -> str:
    what = "measuring after" if progress.is_measuring else "in"
    status = f"{progress.flops_done}/{progress.num_flops} flops · {what} iteration {progress.iteration:,}"
    if progress.measured_mbb is not None:
        status += f" · {progress.measured_mbb:.4g} mbb"
    if progress.seconds_left is not None:
        status += f" · {format_seconds(progress.seconds_left)} left"
    return status
