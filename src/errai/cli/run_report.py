"""What is told of a run of a whole game: as one JSON object, or in lines with the curve."""

from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.render.terminal_curve import draw_curve
from errai.evaluate.exploitability import essentially_solved_threshold
from errai.games.spot import position_names
from errai.runs.run import WholeRun
from errai.solvers.preflop_state import PASSES_PER_ITERATION


def run_json(run: WholeRun) -> dict[str, Any]:
    """The object that `--json` prints."""
    points = [_point(run, place) for place in range(len(run.ledger.measurements()))]
    infosets = run.settings.num_infosets
    return {
        "game": run.settings.name,
        "flops": run.num_flops,
        "algorithm": run.settings.algorithm,
        "scale": run.settings.scale,
        "iterations": run.iteration,
        "flops_done_of_open_pass": len(run.ledger.answered(run.ledger.passes_done + 1)),
        "infosets": infosets,
        "bytes": run.num_bytes,
        "bytes_per_infoset": run.num_bytes / infosets,
        "seconds": sum(run.ledger.pass_seconds()),
        "seconds_per_iteration": _seconds_per_iteration(run),
        "measuring_seconds": sum(m.seconds for m in run.ledger.measurements()),
        "goal": run.ledger.goal,
        **({"measured_iteration": points[-1]["iteration"]} if points else {}),
        **({name: points[-1][name] for name in _OF_THE_LAST} if points else {}),
        "trace": points,
    }


_OF_THE_LAST = ("exploitability_mbb", "best_response_mbb", "value_bounds_chips", "essentially_solved")


def print_run(console: Console, run: WholeRun) -> None:
    """How far a run is, in lines."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    infosets = run.settings.num_infosets
    flops = "all" if run.settings.flop_factors is None else "some"
    count = format_count(run.num_flops, "flop")
    table.add_row("game", f"{run.settings.name}, {count} ({flops}), {infosets:,} infosets")
    scale = f"fixed point at scale {run.settings.scale:g}" if run.settings.scale else "lossless"
    table.add_row("method", f"{run.settings.algorithm}, {scale}")
    open_flops = len(run.ledger.answered(run.ledger.passes_done + 1))
    open_pass = f", {open_flops} flops into the next pass" if open_flops else ""
    table.add_row("iterations", f"{run.iteration:,}{open_pass}, {_seconds_text(run)}")
    table.add_row("on disk", f"{format_bytes(run.num_bytes)}, {run.num_bytes / infosets:.3f} bytes an infoset")
    _add_measured(table, run)
    left = _seconds_left(run)
    if left:
        table.add_row("left", f"about {format_seconds(left)} to iteration {run.ledger.goal['iterations']:,}")
    console.print(table)
    curve = draw_curve([(point["iteration"], point["exploitability_mbb"]) for point in run_json(run)["trace"]])
    if curve:
        console.print("exploitability (mbb)")
        for line in curve:
            console.print(line, markup=False, soft_wrap=True)
    console.print(
        f"[dim]mbb: thousandths of a small bet, here of {run.settings.definition.unit_chips} chips, a game[/dim]"
    )


def _add_measured(table: Table, run: WholeRun) -> None:
    measurements = run.ledger.measurements()
    if not measurements:
        table.add_row("exploitability", "not measured yet")
        return
    last = _point(run, len(measurements) - 1)
    first, second = last["best_response_mbb"]
    low, high = last["value_bounds_chips"]
    names = position_names(run.settings.definition)
    table.add_row(
        "exploitability",
        f"{last['exploitability_mbb']:.6f} mbb ({last['strategy']} strategy, iteration {last['iteration']:,})",
    )
    table.add_row("best responses", f"{first:.6f} mbb as {names[0]}, {second:.6f} mbb as {names[1]}")
    table.add_row("game value", f"between {low:.6f} and {high:.6f} chips for {names[0]}")
    solved = "yes" if last["essentially_solved"] else "no"
    table.add_row("essentially solved", f"{solved} (threshold {essentially_solved_threshold():.3f} mbb)")


def _point(run: WholeRun, place: int) -> dict[str, Any]:
    measurement = run.ledger.measurements()[place]
    measured = run.exploitability(measurement)
    return {
        "iteration": measurement.pass_number // PASSES_PER_ITERATION,
        "strategy": measurement.strategy,
        "exploitability_mbb": measured.exploitability_mbb,
        "best_response_mbb": list(measured.best_response_mbb),
        "value_bounds_chips": list(measured.value_bounds_chips),
        "essentially_solved": measured.exploitability_mbb < essentially_solved_threshold(),
        "seconds": measurement.seconds,
    }


def _seconds_per_iteration(run: WholeRun) -> float | None:
    """Of the last iterations."""
    recent = run.ledger.pass_seconds()[-5 * PASSES_PER_ITERATION :]
    return PASSES_PER_ITERATION * sum(recent) / len(recent) if recent else None


def _seconds_text(run: WholeRun) -> str:
    rate = _seconds_per_iteration(run)
    total = format_seconds(sum(run.ledger.pass_seconds()))
    return f"in {total}" + ("" if rate is None else f", {format_seconds(rate)} an iteration")


def _seconds_left(run: WholeRun) -> float | None:
    rate = _seconds_per_iteration(run)
    if rate is None or run.ledger.goal.get("iterations") is None:
        return None
    iterations: int = run.ledger.goal["iterations"]
    return max(iterations - run.iteration, 0) * rate
