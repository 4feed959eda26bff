"""`errai solve GAME --out DIR` of a whole game from disk: begin a run or go on with one, show how far it is."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.interrupt import interruptible
from errai.cli.output import print_json, stderr_console, stdout_console, stdout_kept_for_results
from errai.cli.render.progress import PointLines, progress_bar
from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.render.run_table import print_run
from errai.cli.solve_arguments import SolveArguments
from errai.errors import InputError
from errai.runs.checkpoint import Checkpoint
from errai.runs.executors import most_threads, open_executor
from errai.runs.memory import RunResources, plan_resources
from errai.runs.progress import RunProgress
from errai.runs.run import WholeRun
from errai.runs.run_options import RunOptions, change_settings, new_settings
from errai.runs.settings import RunSettings
from errai.runs.stored_run import StoredRun
from errai.solutions.method import Goal
from errai.solutions.request import Resources
from errai.storage.ledger import LEDGER_FILE
from errai.workers.ray_cluster import connected


def is_run(directory: Path) -> bool:
    """Whether a directory holds a run of a whole game."""
    return (directory / LEDGER_FILE).exists()


def solve_from_disk(arguments: SolveArguments) -> int:
    """Begin a run or go on with one; everything that can be wrong is reported before anything is written."""
    asked_goal = arguments.given_goal()
    options = _run_options(arguments)
    resources = arguments.resources
    checkpoint = None if arguments.checkpoint_to is None else Checkpoint(arguments.checkpoint_to)
    with (
        nullcontext() if resources.cluster is None else connected(resources.cluster),
        interruptible() as is_interrupted,
    ):
        if arguments.resume is not None:
            run = WholeRun.open(arguments.resume)
            run.verify_same(change_settings(run.settings, **options))
            if checkpoint is not None:
                checkpoint.verify_usable(run.directory, run.ledger)
        else:
            settings = new_settings(arguments.chips.definition, **options)
            planned = _plan(settings, resources)
            if arguments.dry_run:
                _print_cost(settings, planned, as_json=arguments.as_json)
                return 0
            assert arguments.out is not None
            _verify_is_free(arguments.out)
            if checkpoint is not None:
                checkpoint.verify_usable(arguments.out, None)
            run = WholeRun.create(arguments.out, settings)
        with run.owned():
            goal = _goal(run, asked_goal)
            return _advance(run, goal, arguments, checkpoint, is_interrupted)


def _verify_is_free(directory: Path) -> None:
    """Refuse a directory that holds anything."""
    if is_run(directory):
        raise InputError(
            f"`{directory}` holds a run already", hint=f"`errai solve --resume {directory}` goes on with it"
        )
    if directory.exists() and not WholeRun.can_create(directory):
        raise InputError(f"`{directory}` holds something else", hint="name a new directory with `--out`")


def _run_options(arguments: SolveArguments) -> RunOptions:
    """The options of a run that the command line gave."""
    options: RunOptions = {}
    given = arguments.given
    if arguments.algorithms:
        (options["algorithm"],) = arguments.algorithms
    if arguments.alpha is not None:
        options["alpha"] = arguments.alpha
    if arguments.gamma is not None:
        options["gamma"] = arguments.gamma
    if "averaging_delay" in given:
        options["averaging_delay"] = arguments.averaging_delay
    if arguments.draw_boards is not None:
        options["draw_boards"] = arguments.draw_boards
    if arguments.draw_until is not None:
        options["draw_until"] = arguments.draw_until
    if arguments.precision == "lossless":
        options["scale"] = 0.0
    elif arguments.precision not in (None, "fixed"):
        raise InputError(
            f"a whole game is kept as `fixed` or `lossless`; got `{arguments.precision}`",
            hint="`--scale` says how fine `fixed` is",
        )
    if arguments.scale is not None:
        options["scale"] = arguments.scale
    if arguments.coding is not None:
        options["coding"] = arguments.coding
    if "measure" in given:
        options["with_average"] = arguments.measure == "average"
    if arguments.flops is not None:
        options["flops"] = arguments.flops
    if arguments.menu:
        options["bets"] = arguments.menu
    return options


def _plan(settings: RunSettings, resources: Resources) -> RunResources:
    """The threads and trees that fit in the memory, on this machine or on each node of a cluster."""
    return plan_resources(
        settings,
        num_threads=resources.num_threads or most_threads(resources.cluster),
        memory_limit_bytes=resources.memory_bytes,
    )


def _advance(
    run: WholeRun,
    goal: Goal,
    arguments: SolveArguments,
    checkpoint: Checkpoint | None,
    is_interrupted: Callable[[], bool],
) -> int:
    """Go on with a run to its goal; the exit code."""
    console = stderr_console()
    cluster = arguments.cluster
    planned = _plan(run.settings, arguments.resources)
    _print_plan(console, run, planned, cluster)
    bar = progress_bar(console)
    task = bar.add_task(run.settings.name, total=None, status="")
    strategy = run.settings.measured_strategy
    lines = PointLines(console, after_iteration=max((iteration for iteration, _ in run.curve(strategy)), default=0))

    def show(progress: RunProgress) -> None:
        if progress.latest is not None:
            lines.add(*progress.latest)
        bar.update(task, completed=progress.flops_done, total=progress.num_flops, status=_status(progress))

    with (
        stdout_kept_for_results(),
        open_executor(
            run,
            planned,
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
    for point in run.curve(strategy)[-1:]:
        lines.add(*point)
    report = StoredRun(run).describe()
    if arguments.as_json:
        print_json(report.to_json())
    else:
        print_run(stdout_console(), report)
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
    """The goal that is given now, and for the rest the one of last time; iterations and target are one question."""
    ends = {"iterations", "target_mbb"}
    kept = {name: value for name, value in run.ledger.goal.items() if name not in ends or not ends & asked.keys()}
    goal = Goal(**{**kept, **asked})
    run.ledger.set_goal({name: getattr(goal, name) for name in ("iterations", "target_mbb", "measure_every")})
    return goal


def _print_cost(settings: RunSettings, planned: RunResources, *, as_json: bool) -> None:
    """The size of a run that has not begun."""
    game = settings.game
    infosets = settings.num_infosets
    if as_json:
        print_json({"game": settings.name, "flops": len(game.flops), "infosets": infosets, **asdict(planned)})
        return
    stdout_console().print(
        f"{settings.name} by {settings.algorithm}: {infosets:,} infosets on {format_count(len(game.flops), 'flop')}, "
        f"{format_bytes(planned.memory_bytes)} of memory on {format_count(planned.num_threads, 'thread')}",
        soft_wrap=True,
    )
    stderr_console().print(
        "\nhint: `errai plan GAME --measure` measures what an iteration takes, and how much disk", soft_wrap=True
    )


def _print_plan(console: Console, run: WholeRun, planned: RunResources, cluster: str | None) -> None:
    where = f"on the cluster `{cluster}`" if cluster else f"on {format_count(planned.num_threads, 'thread')}"
    console.print(
        f"{run.settings.name} by {run.settings.algorithm}: {format_count(run.num_flops, 'flop')} from disk "
        f"in `{run.directory}`, "
        f"{where}, will take {format_bytes(planned.memory_bytes)} of memory"
        + (" on a node" if cluster else "")
        + (f"; at iteration {run.iteration:,}" if run.iteration else ""),
        soft_wrap=True,
    )


def _status(progress: RunProgress) -> str:
    what = "measuring after" if progress.is_measuring else "in"
    status = f"{progress.flops_done}/{progress.num_flops} flops · {what} iteration {progress.iteration:,}"
    if progress.latest is not None:
        status += f" · {progress.latest[1]:.4g} mbb"
    if progress.seconds_left is not None:
        status += f" · {format_seconds(progress.seconds_left)} left"
    return status
