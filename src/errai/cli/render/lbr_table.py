"""`errai lbr --table`: the paper's Table 2 again, beside the paper's own figures.

Lisý and Bowling 2017, Table 2: big blinds per hand that local best response wins against three strategies that do not
look at their cards, heads-up no-limit hold'em with stacks of 200 big blinds. The paper leaves open what is drawn from
when a strategy raises at random, and we show two readings of its second strategy:

- `call-or-raise` draws from the legal totals. Against it, `fcpa` in rounds 3-4 wins less than in the paper.
- `call-or-clipped-raise` draws from all totals up to the stack, a total that is too small becoming the smallest raise.
  Of about a dozen readings this one was kept because its `fcpa` figures fit: a hypothesis.

In both, the two `fc` figures of the paper's column stand the other way round than what we measure; so they are also
compared that way.
"""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.evaluate.statistics import Estimate
from errai.reports.local_best_response import LbrReport

GAME = "holdem.nolimit.2p"
AGENTS = ("always-call", "call-or-raise", "call-or-clipped-raise", "random")
ROWS = (("fc", "1-4"), ("fc", "3-4"), ("fcpa", "1-4"), ("fcpa", "3-4"))
_MBB = 1000.0

Cell = tuple[str, str, str]  # agent, bets, rounds


@dataclass(frozen=True)
class PaperFigure:
    """Big blinds per hand, and half the width of the 95 % interval; printed with one digit."""

    mean: float
    half_width: float

    def agrees_with(self, ours_mbb: Estimate) -> bool:
        """Whether the two intervals touch."""
        ours = ours_mbb.scaled(1 / _MBB)
        return abs(ours.mean - self.mean) <= ours.half_width + self.half_width + 0.05

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {self.half_width:.1f}"


_CALL_OR_RAISE = (PaperFigure(7.1, 0.5), PaperFigure(16.2, 0.3), PaperFigure(23.1, 0.5), PaperFigure(24.4, 0.6))

# By agent, in the order of the rows.
PAPER = {
    "always-call": (PaperFigure(0, 0), PaperFigure(0, 0), PaperFigure(34.0, 0.5), PaperFigure(49.0, 0.4)),
    "call-or-raise": _CALL_OR_RAISE,
    "call-or-clipped-raise": _CALL_OR_RAISE,
    "random": (PaperFigure(15.7, 0.4), PaperFigure(2.2, 0.7), PaperFigure(39.1, 0.6), PaperFigure(80.7, 0.7)),
}


def printed_figure(cell: Cell) -> PaperFigure:
    """The paper's figure, as it is printed."""
    agent, *row = cell
    return PAPER[agent][ROWS.index((row[0], row[1]))]


def swapped_figure(cell: Cell) -> PaperFigure | None:
    """The paper's figure with the two that we take to be interchanged put back; None for the others."""
    agent, bets, rounds = cell
    if PAPER[agent] is not _CALL_OR_RAISE or bets != "fc":
        return None
    return printed_figure((agent, bets, "3-4" if rounds == "1-4" else "1-4"))


def table_json(runs: dict[Cell, LbrReport]) -> dict[str, Any]:
    """The object that `--json` prints."""
    return {"game": GAME, "table": [_cell_json(cell, run) for cell, run in runs.items()]}


def print_table(console: Console, runs: dict[Cell, LbrReport]) -> None:
    """Table 2, ours beside the paper's."""
    table = Table(box=None, pad_edge=False, title="Big blinds per hand that LBR wins (95 %)", title_justify="left")
    table.add_column("bets")
    table.add_column("rounds")
    for agent in AGENTS:
        table.add_column(agent, justify="right")
        table.add_column("paper", justify="right")
    for bets, rounds in ROWS:
        texts = [bets, rounds]
        for agent in AGENTS:
            cell = (agent, bets, rounds)
            estimate, paper = runs[cell].wins_mbb, printed_figure(cell)
            mark = "" if paper.agrees_with(estimate) else " *" if _agrees_swapped(cell, estimate) else " !"
            texts += [_format(estimate), f"{paper}{mark}"]
        table.add_row(*texts)
    console.print(table)
    console.print("*  agrees with the other `fc` figure of its column: the paper's two seem to be interchanged")
    console.print("!  does not agree; the two call-or-raise columns are two readings of the paper's one strategy")


def _cell_json(cell: Cell, run: LbrReport) -> dict[str, Any]:
    agent, bets, rounds = cell
    estimate, paper = run.wins_mbb, printed_figure(cell)
    return {
        "agent": agent,
        "bets": bets,
        "rounds": rounds,
        "hands": run.hands,
        "mean_mbb": estimate.mean,
        "ci95_mbb": estimate.half_width,
        "by_last_round": [last_round.to_json() for last_round in run.by_last_round],
        "paper_mbb": paper.mean * _MBB,
        "paper_ci95_mbb": paper.half_width * _MBB,
        "agrees": paper.agrees_with(estimate),
        "agrees_if_swapped": _agrees_swapped(cell, estimate),
    }


def _agrees_swapped(cell: Cell, estimate: Estimate) -> bool:
    swapped = swapped_figure(cell)
    return swapped is not None and swapped.agrees_with(estimate)


def _format(estimate_mbb: Estimate) -> str:
    ours = estimate_mbb.scaled(1 / _MBB)
    return f"{ours.mean:.2f} ± {ours.half_width:.2f}"
