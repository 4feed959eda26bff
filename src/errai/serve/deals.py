"""A report over next cards in portions.

A report over all flops of a game takes seconds to minutes. So each call works for a moment and returns the rows that it
has reached, with the number at which the next call begins. A caller that loses interest stops asking.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any

import numpy as np

from errai.errors import InputError
from errai.reports.deals import DealRow
from errai.serve.state_view import actions_json, rounded
from errai.solutions.look import Look
from errai.solutions.next_deals import Deal, deal_row

PORTION_SECONDS = 0.3


def deals_json(look: Look, deals: Sequence[Deal], *, first: int, seconds: float = PORTION_SECONDS) -> dict[str, Any]:
    """The rows from number `first` on that are computed within the given time, at least one."""
    if not 0 <= first < len(deals):
        raise InputError(f"`from` must be 0 to {len(deals) - 1}; got `{first}`")
    end = monotonic() + seconds
    rows: list[dict[str, Any]] = []
    for deal in deals[first:]:
        rows.append(_row_json(deal_row(look, deal)))
        if monotonic() > end:
            break
    after = first + len(rows)
    opening = look.place.with_cards(deals[0].cards)
    return {
        "betting": look.place.betting,
        "board": look.place.board_text,
        "player": opening.state.actor,
        "actions": actions_json(opening),
        "rows": rows,
        "total": len(deals),
        "next": after if after < len(deals) else None,
    }


def _row_json(row: DealRow) -> dict[str, Any]:
    """A row with the digits that a screen can show, and without what was not asked for."""
    content = row.to_json()
    for name in ("frequencies", "equities", "values_chips"):
        numbers = getattr(row, name)
        if numbers is None:
            del content[name]
        else:
            content[name] = rounded(np.array(numbers))
    return content
