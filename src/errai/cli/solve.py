"""`errai solve GAME`: run a method, tell how far it came, save what it reached."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console

from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.interrupt import interruptible
from errai.cli.options import output_options, threads_option
from errai.cli.output import print_json, results, stderr_console
from errai.cli.render.convergence_plot import plot_convergence
from errai.cli.render.picture import verify_can_draw
from errai.cli.render.progress import solve_progress
from errai.cli.render.quantities import format_bytes
from errai.cli.render.strategy_table import print_strategy
from errai.cli.report import print_comparison, print_cost, print_curve, print_solution, solution_json
from errai.cli.state_report import print_state
from errai.cli.whole_solve import is_run, new_settings, plan_whole, solve_whole, tell_cost, verify_is_free, verify_same
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.runs.checkpoint import Checkpoint
from errai.runs.run import WholeRun
from errai.solutions.cost import estimate_cost
from errai.solutions.engines import Plan
from errai.solutions.method import ALGORITHMS, FAST_ALGORITHM, FAST_PRECISION, Goal, Method
from errai.solutions.solution import Solution, load_solution
from errai.solutions.solution import solve as solve_in_memory
from errai.storage.solution_directory import verify_can_write
from errai.workers.ray_cluster import connected

# The options that a saved solution already knows: `--resume` takes them from there.
_METHOD_OPTIONS = (
    "algorithms",
    "engine",
    "updates",
    "averaging_delay",
    "alpha",
    "beta",
    "gamma",
    "sampling",
    "seed",
    "precision",
    "board",
    "betting",
    "range_bb",
    "range_dealer",
    "measure",
    "measure_every",
)


def _split(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--algorithm cfr,cfr+ --algorithm dcfr` as three names."""
    return tuple(name.strip() for value in values for name in value.split(","))


@click.command()
@click.argument("game", required=False)
@click.option("--board", metavar="CARDS", help="Of a spot, as in `Ks8s3d7h`.")
@click.option("--betting", metavar="TEXT", help="That led to the spot, round by round, as in `rc/cc/`.")
@click.option("--range-bb", metavar="RANGE", help="Of the big blind, as in `22+,A2s+,KTo:0.5`. [default: random]")
@click.option("--range-dealer", metavar="RANGE", help="Of the dealer. [default: random]")
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    callback=_split,
    metavar="NAME[,NAME...]",
    help=f"One of {', '.join(ALGORITHMS)}; several are compared. [default: cfr+; cfr with sampling; "
    f"{FAST_ALGORITHM} for spots and for limit games of more than a million infosets]",
)
@click.option("--iterations", type=int, help="Stop after so many. [default: 1000, unless there is a target]")
@click.option("--target", "target_mbb", type=float, metavar="MBB", help="Stop at this exploitability.")
@click.option(
    "--measure",
    type=click.Choice(["average", "current"]),
    default="average",
    show_default=True,
    help="The strategy that the target and the result are about.",
)
@click.option("--every", "measure_every", type=int, metavar="N", help="Measure every N iterations.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "lanes", "flat"]),
    default="auto",
    show_default=True,
    help="`lanes` for limit poker, `flat` for everything.",
)
@click.option(
    "--updates",
    type=click.Choice(["alternating", "simultaneous"]),
    default="alternating",
    show_default=True,
    help="One player's regrets after the other's, or both at once.",
)
@click.option("--averaging-delay", type=int, default=0, help="Leave the first iterations out of the average.")
@click.option("--alpha", type=float, help="Exponent of the discount of positive regrets.")
@click.option("--beta", type=float, help="Exponent of the discount of negative regrets.")
@click.option("--gamma", type=float, help="Exponent of the weight of an iteration in the average.")
@click.option("--sampling", type=click.Choice(["external", "outcome", "public-chance"]), help="Sample, with `--seed`.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sampling.")
@click.option(
    "--precision",
    type=click.Choice(["float32", "float64", "uint16", "fixed", "lossless"]),
    help="Of the numbers of the `lanes` engine; from disk `fixed` or `lossless`. "
    f"[default: float64; {FAST_PRECISION} for spots, and for limit games of more than a million infosets "
    "unless an algorithm is named; fixed from disk]",
)
@click.option("--memory", metavar="BYTES", help="Solve a whole game from disk within this memory, as in `4G`.")
@click.option("--flops", metavar="FLOPS", help="Deal only these, as in `AsKsQs,7h7d2c:2`, or so many, spread out.")
@click.option("--scale", type=float, help="Of fixed point on disk: units for a chip against all hands.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Solve from disk on a cluster of Ray: `auto` or `HOST:PORT`; `--memory` and `--threads` are a node's.",
)
@click.option(
    "--checkpoint-to", type=click.Path(path_type=Path), metavar="DIR", help="Copy the run here every 10 iterations."
)
@threads_option
@click.option("--dry-run", is_flag=True, help="Tell the infosets, the memory and about the time, and stop.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Save the solution in this directory.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with a saved solution.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.png", help="Draw the convergence curves.")
@click.option("--show", is_flag=True, help="Print the convergence curve and the strategy, of a spot its root.")
@output_options
@click.pass_context
def solve(
    context: click.Context,
    /,
    *,
    game: str | None,
    algorithms: tuple[str, ...],
    iterations: int | None,
    target_mbb: float | None,
    out: Path | None,
    resume: Path | None,
    plot: Path | None,
    show: bool,
    dry_run: bool,
    as_json: bool,
    memory: str | None,
    flops: str | None,
    scale: float | None,
    cluster: str | None,
    checkpoint_to: Path | None,
    **settings: Any,
) -> int:
    """Solve GAME, and say how exploitable the solution is.

    GAME is a bundled game's name (see `errai games`) or a `.game` file. With a board, the betting so far or a range it
    is that spot of a limit game. With `--memory`, `--flops` or `--cluster` a whole limit game is solved from disk, in
    the directory `--out`. Ctrl-C stops early with what there is; with `--out` it is saved, and
    `errai solve --resume DIR` goes on.
    """
    from_disk = any(option is not None for option in (memory, flops, cluster, checkpoint_to))
    if from_disk or (resume is not None and is_run(resume)):
        return _solve_from_disk(context, **context.params)
    if scale is not None:
        raise click.UsageError("`--scale` is for whole games from disk: `--memory 4G`", context)
    _verify_usage(context, game=game, algorithms=algorithms, out=out, resume=resume)
    out = out or resume
    if out is not None:
        verify_can_write(out)
    if plot is not None:
        verify_can_draw(plot)
    goal = {"iterations": iterations, "target_mbb": target_mbb}
    if dry_run:
        _tell_cost(str(game), algorithms[0] if algorithms else None, as_json=as_json, **goal, **settings)
        return 0
    with interruptible() as is_interrupted:
        solutions = (
            [_resume(resume, is_interrupted, num_threads=settings["num_threads"], **goal)]
            if resume is not None
            else _solve_each(str(game), algorithms, is_interrupted, **goal, **settings)
        )
        if out is not None:
            solutions[0].save(out)
    if plot is not None:
        _draw(plot, solutions)
    _print(solutions, show=show, as_json=as_json)
    return _conclude(solutions[-1], out=out, is_interrupted=is_interrupted())


# Options that decide the numbers of a whole game from disk, and those that it does not have.
_RUN_OPTIONS = ("algorithms", "alpha", "gamma", "averaging_delay", "precision", "measure", "flops", "scale")
_NOT_FROM_DISK = {*_METHOD_OPTIONS, "plot", "show"} - {*_RUN_OPTIONS, "measure_every"}


def _solve_from_disk(context: click.Context, /, **options: Any) -> int:
    """Begin a run or go on with one; everything that can be wrong is told before anything is written."""
    given = {
        option.name: options[option.name]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    }
    _verify_disk_usage(context, given)
    asked_goal: dict[str, Any] = {
        name: given[name] for name in ("iterations", "target_mbb", "measure_every") if name in given
    }
    Goal(**asked_goal)  # refuses what none can be
    crew_options = {name: options[name] for name in ("memory", "num_threads", "cluster")}
    run_options = {name: given[name] for name in _RUN_OPTIONS if name in given}
    cluster = options["cluster"]
    checkpoint = None if options["checkpoint_to"] is None else Checkpoint(options["checkpoint_to"])
    with nullcontext() if cluster is None else connected(cluster), interruptible() as is_interrupted:
        if options["resume"] is not None:
            run = WholeRun.open(options["resume"])
            verify_same(run, run_options)
            if checkpoint is not None:
                checkpoint.verify_usable(run.directory, run.ledger)
        else:
            settings = new_settings(options["game"], run_options)
            crew = plan_whole(settings, **crew_options)
            if options["dry_run"]:
                tell_cost(settings, crew, as_json=options["as_json"])
                return 0
            verify_is_free(options["out"])
            if checkpoint is not None:
                checkpoint.verify_usable(options["out"], None)
            run = WholeRun.create(options["out"], settings)
        return solve_whole(
            run,
            asked_goal=asked_goal,
            **crew_options,
            checkpoint=checkpoint,
            is_interrupted=is_interrupted,
            as_json=options["as_json"],
        )


def _verify_disk_usage(context: click.Context, given: dict[str, Any]) -> None:
    """Refuse what the options of a whole game from disk cannot mean together."""
    if ("game" in given) == ("resume" in given):
        raise click.UsageError("give either GAME or `--resume DIR`", context)
    for option in context.command.params:
        if option.name in _NOT_FROM_DISK and option.name in given:
            raise click.UsageError(f"`{option.opts[0]}` is not for whole games from disk", context)
    if len(given.get("algorithms", ())) > 1:
        raise click.UsageError("a run from disk is by one algorithm", context)
    if "resume" in given and "dry_run" in given:
        raise click.UsageError("`--dry-run` is about one new solve", context)
    if "game" in given and not {"out", "dry_run"} & given.keys():
        raise click.UsageError("a whole game from disk needs a directory: `--out DIR`", context)


def _verify_usage(
    context: click.Context, *, game: str | None, algorithms: tuple[str, ...], out: Path | None, resume: Path | None
) -> None:
    """Refuse what the options cannot mean together."""
    if (game is None) == (resume is None):
        raise click.UsageError("give either GAME or `--resume DIR`", context)
    if context.params["dry_run"] and (resume is not None or len(algorithms) > 1):
        raise click.UsageError("`--dry-run` is about one new solve", context)
    if out is not None and len(algorithms) > 1:
        raise click.UsageError(f"`--out` saves one solution; got {len(algorithms)} algorithms", context)
    if resume is not None:
        for option in context.command.params:
            name = option.name or ""
            if name in _METHOD_OPTIONS and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError(f"`{option.opts[0]}` cannot change when a solution is resumed", context)


def _solve_each(
    game: str, algorithms: tuple[str, ...], is_interrupted: Callable[[], bool], **settings: Any
) -> list[Solution]:
    definition = load_game(game)
    for named in algorithms:
        Method(algorithm=named)  # refuses an unknown name before any of them has run
    console = stderr_console()
    solutions = []
    label = _label(definition.name, settings)
    for algorithm in algorithms or (None,):
        with solve_progress(console, label=label, measure=settings["measure"]) as show:
            solutions.append(
                solve_in_memory(
                    definition,
                    algorithm=algorithm,
                    on_plan=partial(_tell_plan, console, label),
                    on_progress=show,
                    should_stop=is_interrupted,
                    **settings,
                )
            )
        if is_interrupted():
            break
    return solutions


def _resume(directory: Path, is_interrupted: Callable[[], bool], *, num_threads: int | None, **goal: Any) -> Solution:
    console = stderr_console()
    solution = load_solution(directory, num_threads=num_threads)
    label = f"{solution.game.name} by {solution.method.algorithm}"
    console.print(f"resuming {label} at iteration {solution.iteration:,}", soft_wrap=True)
    with solve_progress(console, label=label, measure=solution.goal.measure) as show:
        solution.resume(on_progress=show, should_stop=is_interrupted, **goal)
    return solution


def _label(name: str, settings: dict[str, Any]) -> str:
    return " ".join(part for part in (name, settings["board"], settings["betting"]) if part)


def _tell_cost(game: str, algorithm: str | None, *, as_json: bool, **settings: Any) -> None:
    """Say what a solve would take."""
    unbegun = solve_in_memory(load_game(game), algorithm=algorithm, should_stop=lambda: True, **settings)
    cost = estimate_cost(unbegun)
    if as_json:
        print_json({"game": game, "algorithm": unbegun.method.algorithm, **asdict(cost)})
    else:
        print_cost(results(), cost)


def _tell_plan(console: Console, label: str, plan: Plan) -> None:
    memory = format_bytes(plan.memory_bytes)
    size = f"{plan.num_infosets:,} infosets on the `{plan.engine}` engine will take {memory}"
    text = f"{label} by {plan.method.algorithm}: {size}"
    console.print(text, soft_wrap=True)


def _draw(path: Path, solutions: list[Solution]) -> None:
    plot_convergence(
        path,
        {
            solution.method.algorithm: [(point.iteration, point.of(solution.goal.measure)) for point in solution.trace]
            for solution in solutions
        },
        title=f"{solutions[0].game.name}, {solutions[0].goal.measure} strategy",
    )
    stderr_console().print(f"drawn in `{path}`", soft_wrap=True)


def _print(solutions: list[Solution], *, show: bool, as_json: bool) -> None:
    if as_json and len(solutions) == 1:
        print_json(solution_json(solutions[0]))
        return
    if as_json:
        print_json({"game": solutions[0].game.name, "runs": [solution_json(solution) for solution in solutions]})
        return
    console = results()
    if len(solutions) > 1:
        print_comparison(console, solutions)
    for solution in solutions:
        if len(solutions) == 1:
            print_solution(console, solution)
        if show:
            print_curve(console, solution)
            if isinstance(solution.game, Spot):
                console.print()
                print_state(console, solution.query(), shown_range=None)
            else:
                print_strategy(console, solution)


def _conclude(solution: Solution, *, out: Path | None, is_interrupted: bool) -> int:
    """Say what is left to say; the exit code."""
    console = stderr_console()
    if out is not None:
        console.print(f"saved in `{out}`", soft_wrap=True)
    if is_interrupted:
        console.print(f"interrupted at iteration {solution.iteration:,}")
        hint = f"`errai solve --resume {out}` goes on from here" if out else "`--out DIR` would have saved it"
        console.print(f"\nhint: {hint}", soft_wrap=True)
        return EXIT_INTERRUPTED
    if solution.goal.target_mbb is not None and not solution.is_target_met:
        console.print(f"the target of {solution.goal.target_mbb:g} mbb was not reached")
        if solution.is_stalled:
            console.print(f"the exploitability no longer falls: this is the floor of `{solution.method.precision}`")
            if solution.method.precision != "float64":
                console.print("\nhint: a finer `--precision` has a lower floor", soft_wrap=True)
    return 0
