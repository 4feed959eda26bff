"""The figures of the papers, drawn from published numbers and from what is stored here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import RANK_NAMES
from errai.cli.render.action_colours import picture_colours
from errai.cli.render.hand_grid import hand_grid
from errai.cli.render.lbr_plot import draw_rounds
from errai.cli.render.picture import new_figure, save_figure
from errai.reports.published_figures import published_figures, published_preflop
from errai.reports.state import StateReport

_OURS = "#c0392b"
_PUBLISHED = "0.35"


@dataclass(frozen=True)
class StoredResult:
    """What the figures need to know of a solution, a run or a bot."""

    name: str
    game: str
    year: int
    infosets: int
    trace: Sequence[tuple[int, float]]  # iteration and exploitability, in mbb
    exploitability_mbb: float | None  # exact, in the real game; None where it was not measured
    sizes: Sequence[tuple[int, int, int]] = ()  # iteration, and the bytes of regrets and average; of a run from disk


def draw_games_solved(path: Path, ours: Sequence[StoredResult]) -> None:
    """Figure 2: the sizes of games solved over the years; a game counts from 1 mbb on."""
    figure, axes = _new_axes(8, 5)
    published = published_figures()
    for game in published["sizes_of_games"]:
        axes.axhline(game["infosets"], color="0.85", linewidth=1)
        axes.text(0.01, game["infosets"], game["game"], transform=axes.get_yaxis_transform(), va="bottom", fontsize=8)
    for solved in published["games_solved"]:
        axes.plot(solved["year"], solved["infosets"], "o", color=_PUBLISHED)
        label = f"{solved['game']}\n{solved['technique']}"
        axes.annotate(label, (solved["year"], solved["infosets"]), (6, 0), textcoords="offset points", fontsize=8)
    for result in ours:
        if result.exploitability_mbb is not None and result.exploitability_mbb <= 1.0:
            axes.plot(result.year, result.infosets, "D", color=_OURS)
            place = (result.year, result.infosets)
            axes.annotate(result.game, place, (-6, 0), textcoords="offset points", ha="right", fontsize=8, color=_OURS)
    axes.set_yscale("log")
    axes.set_xlim(2003, max([2018, *(result.year + 2 for result in ours)]))
    axes.set_ylim(5, 1e15)
    _mark_years(axes)
    axes.set_ylabel("unique infosets")
    axes.set_title("Games solved over the years")
    save_figure(figure, path)


def draw_convergence(path: Path, ours: Sequence[StoredResult]) -> None:
    """Figure 3: exploitability with increasing computation."""
    figure, axes = _new_axes(8, 5)
    for result in ours:
        points = [(iteration, value) for iteration, value in result.trace if value > 0]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=f"{result.game} ({result.name})")
    solution = published_figures()["published_solution"]
    axes.plot(
        solution["iterations"],
        solution["exploitability_mbb"],
        "*",
        markersize=12,
        color=_PUBLISHED,
        label=f"limit hold'em, {solution['core_years']} core-years (published)",
    )
    axes.axhline(1.0, color="0.6", linewidth=0.8, linestyle="--")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (mbb per game)")
    axes.set_title("Exploitability with increasing computation")
    axes.legend(frameon=False, fontsize=8)
    save_figure(figure, path)


def draw_programs(path: Path, ours: Sequence[StoredResult]) -> None:
    """Figure S1: the exploitability of programs over the years."""
    figure, axes = _new_axes(8, 5)
    for program in published_figures()["programs"]:
        axes.plot(program["year"], program["exploitability_mbb"], "o", color=_PUBLISHED)
        place = (program["year"], program["exploitability_mbb"])
        is_early = program["year"] < 2010
        axes.annotate(
            program["name"],
            place,
            (0, 7) if is_early else (6, -3),
            textcoords="offset points",
            ha="center" if is_early else "left",
            fontsize=8,
        )
    for result in ours:
        if result.exploitability_mbb is not None:
            axes.plot(result.year, result.exploitability_mbb, "D", color=_OURS)
            place = (result.year, result.exploitability_mbb)
            label = f"{result.name}\n({result.game})"
            axes.annotate(label, place, (-6, -3), textcoords="offset points", ha="right", fontsize=8, color=_OURS)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    _mark_years(axes)
    axes.set_xlim(2005, max([2018, *(result.year + 2 for result in ours)]))
    axes.set_ylabel("exploitability (mbb per game)")
    axes.set_title("Programs that play limit hold'em; red: solved here, in the game that is named")
    save_figure(figure, path)


def draw_preflop(path: Path, reports: Mapping[str, tuple[StateReport, StateReport]]) -> None:
    """Figure 4: the dealer's first action and the big blind's answer to a raise, beside the published strategy."""
    columns = 1 + len(reports)
    figure = new_figure(5.2 * columns, 10.6)
    grid = figure.subplots(2, columns, squeeze=False)
    for row, (betting, title) in enumerate((("initial", "dealer's first action"), ("r", "big blind after a raise"))):
        _draw_square(grid[row][0], _published_square(betting), f"published: {title}")
        for column, (name, pair) in enumerate(reports.items(), start=1):
            _draw_square(grid[row][column], _own_square(pair[row]), f"{name}: {title}")
    save_figure(figure, path)


def draw_local_best_response(path: Path, cells: Sequence[Mapping[str, Any]]) -> None:
    """Table 2 as bars: what LBR wins against strategies that look at no cards, by bets and rounds."""
    published = published_figures()["local_best_response_bb"]
    figure = new_figure(11, 4)
    for place, (strategy, printed) in enumerate(published["strategies"].items()):
        axes = figure.add_subplot(1, 3, place + 1)
        labels = [f"{bets}\n{rounds}" for bets, rounds in published["rows"]]
        axes.errorbar(
            np.arange(4) - 0.12,
            [mean for mean, _ in printed],
            yerr=[width for _, width in printed],
            fmt="o",
            color=_PUBLISHED,
            capsize=3,
            label="published",
        )
        found = {(cell["bets"], cell["rounds"]): cell for cell in cells if cell["agent"] == strategy}
        own = [
            (index, found[bets, rounds])
            for index, (bets, rounds) in enumerate(published["rows"])
            if (bets, rounds) in found
        ]
        if own:
            axes.errorbar(
                [index + 0.12 for index, _ in own],
                [cell["mean_mbb"] / 1000 for _, cell in own],
                yerr=[(cell["ci95_mbb"] or 0.0) / 1000 for _, cell in own],
                fmt="D",
                color=_OURS,
                capsize=3,
                label="here",
            )
        axes.set_xticks(range(4), labels, fontsize=8)
        axes.set_title(strategy, fontsize=10)
        axes.grid(axis="y", color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
        if not place:
            axes.set_ylabel("LBR wins (big blinds per hand, 95 %)")
            axes.legend(frameon=False, fontsize=8)
    save_figure(figure, path)


def draw_compression(path: Path, ours: Sequence[StoredResult]) -> None:
    """The bytes per infoset of regrets and average strategy by iteration, of runs from disk."""
    figure, axes = _new_axes(8, 5)
    solution = published_figures()["published_solution"]
    for kind, style in (("regret", "--"), ("average", ":")):
        size = solution[f"{kind}_bytes"] / solution["infosets"]
        name = {"regret": "regrets", "average": "average strategy"}[kind]
        axes.axhline(size, color=_PUBLISHED, linestyle=style, label=f"limit hold'em, {name}: {size:.2f} (published)")
    runs = [result for result in ours if result.sizes]
    for number, result in enumerate(runs):
        iterations, regrets, averages = zip(*result.sizes, strict=True)
        for sizes, style, name in ((regrets, "-", "regrets"), (averages, "-.", "average strategy")):
            if any(sizes):
                axes.plot(
                    iterations,
                    [size / result.infosets for size in sizes],
                    style,
                    color=f"C{number}",
                    label=f"{result.game} ({result.name}), {name}",
                )
    if not runs:
        axes.text(0.5, 0.5, "no run from disk was given", transform=axes.transAxes, ha="center", color="0.5")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("iterations")
    axes.set_ylabel("bytes per infoset on disk")
    axes.set_title("Compression of regrets and strategy by iteration")
    axes.legend(frameon=False, fontsize=8)
    save_figure(figure, path)


def draw_rounds_of_local_best_response(path: Path, cells: Sequence[Mapping[str, Any]]) -> None:
    """What LBR wins by the round of the last action, one group of bars per cell."""
    shown = [cell for cell in cells if cell.get("by_last_round")]
    figure = new_figure(max(8.0, 1.0 * len(shown)), 4.5)
    axes = figure.add_subplot()
    if shown:
        draw_rounds(axes, [[last["mbb"] / 1000 for last in cell["by_last_round"]] for cell in shown])
        labels = [f"{cell['agent']}\n{cell['bets']}, {_rounds_text(cell['rounds'])}" for cell in shown]
        axes.set_xticks(range(len(shown)), labels, fontsize=7)
    else:
        axes.text(0.5, 0.5, "no results of LBR were given", transform=axes.transAxes, ha="center", color="0.5")
    axes.axhline(0.0, color="0.6", linewidth=0.8)
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylabel("LBR wins (big blinds per hand)")
    axes.set_title("In which round local best response wins")
    save_figure(figure, path)


def _rounds_text(rounds: str | Sequence[int]) -> str:
    return rounds if isinstance(rounds, str) else ",".join(map(str, rounds))


def _new_axes(width: float, height: float) -> tuple[Any, Any]:
    figure = new_figure(width, height)
    axes = figure.add_subplot()
    axes.grid(which="major", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _mark_years(axes: Any) -> None:
    """Whole years, whichever are in the picture."""
    axes.xaxis.get_major_locator().set_params(integer=True)


Square = list[list[NDArray[np.float64] | None]]  # the shares of fold, call and raise; None where a hand never gets


def _published_square(betting: str) -> Square:
    mixes = published_preflop()[betting]
    ranks = RANK_NAMES[::-1]

    def mix(row: int, column: int) -> NDArray[np.float64] | None:
        high, low = ranks[min(row, column)], ranks[max(row, column)]
        suffix = "" if row == column else "s" if row < column else "o"
        *shares, reach = mixes[f"{high}{low}{suffix}"]
        return np.array(shares) * min(1.0, reach / max(sum(shares), 1e-12)) if reach else None

    return [[mix(row, column) for column in range(13)] for row in range(13)]


def _own_square(report: StateReport) -> Square:
    """The report's square with columns for fold, call and raise."""

    def mix(probabilities: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        if probabilities is None:
            return None
        shares = dict(zip((action[0] for action in report.actions), probabilities.tolist(), strict=True))
        return np.array([shares.get(action, 0.0) for action in "fcr"])

    return [[mix(cell.probabilities) for cell in line] for line in hand_grid(report)]


def _draw_square(axes: Any, square: Square, title: str) -> None:
    ranks = RANK_NAMES[::-1]
    for place, colour in enumerate(picture_colours(("f", "c", "r"))):
        cells = [(c, r, mix) for r, line in enumerate(square) for c, mix in enumerate(line) if mix is not None]
        axes.barh(
            [row + 0.5 for _, row, _ in cells],
            [mix[place] for _, _, mix in cells],
            left=[column + mix[:place].sum() for column, _, mix in cells],
            height=1.0,
            color=colour,
            label=("fold", "call", "raise")[place],
        )
    for row in range(13):
        for column in range(13):
            name = ranks[min(row, column)] + ranks[max(row, column)]
            axes.text(column + 0.5, row + 0.52, name, ha="center", va="center", fontsize=7, color="white")
    axes.set_xlim(0, 13)
    axes.set_ylim(13, 0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_facecolor("0.94")
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=3, frameon=False, fontsize=8)
