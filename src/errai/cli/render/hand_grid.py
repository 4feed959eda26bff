"""The hands of two cards in a square: pairs on the diagonal, suited ones above it, the others below; aces first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.reports.state import StateReport

# An average over iterations never quite forgets the first ones; what gets here less often than this does not.
_LEAST_COMBINATIONS = 1e-3


@dataclass(frozen=True)
class GridCell:
    """All hands of a class, weighed by their reach."""

    name: str  # `AKs`
    combinations: float  # hands that get here, each counted by its reach
    probabilities: NDArray[np.float64] | None  # of the actions; None where no hand of the class gets here


def hand_grid(report: StateReport) -> list[list[GridCell]]:
    """The rows of the square for the player to act."""
    deck = report.definition.deck
    ranks, suits = np.divmod(hands(deck, 2), deck.num_suits)
    suited = suits[:, 0] == suits[:, 1]
    descending = range(deck.num_ranks - 1, -1, -1)
    return [
        [
            # A hand's cards ascend, so the second one has the higher rank.
            _cell(
                report,
                deck.rank_names[max(row, column)] + deck.rank_names[min(row, column)] + _suffix(row, column),
                (ranks[:, 1] == max(row, column)) & (ranks[:, 0] == min(row, column)) & (suited == (row > column)),
            )
            for column in descending
        ]
        for row in descending
    ]


def _suffix(row: int, column: int) -> str:
    if row == column:
        return ""
    return "s" if row > column else "o"


def _cell(report: StateReport, name: str, members: NDArray[np.bool_]) -> GridCell:
    reach = np.where(members, report.reach[report.player], 0.0)
    total = float(reach.sum())
    if total < _LEAST_COMBINATIONS:
        return GridCell(name, 0.0, None)
    return GridCell(name, total, np.average(report.probabilities[reach > 0], axis=0, weights=reach[reach > 0]))
