"""Convergence curves of one or several methods as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from errai.cli.render.picture import new_figure, save_figure


def plot_convergence(path: Path, curves: Mapping[str, Sequence[tuple[int, float]]], *, title: str) -> None:
    """Draw exploitability over iterations, one line per name, both scales logarithmic."""
    figure = new_figure(8, 5)
    axes = figure.add_subplot()
    for name, points in curves.items():
        drawn = [(iteration, value) for iteration, value in points if value > 0]
        axes.plot(
            [iteration for iteration, _ in drawn],
            [value for _, value in drawn],
            marker="o",
            markersize=3,
            linewidth=1.5,
            label=name,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_title(title)
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (mbb per game)")
    axes.grid(which="major", color="0.85")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    save_figure(figure, path)
