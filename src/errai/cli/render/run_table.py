"""A run of a whole game in lines, with the curve."""

from rich.console import Console
from rich.table import Table

from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.render.solution_table import result_table, stacks_text
from errai.cli.render.terminal_curve import draw_curve
from errai.evaluate.exploitability import essentially_solved_threshold
from errai.games.spot import position_names
from errai.reports.run import RunReport


def print_run(console: Console, report: RunReport) -> None:
    """How far a run is."""
    table = result_table()
    flops = "all" if report.has_all_flops else "some"
    count = format_count(report.num_flops, "flop")
    definition = report.definition
    table.add_row("game", f"{definition.name}, {count} ({flops}), {report.infosets:,} infosets")
    if not definition.is_limit:
        table.add_row("stacks", stacks_text(definition))
        table.add_row("bets", "; ".join(report.bets.splitlines()))
    table.add_row("method", _method_text(report))
    open_flops = report.flops_done_of_open_pass
    open_pass = f", {open_flops} flops into the next pass" if open_flops else ""
    table.add_row("iterations", f"{report.iterations:,}{open_pass}, {_seconds_text(report)}")
    average = f", {report.average_bytes / report.infosets:.3f} of them the average" if report.average_bytes else ""
    on_disk = f"{format_bytes(report.num_bytes)}, {report.bytes_per_infoset:.3f} bytes per infoset{average}"
    table.add_row("on disk", on_disk)
    _add_measured(table, report)
    if report.seconds_left:
        left = format_seconds(report.seconds_left)
        table.add_row("left", f"about {left} to iteration {report.goal['iterations']:,}")
    console.print(table)
    # Both strategies may have been measured; the curve is that of the one that was measured last.
    points = [point for point in report.trace if point.strategy == report.trace[-1].strategy]
    curve = draw_curve([(point.iteration, point.exploitability.exploitability_mbb) for point in points])
    if curve:
        console.print("exploitability (mbb)")
        for line in curve:
            console.print(line, markup=False, soft_wrap=True)
    bet = "small bet" if definition.is_limit else "big blind"
    console.print(f"[dim]mbb: thousandths of a {bet}, here of {definition.unit_chips} chips, per game[/dim]")


def _method_text(report: RunReport) -> str:
    parts = [report.algorithm, f"fixed point at scale {report.scale:g}" if report.scale else "lossless"]
    if report.coding == "fast":
        parts.append("coded fast")
    if report.draw_until:
        parts.append(f"one last board in {report.draw_boards} until iteration {report.draw_until:,}")
    if report.averaging_delay:
        parts.append(f"averaged after iteration {report.averaging_delay:,}")
    return ", ".join(parts)


def _add_measured(table: Table, report: RunReport) -> None:
    if not report.trace:
        table.add_row("exploitability", "not measured yet")
        return
    last = report.trace[-1]
    measured = last.exploitability
    first, second = measured.best_response_mbb
    low, high = measured.value_bounds_chips
    names = position_names(report.definition)
    table.add_row(
        "exploitability",
        f"{measured.exploitability_mbb:.6f} mbb ({last.strategy} strategy, iteration {last.iteration:,})",
    )
    table.add_row("best responses", f"{first:.6f} mbb as {names[0]}, {second:.6f} mbb as {names[1]}")
    table.add_row("game value", f"between {low:.6f} and {high:.6f} chips for {names[0]}")
    solved = "yes" if measured.is_essentially_solved else "no"
    table.add_row("essentially solved", f"{solved} (threshold {essentially_solved_threshold():.3f} mbb)")


def _seconds_text(report: RunReport) -> str:
    rate = report.seconds_per_iteration
    return f"in {format_seconds(report.seconds)}" + ("" if rate is None else f", {format_seconds(rate)} per iteration")
