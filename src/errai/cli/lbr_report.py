"""What is told of local best response: as one JSON object, as lines for a person, as a page of Markdown."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.lbr_plot import plot_local_best_response
from errai.cli.lbr_session import LbrRun, format_rounds
from errai.cli.match_report import format_estimate
from errai.errors import StorageError
from errai.evaluate.statistics import Estimate
from errai.games.definition import GameDefinition
from errai.play.lbr_observations import Estimator


def lbr_json(run: LbrRun) -> dict[str, Any]:
    """The object that `--json` prints; `ci95_mbb` is half the width of the interval."""
    observations, estimator = run.observations, run.settings.estimator
    estimate = observations.estimate_mbb(estimator)
    seats = [observations.estimate_of_seat_mbb(estimator, seat) for seat in (0, 1)]
    return {
        **run.settings.description(),
        "hands": observations.num_hands,
        "mean_mbb": estimate.mean,
        "ci95_mbb": _half_width(estimate),
        "by_seat_mbb": [seat.mean for seat in seats],
        "by_seat_ci95_mbb": [_half_width(seat) for seat in seats],
        "techniques": {
            name: {"mean_mbb": technique.mean, "ci95_mbb": _half_width(technique)}
            for name, technique in techniques(run).items()
        },
        "by_last_round": [
            {"round": round, "share_of_hands": share, "mbb": won} for round, share, won in _last_rounds(run)
        ],
        "hands_per_second": round(run.hands_per_second, 1),
    }


def print_lbr(console: Console, run: LbrRun) -> None:
    """A run, in lines."""
    settings, observations = run.settings, run.observations
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("agent", f"{settings.agent}, {settings.definition.name}, seed {settings.seed}")
    table.add_row("local best response", f"{settings.bets} in rounds {format_rounds(settings.rounds)}")
    deals = f"{observations.num_deals:,} deals, each twice"
    table.add_row("hands", f"{observations.num_hands:,} ({deals}), {run.hands_per_second:,.0f} a second")
    table.add_row("LBR wins", f"{format_estimate(observations.estimate_mbb(settings.estimator))} mbb/h (95 %)")
    for seat, what in enumerate(_seats(settings.definition)):
        table.add_row(
            f"  {what}", f"{format_estimate(observations.estimate_of_seat_mbb(settings.estimator, seat))} mbb/h"
        )
    for name, technique in techniques(run).items():
        table.add_row(f"  {name}", f"{format_estimate(technique)} mbb/h{_saving(run, technique)}", style="dim")
    console.print(table)
    console.print(f"[dim]mbb/h: thousandths of {settings.definition.unit_chips} chips a hand[/dim]")


def techniques(run: LbrRun) -> dict[str, Estimate]:
    """The mean as each technique estimates it, from the same hands."""
    observations = run.observations
    estimates = {
        "plain": observations.estimate_without_duplicates_mbb(Estimator.PLAIN),
        "duplicate": observations.estimate_mbb(Estimator.PLAIN),
        "duplicate, imaginary": observations.estimate_mbb(Estimator.IMAGINARY),
    }
    if run.settings.estimator is Estimator.AIVAT:
        estimates["duplicate, AIVAT"] = observations.estimate_mbb(Estimator.AIVAT)
    return estimates


def write_report(directory: Path, runs: Sequence[LbrRun], *, title: str) -> None:
    """`report.md` and `report.png` in `directory`."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "report.md").write_text(_markdown(runs, title), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"`{directory}` cannot be written: {error.strerror}") from error
    plot_local_best_response(directory / "report.png", runs)


def _markdown(runs: Sequence[LbrRun], title: str) -> str:
    lines = [f"# {title}", "", "![means with intervals, and where they come from](report.png)", ""]
    lines += ["| agent | bets | rounds | hands | LBR wins (mbb/h, 95 %) | as player 0 | as player 1 |"]
    lines += ["|---|---|---|---:|---:|---:|---:|"]
    for run in runs:
        settings, observations = run.settings, run.observations
        estimates = [
            observations.estimate_mbb(settings.estimator),
            *(observations.estimate_of_seat_mbb(settings.estimator, seat) for seat in (0, 1)),
        ]
        cells = [settings.agent, settings.bets, format_rounds(settings.rounds), f"{observations.num_hands:,}"]
        lines.append(f"| {' | '.join([*cells, *map(format_estimate, estimates)])} |")
    lines += ["", "## What each technique saved", "", "The same hands, counted in different ways.", ""]
    lines += ["| agent | bets | rounds | technique | LBR wins (mbb/h, 95 %) |", "|---|---|---|---|---:|"]
    for run in runs:
        cells = [run.settings.agent, run.settings.bets, format_rounds(run.settings.rounds)]
        for name, technique in techniques(run).items():
            lines.append(f"| {' | '.join([*cells, name, format_estimate(technique)])} |")
    lines += ["", "## Winnings by the round of the last action", ""]
    lines += ["| agent | bets | rounds | last action in round | hands | mbb/h |", "|---|---|---|---:|---:|---:|"]
    for run in runs:
        cells = [run.settings.agent, run.settings.bets, format_rounds(run.settings.rounds)]
        for last_round, share, won in _last_rounds(run):
            lines.append(f"| {' | '.join([*cells, str(last_round), f'{share:.1%}', f'{won:,.1f}'])} |")
    return "\n".join([*lines, ""])


def _last_rounds(run: LbrRun) -> list[tuple[int, float, float]]:
    """Of each round, counted from 1: the share of hands whose last action it saw, and what they add to the mean."""
    observations, settings = run.observations, run.settings
    rounds = range(settings.definition.num_rounds)
    return [(round + 1, *observations.share_of_round_mbb(settings.estimator, round)) for round in rounds]


def _seats(definition: GameDefinition) -> tuple[str, str]:
    first, second = definition.blinds
    return ("as big blind", "as dealer") if first > second else ("as first player", "as second player")


def _half_width(estimate: Estimate) -> float | None:
    return estimate.half_width if isfinite(estimate.half_width) else None


def _saving(run: LbrRun, technique: Estimate) -> str:
    plain = techniques(run)["plain"]
    if technique == plain or not plain.half_width > 0.0:
        return ""
    return f", {technique.half_width / plain.half_width:.0%} of the plain interval"
