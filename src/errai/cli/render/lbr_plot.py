"""Runs of local best response as a picture: means with their intervals, and in which round they are won."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from errai.cli.render.picture import new_figure, save_figure
from errai.reports.local_best_response import LbrReport


def plot_local_best_response(path: Path, runs: Sequence[LbrReport]) -> None:
    """Draw one bar per run: above, the mean with its interval; below, its parts by the round of the last action."""
    figure = new_figure(max(6.0, 1.1 * len(runs)), 8)
    above, below = figure.subplots(2, 1, sharex=True)
    places = range(len(runs))
    estimates = [run.wins_mbb for run in runs]
    above.errorbar(
        places,
        [estimate.mean for estimate in estimates],
        yerr=[estimate.half_width for estimate in estimates],
        fmt="o",
        capsize=4,
    )
    above.set_ylabel("LBR wins (mbb/h, 95 %)")
    draw_rounds(below, [[last.mbb for last in run.by_last_round] for run in runs])
    below.set_ylabel("part of it (mbb/h)")
    labels = [f"{run.agent}\n{run.bets}, {run.rounds_text}" for run in runs]
    below.set_xticks(places, labels, fontsize=8)
    for axes in (above, below):
        axes.axhline(0.0, color="0.6", linewidth=0.8)
        axes.grid(axis="y", color="0.85")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, path)


def draw_rounds(axes: Any, parts: Sequence[Sequence[float]]) -> None:
    """A group of bars per run: what the hands add whose last action was in each round, [run][round]."""
    num_rounds = max(map(len, parts))
    width = 0.8 / num_rounds
    for round in range(num_rounds):
        shift = (round - (num_rounds - 1) / 2) * width
        bars = [(place + shift, part[round]) for place, part in enumerate(parts) if round < len(part)]
        axes.bar(*zip(*bars, strict=True), width, label=f"{round + 1}")
    axes.legend(title="last action in round", frameon=False, ncols=num_rounds, fontsize=8, title_fontsize=8)
