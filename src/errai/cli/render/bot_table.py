"""A bot in lines: what it is made of, how far it is solved, and the plan before it is built."""

from rich.console import Console

from errai.cli.render.quantities import format_bytes, format_seconds
from errai.cli.render.solution_table import result_table
from errai.reports.bot import BotPlan, BotPoint, BotReport


def print_bot(console: Console, report: BotReport) -> None:
    """How far a bot is."""
    table = result_table()
    table.add_row("game", report.game + (f", bets `{report.bets}`" if report.bets else ""))
    recall = "perfect" if report.perfect_recall else "imperfect"
    buckets = " / ".join(f"{count:,}" for count in report.buckets)
    table.add_row("table", f"{report.table}: {buckets} buckets, {recall} recall")
    table.add_row("abstract game", f"{report.infosets:,} infosets, {report.infoset_actions:,} infoset-actions")
    boards = "" if report.boards is None else f", {report.boards:,} boards"
    table.add_row("solved", f"{report.method}, {report.algorithm}, seed {report.seed}")
    table.add_row("iterations", f"{report.iterations:,}{boards}, in {format_seconds(report.seconds)}")
    if report.trace:
        table.add_row("in the abstract game", format_point(report.trace[-1]))
    if report.exploitability is not None:
        table.add_row("in the real game", f"{report.exploitability.exploitability_mbb:.6f} mbb exploitable")
    if report.directory is not None:
        table.add_row("saved in", f"`{report.directory}`")
    console.print(table)


def format_point(point: BotPoint) -> str:
    """A measurement."""
    if point.in_abstraction_mbb is not None:
        return f"{point.in_abstraction_mbb:.4g} mbb exploitable"
    if point.change is not None:
        return f"probabilities changed by {point.change:.4f} on average since half as many iterations"
    return "not measured yet"


def print_plan(console: Console, plan: BotPlan) -> None:
    """What building a bot takes."""
    table = result_table()
    table.add_row("game", plan.game + (f", bets `{plan.bets}`" if plan.bets else ""))
    table.add_row("table", plan.table)
    table.add_row("abstract game", f"{plan.infosets:,} infosets, {plan.infoset_actions:,} infoset-actions")
    table.add_row("memory", format_bytes(plan.memory_bytes))
    table.add_row("table takes", f"about {format_seconds(plan.table_seconds)}" if plan.table_seconds else "it is built")
    table.add_row("solving takes", f"about {format_seconds(plan.solve_seconds)} for {plan.iterations:,} iterations")
    console.print(table)
