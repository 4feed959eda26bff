"""What is told of a solution: as one JSON object, or as lines and tables for a person."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.render.terminal_curve import draw_curve
from errai.evaluate.exploitability import Exploitability, essentially_solved_threshold
from errai.games.spot import Spot, position_names
from errai.solutions.cost import Cost
from errai.solutions.solution import Solution

_LONGEST_RANGE = 60  # characters


def solution_json(solution: Solution) -> dict[str, Any]:
    """The object that `--json` prints."""
    measured = solution.exploitability
    return {
        "game": solution.game.name,
        "algorithm": solution.method.algorithm,
        "engine": solution.plan.engine,
        "iterations": solution.iteration,
        "infosets": solution.plan.num_infosets,
        "memory_bytes": solution.plan.memory_bytes,
        "seconds": round(solution.seconds, 6),
        "measuring_seconds": round(solution.measuring_seconds, 6),
        "measure": solution.goal.measure,
        **_spot_json(solution),
        **exploitability_json(measured),
        "trace": [asdict(point) for point in solution.trace],
    }


def exploitability_json(measured: Exploitability) -> dict[str, Any]:
    """How far a strategy is from solved, as JSON."""
    return {
        "exploitability_mbb": measured.exploitability_mbb,
        "best_response_mbb": list(measured.best_response_mbb),
        "value_bounds_chips": list(measured.value_bounds_chips),
        "nash_epsilon_mbb": measured.nash_epsilon_mbb,
        "essentially_solved": _is_essentially_solved(measured),
        "unit_chips": measured.unit_chips,
    }


def print_solution(console: Console, solution: Solution) -> None:
    """What was reached, in lines."""
    measured = solution.exploitability
    iterations = f"{solution.iteration:,} iteration" + ("s" if solution.iteration != 1 else "")
    table = result_table()
    players = ("player 0", "player 1")
    if isinstance(solution.game, Spot):
        players = position_names(solution.game.definition)
        _add_spot_rows(table, solution.game)
    else:
        table.add_row("game", solution.game.name)
    table.add_row("method", f"{_describe_method(solution)}, {iterations} in {format_seconds(solution.seconds)}")
    table.add_row("size", f"{solution.plan.num_infosets:,} infosets, {format_bytes(solution.plan.memory_bytes)}")
    table.add_row("exploitability", f"{measured.exploitability_mbb:.6f} mbb ({solution.goal.measure} strategy)")
    if isinstance(solution.game, Spot):
        percent = 100 * measured.exploitability_chips / solution.game.pot_chips
        table.add_row("", f"{measured.exploitability_chips:.6f} chips, {percent:.4f} % of the pot")
        lost = (f"{mbb:.6f} mbb as {name}" for mbb, name in zip(measured.loss_mbb, players, strict=True))
        table.add_row("given away", ", ".join(lost))
    print_with_bounds(console, table, measured, players)


def result_table() -> Table:
    """A table of names and what they are."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    return table


def print_with_bounds(console: Console, table: Table, measured: Exploitability, players: tuple[str, str]) -> None:
    """Print `table` with what follows from the best responses below it."""
    low, high = measured.value_bounds_chips
    first, second = measured.best_response_mbb
    table.add_row("best responses", f"{first:.6f} mbb as {players[0]}, {second:.6f} mbb as {players[1]}")
    table.add_row("game value", f"between {low:.6f} and {high:.6f} chips for {players[0]}")
    table.add_row("essentially solved", "yes" if _is_essentially_solved(measured) else "no")
    console.print(table)
    console.print(f"[dim]mbb: thousandths of a small bet, here of {_chips(measured.unit_chips)}, a game[/dim]")


def print_curve(console: Console, solution: Solution) -> None:
    """The convergence curve, small."""
    lines = draw_curve([(point.iteration, point.of(solution.goal.measure)) for point in solution.trace])
    if lines:
        console.print(f"exploitability of the {solution.goal.measure} strategy (mbb)")
        for line in lines:
            console.print(line, markup=False, soft_wrap=True)


def print_comparison(console: Console, solutions: list[Solution]) -> None:
    """Several methods, one a row."""
    table = Table(box=None, pad_edge=False)
    table.add_column("method", style="bold")
    for heading in ("iterations", "exploitability (mbb)", "time"):
        table.add_column(heading, justify="right")
    for solution in solutions:
        table.add_row(
            _describe_method(solution),
            f"{solution.iteration:,}",
            f"{solution.exploitability.exploitability_mbb:.6f}",
            format_seconds(solution.seconds),
        )
    console.print(table)


def print_cost(console: Console, cost: Cost) -> None:
    """What a solve would take, in lines."""
    table = result_table()
    table.add_row("size", f"{cost.infosets:,} infosets on the `{cost.engine}` engine")
    table.add_row("memory", f"{format_bytes(cost.memory_bytes)}{_more_than_available(cost)}")
    threads = format_count(cost.num_threads, "thread")
    table.add_row("an iteration", f"about {format_seconds(cost.seconds_per_iteration)} on {threads}")
    table.add_row("in all", f"about {format_seconds(cost.seconds)} for {cost.iterations:,} iterations")
    console.print(table)


def _more_than_available(cost: Cost) -> str:
    if cost.available_bytes is None or cost.memory_bytes <= cost.available_bytes:
        return ""
    return f", more than the {format_bytes(cost.available_bytes)} that this machine can give"


def _add_spot_rows(table: Table, spot: Spot) -> None:
    first, second = position_names(spot.definition)
    table.add_row("game", spot.definition.name)
    table.add_row(
        "spot", f"{spot.board or 'no board'} after {spot.betting or 'no betting'}, pot {spot.pot_chips} chips"
    )
    table.add_row("ranges", f"{first} `{_shorten(spot.range_bb)}`, {second} `{_shorten(spot.range_dealer)}`")


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_RANGE else f"{text[: _LONGEST_RANGE - 3]}..."


def _spot_json(solution: Solution) -> dict[str, Any]:
    spot = solution.game
    if not isinstance(spot, Spot):
        return {}
    measured = solution.exploitability
    return {
        "board": spot.board,
        "betting": spot.betting,
        "range_bb": spot.range_bb,
        "range_dealer": spot.range_dealer,
        "pot_chips": spot.pot_chips,
        "precision": solution.method.precision,
        "exploitability_chips": measured.exploitability_chips,
        "exploitability_percent_of_pot": 100 * measured.exploitability_chips / spot.pot_chips,
        "given_away_mbb": list(measured.loss_mbb),
        "value_chips": measured.value_chips,
        "is_stalled": solution.is_stalled,
    }


def _describe_method(solution: Solution) -> str:
    method = solution.method
    settings = [f"{method.sampling} sampling"] if method.sampling else []
    settings += [f"{method.updates} updates"] if method.updates != "alternating" else []
    return ", ".join([method.algorithm, *settings])


def _chips(amount: float) -> str:
    return f"{amount:g} chip" + ("s" if amount != 1 else "")


def _is_essentially_solved(measured: Exploitability) -> bool:
    return measured.exploitability_mbb < essentially_solved_threshold()
