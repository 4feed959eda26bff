"""A strategy that was judged over a whole game, as JSON and in lines."""

from typing import Any

from rich.console import Console

from errai.cli.exploit_session import JudgedRun
from errai.cli.render.quantities import format_bytes, format_seconds
from errai.cli.render.solution_table import print_with_bounds, result_table
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_totals import JudgingCost
from errai.games.spot import position_names


def judged_json(run: JudgedRun, measured: Exploitability) -> dict[str, Any]:
    """The object that `--json` prints."""
    return {
        "game": run.work.definition.name,
        "strategy": run.work.strategy,
        "card_blind": run.work.agent.is_card_blind,
        "flops": run.sums.num_done,
        "seconds": round(run.seconds, 6),
        **measured.to_json(),
        "value_chips": measured.value_chips,
        **({} if run.sampled is None else {"sample": run.sampled.to_json()}),
    }


def print_judged(console: Console, run: JudgedRun, measured: Exploitability) -> None:
    """The result, in lines."""
    players = position_names(run.work.definition)
    kind = "looks at no cards" if run.work.agent.is_card_blind else "looks at its cards"
    table = result_table()
    table.add_row("game", run.work.definition.name)
    table.add_row("strategy", f"{run.work.strategy}, {kind}")
    table.add_row("judged", f"{run.sums.num_done:,} flops in {format_seconds(run.seconds)}")
    if run.sampled is None:
        table.add_row("exploitability", f"{measured.exploitability_mbb:.6f} mbb")
    else:
        low, high = run.sampled.interval_mbb
        table.add_row("plug-in", f"{run.sampled.plug_in_mbb:.1f} mbb, 95 % between {low:.1f} and {high:.1f}")
        table.add_row("cross-fitted", f"{run.sampled.cross_fitted_mbb:.1f} mbb")
        console.print(table)
        return
    if measured.value_chips is not None:
        table.add_row("against itself", f"{measured.value_chips:.6f} chips for {players[0]}")
    print_with_bounds(console, table, measured, players)


def print_judging_cost(console: Console, cost: JudgingCost) -> None:
    """What judging would take, in lines."""
    table = result_table()
    table.add_row("flops", f"{cost.flops:,}")
    table.add_row("public states", f"at most {cost.public_states:,}")
    table.add_row("memory", format_bytes(cost.memory_bytes))
    table.add_row("time", f"about {format_seconds(cost.seconds)} on {cost.num_threads} cores")
    console.print(table)
