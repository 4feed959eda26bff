"""A report over next cards as a picture: a column per deal in the colours of its actions, and the values below it."""

from pathlib import Path
from typing import Any

import numpy as np

from errai.cli.render.action_colours import picture_colours
from errai.cli.render.picture import new_figure, save_figure
from errai.games.spot import position_names
from errai.reports.deals import DealsReport

_MOST_NAMED = 60  # more columns than this have no names, and are sorted by their first action
_PLAYER_COLOURS = ("#7a5195", "#ef8a17")


def draw_deals(path: Path, report: DealsReport) -> None:
    """Draw all rows."""
    names = position_names(report.definition)
    rows = list(report.rows)
    is_named = len(rows) <= _MOST_NAMED
    if not is_named:
        rows.sort(key=lambda row: tuple(np.nan_to_num(row.frequencies).tolist()), reverse=True)
    places = np.arange(len(rows))
    panels = 1 + (rows[0].equities is not None) + report.has_values
    figure = new_figure(14, 3.2 + 2.6 * (panels - 1))
    axes = figure.subplots(panels, 1, sharex=True, squeeze=False, height_ratios=[1.4, *[1] * (panels - 1)])[:, 0]
    frequencies = np.nan_to_num(np.array([row.frequencies for row in rows]))
    (whole,) = report.totals["all"]
    for number, (name, colour) in enumerate(zip(report.action_names, picture_colours(report.actions), strict=True)):
        axes[0].bar(
            places,
            frequencies[:, number],
            bottom=frequencies[:, :number].sum(axis=1),
            width=0.9 if is_named else 1.0,
            color=colour,
            label=f"{name} {whole.frequencies[number]:.1%}",
        )
    axes[0].set_ylim(0, 1)
    axes[0].set_ylabel(f"{names[report.player]} does")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(report.actions), frameon=False)
    panel = 1
    for label, numbers in (
        ("equity", [row.equities for row in rows]),
        (f"value in chips (pot {report.pot_chips})", [row.values_chips for row in rows]),
    ):
        if numbers[0] is not None:
            _draw_players(axes[panel], places, np.array(numbers, dtype=float), names, label, is_named=is_named)
            panel += 1
    axes[-1].set_xlim(-0.6, len(rows) - 0.4)
    axes[-1].set_xticks(places if is_named else [], [row.cards for row in rows] if is_named else [], rotation=90)
    if not is_named:
        axes[-1].set_xlabel(f"{len(rows):,} deals, by their first action")
    board, line = report.board or "no board", report.betting or "no betting"
    figure.suptitle(f"{report.definition.name}: every deal after {board}, {line}")
    save_figure(figure, path)


def _draw_players(axes: Any, places: Any, numbers: Any, names: tuple[str, str], label: str, *, is_named: bool) -> None:
    """A line of dots for each player."""
    for player, (name, colour) in enumerate(zip(names, _PLAYER_COLOURS, strict=True)):
        axes.plot(places, numbers[:, player], ".", color=colour, markersize=7 if is_named else 2, label=name)
    axes.set_ylabel(label)
    axes.grid(axis="y", color="0.9")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
