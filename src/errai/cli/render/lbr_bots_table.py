"""`errai lbr AGENT... --table 3`: the rows of the paper's Table 3 for one's own bots, beside the paper's figures.

Lisý and Bowling 2017, Table 3: thousandths of a big blind per hand that local best response wins against bots of the
Annual Computer Poker Competition, and against a bot that sees all cards and bets `fcpa`. Other bots have other figures;
what should be alike is the shape: most is won on the last two rounds, and with bets, not by folding.

The last line is what LBR gains by bets that the bot's betting tree does not have: 56 bets less on-tree, both on rounds
3-4. Both cells play the same deals, but their errors are taken to be independent, so the interval is wide.
"""

from collections.abc import Sequence
from math import hypot
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.evaluate.statistics import Estimate
from errai.reports.local_best_response import LbrReport

ROWS = (("fc", "1-4"), ("fc", "3-4"), ("fcpa", "3-4"), ("on-tree", "3-4"), ("56bets", "1-4"), ("56bets", "3-4"))
_ON_TREE, _56_BETS = ROWS[3], ROWS[5]

Cell = tuple[str, str, str]  # agent, bets, rounds

# mbb per hand in the order of the rows; the paper has no on-tree figure where it does not know the betting tree.
PAPER: dict[str, tuple[int | None, ...]] = {
    "Hyperborean 2013": (1048, 1006, 4040, 4743, 619, 5062),
    "Hyperborean 2014": (721, 608, 3852, 4789, 574, 4675),
    "Slumbot 2016": (522, 496, 4020, None, 763, 3763),
    "Act1 2016": (407, 390, 2597, None, 2429, 3302),
    "full cards": (-424, -819, -536, -536, 1607, 2403),
}


def table_json(agents: Sequence[str], runs: dict[Cell, LbrReport]) -> dict[str, Any]:
    """The object that `--json` prints."""
    gains = {agent: gain_off_tree(agent, runs) for agent in agents}
    return {
        "table": [
            {
                "agent": agent,
                "bets": bets,
                "rounds": rounds,
                "hands": run.hands,
                "mean_mbb": run.wins_mbb.mean,
                "ci95_mbb": run.wins_mbb.half_width,
                "by_last_round": [last_round.to_json() for last_round in run.by_last_round],
            }
            for (agent, bets, rounds), run in runs.items()
        ],
        "gain_off_tree": [
            {"agent": agent, "mean_mbb": gain.mean, "ci95_mbb": gain.half_width} for agent, gain in gains.items()
        ],
        "paper_mbb": {name: list(figures) for name, figures in PAPER.items()},
    }


def gain_off_tree(agent: str, runs: dict[Cell, LbrReport]) -> Estimate:
    """56 bets less on-tree, on rounds 3-4."""
    on_tree, bets = (runs[agent, *row].wins_mbb for row in (_ON_TREE, _56_BETS))
    return Estimate(bets.mean - on_tree.mean, hypot(bets.standard_error, on_tree.standard_error), bets.count)


def print_table(console: Console, agents: Sequence[str], runs: dict[Cell, LbrReport]) -> None:
    """The agents' columns, then those of the paper."""
    table = Table(box=None, pad_edge=False, title="mbb per hand that LBR wins (95 %)", title_justify="left")
    table.add_column("bets")
    table.add_column("rounds")
    for name in (*agents, *PAPER):
        table.add_column(name, justify="right")
    for index, (bets, rounds) in enumerate(ROWS):
        ours = [_format(runs[agent, bets, rounds].wins_mbb) for agent in agents]
        papers = [_format_figure(figures[index]) for figures in PAPER.values()]
        table.add_row(bets, rounds, *ours, *papers)
    gains = [_format(gain_off_tree(agent, runs)) for agent in agents]
    table.add_row("gain off tree", "3-4", *gains, *(_format_gain(figures) for figures in PAPER.values()))
    console.print(table)


def _format(estimate_mbb: Estimate) -> str:
    return f"{estimate_mbb.mean:,.0f} ± {estimate_mbb.half_width:,.0f}"


def _format_gain(figures: tuple[int | None, ...]) -> str:
    on_tree, bets = figures[ROWS.index(_ON_TREE)], figures[ROWS.index(_56_BETS)]
    return "" if on_tree is None or bets is None else _format_figure(bets - on_tree)


def _format_figure(mbb: int | None) -> str:
    return "" if mbb is None else f"{mbb:,}"
