"""A solution as lines and tables for a person."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from errai.cli.render.quantities import format_bytes, format_count, format_seconds
from errai.cli.render.terminal_curve import draw_curve
from errai.evaluate.exploitability import Exploitability
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, position_names
from errai.reports.cost import Cost
from errai.reports.solution import SolutionReport

_LONGEST_RANGE = 60  # characters
_LONGEST_LOCK = 100
_MOST_LOCKS = 6


def print_solution(console: Console, report: SolutionReport) -> None:
    """What was reached, in lines."""
    measured, spot, players = report.exploitability, report.spot, report.positions
    table = result_table()
    if spot is not None:
        _add_spot_rows(table, spot)
    else:
        table.add_row("game", report.game)
    iterations = format_count(report.iterations, "iteration")
    table.add_row("method", f"{report.method}, {iterations} in {format_seconds(report.seconds)}")
    table.add_row("size", f"{report.infosets:,} infosets, {format_bytes(report.memory_bytes)}")
    table.add_row("exploitability", f"{measured.exploitability_mbb:.6f} mbb ({report.strategy} strategy)")
    if spot is not None:
        _add_measured_rows(table, report, spot)
    bet = "small bet" if spot is None or spot.definition.is_limit else "big blind"
    print_with_bounds(console, table, measured, players, is_whole_game=spot is None or spot.is_whole_game, bet_name=bet)


def print_saved(console: Console, report: SolutionReport) -> None:
    """Where a solution is saved, and what its goal is."""
    assert report.files is not None
    table = result_table()
    table.add_row("saved", f"{format_bytes(report.files.num_bytes)} in `{report.files.directory}`{_at(report)}")
    table.add_row("goal", _goal_text(report))
    console.print(table)


def result_table() -> Table:
    """A table of names and values."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    return table


def print_with_bounds(
    console: Console,
    table: Table,
    measured: Exploitability,
    players: tuple[str, str],
    *,
    is_whole_game: bool = False,
    bet_name: str = "small bet",
) -> None:
    """Print `table` with what follows from the best responses below it."""
    first, second = measured.best_response_mbb
    table.add_row("best responses", f"{first:.6f} mbb as {players[0]}, {second:.6f} mbb as {players[1]}")
    low, high = measured.value_bounds_chips
    if not measured.has_rake:
        table.add_row("game value", f"between {low:.6f} and {high:.6f} chips for {players[0]}")
    if is_whole_game and players[1] == "the dealer":
        low_mbb, high_mbb = (1000 * value / measured.unit_chips for value in (-high, -low))
        table.add_row("", f"{players[1]} wins {low_mbb:.3f} to {high_mbb:.3f} mbb per game")
    table.add_row("essentially solved", "yes" if measured.is_essentially_solved else "no")
    console.print(table)
    unit = f"{measured.unit_chips:g} chip" + ("s" if measured.unit_chips != 1 else "")
    console.print(f"[dim]mbb: thousandths of a {bet_name}, here of {unit}, per game[/dim]")


def print_curve(console: Console, report: SolutionReport) -> None:
    """The convergence curve, small."""
    lines = draw_curve([(point.iteration, point.of(report.strategy)) for point in report.trace])
    if lines:
        console.print(f"exploitability of the {report.strategy} strategy (mbb)")
        for line in lines:
            console.print(line, markup=False, soft_wrap=True)


def print_comparison(console: Console, reports: Sequence[SolutionReport]) -> None:
    """Several methods, one per row."""
    table = Table(box=None, pad_edge=False)
    table.add_column("method", style="bold")
    for heading in ("iterations", "exploitability (mbb)", "time"):
        table.add_column(heading, justify="right")
    for report in reports:
        table.add_row(
            report.method,
            f"{report.iterations:,}",
            f"{report.exploitability.exploitability_mbb:.6f}",
            format_seconds(report.seconds),
        )
    console.print(table)


def print_cost(console: Console, cost: Cost) -> None:
    """What a solve would take, in lines."""
    table = result_table()
    table.add_row("size", f"{cost.infosets:,} infosets on the `{cost.engine}` engine")
    table.add_row("memory", f"{format_bytes(cost.memory_bytes)}{_more_than_available(cost)}")
    if cost.seconds_per_iteration is None or cost.seconds is None:
        table.add_row("time", f"there is no estimate for `{cost.algorithm}`")
    else:
        threads = format_count(cost.num_threads, "thread")
        table.add_row("per iteration", f"about {format_seconds(cost.seconds_per_iteration)} on {threads}")
        table.add_row("in all", f"about {format_seconds(cost.seconds)} for {cost.iterations:,} iterations")
    console.print(table)


def _at(report: SolutionReport) -> str:
    return f", {report.files.saved_at}" if report.files is not None and report.files.saved_at else ""


def _goal_text(report: SolutionReport) -> str:
    ends = []
    if report.goal["iterations"] is not None:
        ends.append(f"iteration {report.goal['iterations']:,}")
    if report.goal["target_mbb"] is not None:
        ends.append(f"{report.goal['target_mbb']:g} mbb")
    return " or ".join(ends)


def _more_than_available(cost: Cost) -> str:
    if cost.available_bytes is None or cost.memory_bytes <= cost.available_bytes:
        return ""
    return f", more than the {format_bytes(cost.available_bytes)} that this machine can give"


def _add_spot_rows(table: Table, spot: Spot) -> None:
    first, second = position_names(spot.definition)
    table.add_row("game", spot.definition.name)
    before = f"after {spot.betting or 'no betting'}" if spot.stack is None else f"with {spot.stack} chips behind"
    if not spot.is_whole_game:
        table.add_row("spot", f"{spot.board or 'no board'} {before}, pot {spot.pot_chips} chips")
    elif not spot.definition.is_limit:
        table.add_row("stacks", stacks_text(spot.definition))
    if spot.bets:
        table.add_row("bets", "; ".join(spot.bets.splitlines()))
    if spot.rake:
        table.add_row("rake", spot.rake)
    add_lock_rows(table, spot)
    if not spot.is_whole_game:
        table.add_row("ranges", f"{first} `{_shorten(spot.range_bb)}`, {second} `{_shorten(spot.range_dealer)}`")


def add_lock_rows(table: Table, spot: Spot) -> None:
    """The locks of a spot, the first few of them."""
    locks = spot.locks.splitlines()
    for number, lock in enumerate(locks[:_MOST_LOCKS]):
        table.add_row("" if number else "locks", _shorten(lock, _LONGEST_LOCK))
    if len(locks) > _MOST_LOCKS:
        table.add_row("", f"and {len(locks) - _MOST_LOCKS} more")


def _add_measured_rows(table: Table, report: SolutionReport, spot: Spot) -> None:
    measured, players = report.exploitability, report.positions
    if not spot.is_whole_game:
        percent = 100 * measured.exploitability_chips / spot.pot_chips
        table.add_row("", f"{measured.exploitability_chips:.6f} chips, {percent:.4f} % of the pot")
    name, numbers = ("could gain", measured.distance_mbb) if spot.rake else ("loses at most", measured.loss_mbb)
    texts = (f"{mbb:.6f} mbb as {player}" for mbb, player in zip(numbers, players, strict=True))
    table.add_row(name, ", ".join(texts))
    if not spot.is_whole_game:
        equities = (f"{100 * share:.3f} % of {player}" for share, player in zip(spot.equity, players, strict=True))
        table.add_row("equity", ", ".join(equities))
        values = zip(report.expected_value_chips or (), players, strict=False)
        table.add_row("expected value", ", ".join(f"{chips:.3f} chips for {player}" for chips, player in values))
    shares = (f"{action} {100 * share:.2f} %" for action, share in report.root_frequencies.items())
    table.add_row("first action", "  ".join(shares))


def stacks_text(definition: GameDefinition) -> str:
    """`10,000 chips, 100 big blinds`."""
    chips = min(definition.stacks)
    big_blind = max(definition.blinds)
    return f"{chips:,} chips" + (f", {chips / big_blind:g} big blinds" if big_blind else "")


def _shorten(text: str, longest: int = _LONGEST_RANGE) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
