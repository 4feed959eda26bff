"""`errai figures --out DIR`: the figures of the papers, with one's own solutions in them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console

if TYPE_CHECKING:
    from errai.cli.render.paper_figures import StoredResult
    from errai.reports.state import StateReport
    from errai.solutions.stored_strategy import StoredStrategy


_NAMES = (
    "games-solved",
    "convergence",
    "preflop",
    "programs",
    "compression",
    "lbr-table-2",
    "lbr-by-round",
)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where to draw them.")
@click.option(
    "--lbr",
    "lbr_file",
    type=click.Path(path_type=Path),
    metavar="FILE.json",
    help="What `errai lbr --table 2 --json` printed, for Table 2 and the wins by round.",
)
@output_options
def figures(*, paths: tuple[Path, ...], out: Path, lbr_file: Path | None, as_json: bool) -> None:
    """Draw the papers' figures: published numbers, with the solutions, runs and bots in PATH... added in red.

    Games solved over the years (Figure 2 of "Heads-up limit hold'em poker is solved"), exploitability with increasing
    computation (Figure 3), preflop charts beside the published strategy (Figure 4), the exploitability of programs over
    the years (Figure S1), the compression of runs from disk by iteration, and what local best response wins (Table 2 of
    its paper) and in which round.
    """
    from errai.cli.render import paper_figures
    from errai.cli.render.picture import verify_can_draw
    from errai.reports.published_figures import published_figures
    from errai.runs.opening import open_strategy
    from errai.storage.durable_files import writing

    stored = {path: open_strategy(path) for path in paths}
    results = [_result(path, strategy) for path, strategy in stored.items()]
    cells = _read_cells(lbr_file)
    with writing(out, again="errai figures"):
        out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name}.png" for name in _NAMES}
    verify_can_draw(files["preflop"])
    paper_figures.draw_games_solved(files["games-solved"], results)
    paper_figures.draw_convergence(files["convergence"], results)
    paper_figures.draw_programs(files["programs"], results)
    charts = {path.name: chart for path, strategy in stored.items() if (chart := _preflop_pair(strategy)) is not None}
    paper_figures.draw_preflop(files["preflop"], charts)
    paper_figures.draw_compression(files["compression"], results)
    paper_figures.draw_local_best_response(files["lbr-table-2"], cells)
    paper_figures.draw_rounds_of_local_best_response(files["lbr-by-round"], cells)
    if as_json:
        print_json({"files": [str(path) for path in files.values()], "sources": published_figures()["sources"]})
        return
    console = stdout_console()
    for path in files.values():
        console.print(f"drawn in `{path}`", markup=False, soft_wrap=True)
    for source in published_figures()["sources"].values():
        console.print(f"source: {source}", markup=False, soft_wrap=True, style="dim")


def _result(path: Path, strategy: "StoredStrategy") -> "StoredResult":
    from errai.cli.render.paper_figures import StoredResult

    report = strategy.describe().to_json()
    saved_at = str(report.get("saved_at") or "")
    year = int(saved_at[:4]) if saved_at[:4].isdigit() else datetime.now(UTC).year
    trace = [
        (int(point["iteration"]), float(value))
        for point in report["trace"]
        if (value := point.get("exploitability_mbb") or point.get("average_mbb") or point.get("current_mbb"))
        is not None
    ]
    return StoredResult(
        name=path.name,
        game=strategy.name,
        year=year,
        infosets=int(report["infosets"]),
        trace=trace,
        exploitability_mbb=report.get("exploitability_mbb"),
        sizes=[(size["iteration"], size["regret_bytes"], size["average_bytes"]) for size in report.get("sizes", ())],
    )


def _preflop_pair(strategy: "StoredStrategy") -> "tuple[StateReport, StateReport] | None":
    """The dealer's first action and the answer to a raise, of a whole limit game with the preflop hands of hold'em."""
    definition = strategy.definition
    if definition is None or strategy.start is not None or not definition.is_limit:
        return None
    if (definition.num_hole_cards, definition.deck.size, definition.num_board_cards[0]) != (2, 52, 0):
        return None
    return strategy.query(betting="", with_values=False), strategy.query(betting="r", with_values=False)


def _read_cells(path: Path | None) -> list[dict[str, Any]]:
    from errai.errors import InputError

    if path is None:
        return []
    try:
        content = json.loads(path.read_text("utf-8"))
        if isinstance(content, dict):
            content = content.get("table", [content])
        cells: list[dict[str, Any]] = content
        if not all({"agent", "bets", "rounds", "mean_mbb", "ci95_mbb"} <= cell.keys() for cell in cells):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it has no results of local best response"
        raise InputError(
            f"cannot read `{path}`: {reason}", hint="`errai lbr --table 2 --json > FILE.json` writes one"
        ) from None
    return cells
