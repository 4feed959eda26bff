"""`errai lbr --table`: the paper's Table 2 again, beside the paper's own figures.

Lisy and Bowling 2017, Table 2: big blinds a hand that local best response wins against three strategies that do not
look at their cards, heads-up no-limit hold'em with stacks of 200 big blinds. Two readings of ours:

- A random action is drawn evenly from all legal ones, every raise size counted on its own; so is a random raise.
- In the column of call-or-raise the two `fc` figures stand the other way round than what we measure, to within their
  intervals. In the column of random actions, which is alike, they stand as we measure them. So we show both readings.
"""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.lbr_session import LbrRun
from errai.evaluate.statistics import Estimate

GAME = "holdem.nolimit.2p"
AGENTS = ("always-call", "call-or-raise", "random")
ROWS = (("fc", "1-4"), ("fc", "3-4"), ("fcpa", "1-4"), ("fcpa", "3-4"))
_MBB = 1000.0


@dataclass(frozen=True)
class PaperFigure:
    """Big blinds a hand, and half the width of the 95 % interval."""

    mean: float
    half_width: float
    swapped: tuple[float, float] | None = None  # the other reading, where there is one


PAPER = {
    ("always-call", "fc", "1-4"): PaperFigure(0, 0),
    ("always-call", "fc", "3-4"): PaperFigure(0, 0),
    ("always-call", "fcpa", "1-4"): PaperFigure(34.0, 0.5),
    ("always-call", "fcpa", "3-4"): PaperFigure(49.0, 0.4),
    ("call-or-raise", "fc", "1-4"): PaperFigure(7.1, 0.5, swapped=(16.2, 0.3)),
    ("call-or-raise", "fc", "3-4"): PaperFigure(16.2, 0.3, swapped=(7.1, 0.5)),
    ("call-or-raise", "fcpa", "1-4"): PaperFigure(23.1, 0.5),
    ("call-or-raise", "fcpa", "3-4"): PaperFigure(24.4, 0.6),
    ("random", "fc", "1-4"): PaperFigure(15.7, 0.4),
    ("random", "fc", "3-4"): PaperFigure(2.2, 0.7),
    ("random", "fcpa", "1-4"): PaperFigure(39.1, 0.6),
    ("random", "fcpa", "3-4"): PaperFigure(80.7, 0.7),
}


def agrees(estimate_mbb: Estimate, mean: float, half_width: float) -> bool:
    """Whether the two intervals, each of 95 %, touch; the paper's figures are rounded to one digit."""
    ours = estimate_mbb.scaled(1 / _MBB)
    return abs(ours.mean - mean) <= ours.half_width + half_width + 0.05


def table_json(runs: dict[tuple[str, str, str], LbrRun]) -> dict[str, Any]:
    """The object that `--json` prints."""
    cells = []
    for (agent, bets, rounds), run in runs.items():
        estimate, paper = _estimate(run), PAPER[agent, bets, rounds]
        cell: dict[str, Any] = {
            "agent": agent,
            "bets": bets,
            "rounds": rounds,
            "hands": run.observations.num_hands,
            "mean_mbb": estimate.mean,
            "ci95_mbb": estimate.half_width,
            "paper_mbb": paper.mean * _MBB,
            "paper_ci95_mbb": paper.half_width * _MBB,
            "agrees": agrees(estimate, paper.mean, paper.half_width),
        }
        if paper.swapped:
            cell["paper_swapped_mbb"] = paper.swapped[0] * _MBB
            cell["agrees_swapped"] = agrees(estimate, *paper.swapped)
        cells.append(cell)
    return {"game": GAME, "table": cells}


def print_table(console: Console, runs: dict[tuple[str, str, str], LbrRun]) -> None:
    """Table 2, ours beside the paper's."""
    table = Table(box=None, pad_edge=False, title="Big blinds a hand that LBR wins (95 %)", title_justify="left")
    for heading in ("bets", "rounds", *(heading for agent in AGENTS for heading in (agent, "paper"))):
        table.add_column(heading, justify="right" if heading not in ("bets", "rounds") else "left")
    notes = []
    for bets, rounds in ROWS:
        cells = [bets, rounds]
        for agent in AGENTS:
            estimate, paper = _estimate(runs[agent, bets, rounds]), PAPER[agent, bets, rounds]
            does_agree = agrees(estimate, paper.mean, paper.half_width)
            cells += [_format(estimate), f"{paper.mean:.1f} ± {paper.half_width:.1f}" + ("" if does_agree else " *")]
            if not does_agree:
                other = paper.swapped
                reading = ""
                if other:
                    verdict = "agrees" if agrees(estimate, *other) else "does not agree"
                    reading = f"; with the two `fc` figures of its column the other way round, {other[0]}, it {verdict}"
                notes.append(
                    f"* {agent}, {bets}, rounds {rounds}: {_format(estimate)}, the paper has {paper.mean}{reading}"
                )
        table.add_row(*cells)
    console.print(table)
    for note in notes:
        console.print(note, markup=False)


def _estimate(run: LbrRun) -> Estimate:
    return run.observations.estimate_mbb(run.settings.estimator)


def _format(estimate_mbb: Estimate) -> str:
    ours = estimate_mbb.scaled(1 / _MBB)
    return f"{ours.mean:.2f} ± {ours.half_width:.2f}"
