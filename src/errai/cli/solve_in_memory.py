"""A solve in memory from the command line: shown while it goes on, saved, drawn, printed."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.interrupt import interruptible
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.cli.render.convergence_plot import plot_convergence
from errai.cli.render.picture import verify_can_draw
from errai.cli.render.progress import solve_progress
from errai.cli.render.quantities import format_bytes
from errai.cli.render.solution_table import print_comparison, print_cost, print_curve, print_solution
from errai.cli.render.state_table import print_state
from errai.cli.render.strategy_table import MOST_INFOSETS, print_strategy
from errai.cli.solve_arguments import SolveArguments
from errai.games.strategies import StrategyKind
from errai.solutions.cost import estimate_cost
from errai.solutions.engine import Plan
from errai.solutions.request import pot_target_mbb
from errai.solutions.schedule import MOST_ITERATIONS
from errai.solutions.solution import Solution
from errai.solutions.solve import run_request
from errai.storage.solution_directory import verify_can_write


def solve_in_memory(arguments: SolveArguments) -> int:
    """Do what the arguments ask for; the exit code."""
    out = arguments.out or arguments.resume
    if out is not None:
        verify_can_write(out)
    if arguments.plot is not None:
        verify_can_draw(arguments.plot)
    if arguments.dry_run:
        _print_cost(arguments)
        return 0
    with interruptible() as is_interrupted:
        solutions = (
            [_resume(arguments, arguments.resume, is_interrupted)]
            if arguments.resume is not None
            else _solve_each(arguments, is_interrupted)
        )
        if out is not None:
            if not is_interrupted():
                solutions[0].exploitability(solutions[0].measured_strategy)  # so that it is saved with the solution
            solutions[0].save(out)
    if arguments.plot is not None:
        _draw(arguments.plot, solutions)
    _print(solutions, show=arguments.show, as_json=arguments.as_json)
    return _conclude(solutions[-1], out=out, is_interrupted=is_interrupted())


def _solve_each(arguments: SolveArguments, is_interrupted: Callable[[], bool]) -> list[Solution]:
    # All requests first: a mistake in the last one is reported before any of them has run.
    requests = [arguments.request(algorithm) for algorithm in arguments.algorithms or (None,)]
    console = stderr_console()
    solutions = []
    for request in requests:
        label = request.posed.name
        with solve_progress(console, label=label, strategy=arguments.measure) as show:
            solutions.append(
                run_request(
                    request,
                    on_plan=partial(_print_plan, console, label),
                    on_progress=show,
                    should_stop=is_interrupted,
                )
            )
        if is_interrupted():
            break
    return solutions


def _resume(arguments: SolveArguments, directory: Path, is_interrupted: Callable[[], bool]) -> Solution:
    console = stderr_console()
    solution = Solution.open(directory, num_threads=arguments.num_threads)
    label = f"{solution.name} by {solution.method.algorithm}"
    console.print(f"resuming {label} at iteration {solution.iteration:,}", soft_wrap=True)
    target_mbb = arguments.target_mbb
    if arguments.target_pot is not None:
        target_mbb = pot_target_mbb(solution.start, arguments.target_pot)
    with solve_progress(console, label=label, strategy=solution.goal.strategy) as show:
        solution.resume(
            iterations=arguments.iterations,
            target_mbb=target_mbb,
            on_progress=show,
            should_stop=is_interrupted,
        )
    return solution


def _print_cost(arguments: SolveArguments) -> None:
    """Print what a solve would take."""
    cost = estimate_cost(arguments.request(arguments.algorithms[0] if arguments.algorithms else None))
    if arguments.as_json:
        print_json({**cost.to_json(), "game": arguments.game})
    else:
        print_cost(stdout_console(), cost)


def _print_plan(console: Console, label: str, plan: Plan[Any]) -> None:
    memory = format_bytes(plan.memory_bytes)
    size = f"{plan.num_infosets:,} infosets on the `{plan.engine}` engine will take {memory}"
    console.print(f"{label} by {plan.request.method.algorithm}: {size}", soft_wrap=True)


def _draw(path: Path, solutions: list[Solution]) -> None:
    strategy = solutions[0].goal.strategy
    curves = {
        solution.method.algorithm: [(point.iteration, point.of(strategy)) for point in solution.trace]
        for solution in solutions
        if solution.trace
    }
    if not curves:
        stderr_console().print(f"`{path}` is not drawn: the {strategy} strategy was not measured yet", soft_wrap=True)
        return
    plot_convergence(path, curves, title=f"{solutions[0].name}, {strategy} strategy")
    stderr_console().print(f"drawn in `{path}`", soft_wrap=True)


def _print(solutions: list[Solution], *, show: bool, as_json: bool) -> None:
    reports = [solution.describe() for solution in solutions]
    if as_json:
        several = {"game": solutions[0].name, "runs": [report.to_json() for report in reports]}
        print_json(reports[0].to_json() if len(reports) == 1 else several)
        return
    console = stdout_console()
    if len(solutions) > 1:
        print_comparison(console, reports)
    for solution, report in zip(solutions, reports, strict=True):
        if len(solutions) == 1:
            print_solution(console, report)
        if show:
            print_curve(console, report)
            _print_strategy(console, solution, report.strategy)


def _print_strategy(console: Console, solution: Solution, strategy: StrategyKind) -> None:
    """The first state of a spot or of hold'em; else the strategy, of a large game its first round."""
    definition = solution.definition
    if solution.start is not None or (definition is not None and definition.num_hole_cards == 2):
        console.print()
        print_state(
            console, solution.query(strategy=strategy, with_values=solution.start is not None), shown_range=None
        )
        return
    console.print(f"the {strategy} strategy:")
    last_round = 0 if solution.plan.num_infosets > MOST_INFOSETS else None
    print_strategy(console, solution.infosets(strategy=strategy, last_round=last_round), solution.definition)


def _conclude(solution: Solution, *, out: Path | None, is_interrupted: bool) -> int:
    """Print what is left to say; the exit code."""
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
        elif solution.is_out_of_reach:
            console.print(f"it falls too slowly: the target would take more than {MOST_ITERATIONS:,} iterations")
            faster = "leave `--sampling` out: whole iterations converge faster"
            exact = "`--algorithm lp` solves a small game exactly"
            console.print(f"\nhint: {faster if solution.method.sampling else exact}", soft_wrap=True)
    return 0
