"""The square of hands as a picture: each cell in the colours of its actions, with the number of its hands."""

from pathlib import Path

from errai.cli.render.action_colours import picture_colours, short_names
from errai.cli.render.hand_grid import hand_grid
from errai.cli.render.picture import new_figure, save_figure
from errai.reports.state import StateReport


def draw_chart(path: Path, report: StateReport, *, title: str) -> None:
    """Draw what the player to act does with every class of hands."""
    grid = hand_grid(report)
    size = len(grid)
    figure = new_figure(9, 9.6)
    axes = figure.add_subplot()
    for place, colour in enumerate(picture_colours(report.actions)):
        cells = [
            (column, row, cell.probabilities)
            for row, line in enumerate(grid)
            for column, cell in enumerate(line)
            if cell.probabilities is not None
        ]
        axes.barh(
            [row + 0.5 for _, row, _ in cells],
            [mix[place] for _, _, mix in cells],
            left=[column + mix[:place].sum() for column, _, mix in cells],
            height=1.0,
            color=colour,
            label=f"{short_names(report)[place]} {report.frequencies[place]:.1%}",
        )
    for row, line in enumerate(grid):
        for column, cell in enumerate(line):
            is_here = cell.probabilities is not None
            axes.text(
                column + 0.5,
                row + 0.42,
                cell.name,
                ha="center",
                va="center",
                fontsize=11,
                color="white" if is_here else "0.6",
                weight="bold" if is_here else "normal",
            )
            if is_here:
                axes.text(
                    column + 0.5,
                    row + 0.78,
                    f"{cell.combinations:.3g}",
                    ha="center",
                    va="center",
                    fontsize=7,
                    color="white",
                )
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.set_aspect("equal")
    axes.set_xticks(range(size + 1), labels=[])
    axes.set_yticks(range(size + 1), labels=[])
    axes.tick_params(length=0)
    axes.grid(color="white", linewidth=1.5)
    axes.spines[:].set_visible(False)
    axes.set_facecolor("0.94")
    axes.set_title(title)
    figure.legend(loc="outside lower center", ncols=len(report.actions), frameon=False)
    save_figure(figure, path)
