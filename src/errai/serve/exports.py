"""Things to take away: the hands of a decision as a table, a range as text."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from starlette.responses import PlainTextResponse, Response

from errai.cards.range_terms import LEAST_WEIGHT
from errai.cards.ranges import format_range
from errai.errors import InputError
from errai.serve.deals import DealReport
from errai.solutions.look import Look
from errai.solutions.next_deals import gather_rows
from errai.storage.table_file import write_table

TABLES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
_WEIGHT_DIGITS = 4


def hand_table(look: Look, table: str) -> Response:
    """The table that `errai export` writes, as a file to save."""
    place = look.place
    if place.kind != "decision":
        raise InputError(f"nobody acts after `{place.betting}` on `{place.board_text}`", hint="ask about a decision")
    with TemporaryDirectory(prefix="errai-") as directory:
        path = Path(directory) / f"hands.{table}"
        look.stored.export(path, betting=place.betting, board=place.board_text, strategy=look.strategy)
        return _file(path, look)


def deal_table(report: DealReport, table: str) -> Response:
    """A report that is complete, as a file to save."""
    rows = [row for row in report.rows if row is not None]
    with TemporaryDirectory(prefix="errai-") as directory:
        path = Path(directory) / f"report.{table}"
        write_table(path, iter([gather_rows(report.look, rows).columns()]))
        return _file(path, report.look)


def _file(path: Path, look: Look) -> Response:
    place = look.place
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{look.stored.name} {place.betting} {place.board_text} {path.stem}").strip(
        "-"
    )
    headers = {"content-disposition": f'attachment; filename="{name}{path.suffix}"'}
    return Response(path.read_bytes(), media_type=TABLES[path.suffix[1:]], headers=headers)


def range_text(look: Look, player: int) -> Response:
    """The range with which a player gets here, in the notation of players; the largest weight is 1."""
    place = look.place
    if place.definition.num_hole_cards != 2:
        raise InputError(f"`{place.definition.name}` deals one hole card and has no ranges")
    reach = (look.report().reach if place.kind == "decision" else look.reach())[player]
    most = reach.max()
    weights = np.round(reach / most, _WEIGHT_DIGITS) if most > 0 else reach
    return PlainTextResponse(format_range(np.where(weights < LEAST_WEIGHT, 0.0, weights), place.definition.deck))
