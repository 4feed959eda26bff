"""A report over next cards in portions.

A report over all flops of a game takes seconds to minutes. So each call works for a moment and returns the rows that it
has reached, with the number at which the next call begins. A caller that loses interest stops asking.
"""

from time import monotonic
from typing import Any

import numpy as np

from errai.errors import InputError
from errai.reports.deals import DealRow
from errai.serve.state_view import actions_json, rounded
from errai.solutions.look import Look
from errai.solutions.next_deals import deal_row, next_deals

PORTION_SECONDS = 0.3


class DealReport:
    """The rows of a report, as far as they are known."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.deals = next_deals(look)
        self.rows: list[DealRow | None] = [None] * len(self.deals)
        self.opening = look.place.with_cards(self.deals[0].cards)

    def compute(self, first: int, *, seconds: float = PORTION_SECONDS) -> int:
        """Compute rows from number `first` on for so long, at least one; the number of the row after them."""
        if not 0 <= first < len(self.deals):
            raise InputError(f"`from` must be 0 to {len(self.deals) - 1}; got `{first}`")
        end = monotonic() + seconds
        for number in range(first, len(self.deals)):
            if self.rows[number] is None:
                self.rows[number] = deal_row(self.look, self.deals[number])
            if monotonic() > end:
                return number + 1
        return len(self.deals)

    def portion_json(self, first: int) -> dict[str, Any]:
        """The rows from number `first` on, as many as a moment allows."""
        after = self.compute(first)
        return {
            "betting": self.opening.betting,
            "board": self.look.place.board_text,
            "player": self.opening.state.actor,
            "actions": actions_json(self.opening),
            "rows": [_row_json(row) for row in self.rows[first:after] if row is not None],
            "total": len(self.deals),
            "next": after if after < len(self.deals) else None,
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
