"""The features of one hand, or of two with their distance."""

from dataclasses import dataclass
from math import isnan
from typing import Any


@dataclass(frozen=True)
class StrengthReport:
    """The features of the hand called `hand`."""

    hand: str
    board: str
    ehs: float
    ehs2: float
    histogram: tuple[float, ...]
    ochs: tuple[float, ...]  # NaN where the opponent can hold no hand of the cluster

    def to_json(self) -> dict[str, Any]:
        return {
            "hand": self.hand,
            "board": self.board,
            "ehs": self.ehs,
            "ehs2": self.ehs2,
            "histogram": list(self.histogram),
            "ochs": [None if isnan(equity) else equity for equity in self.ochs],
        }


@dataclass(frozen=True)
class StrengthComparison:
    """The features of two hands, and the earth mover's distance of their histograms in bars."""

    hands: tuple[StrengthReport, StrengthReport]
    emd: float

    def to_json(self) -> dict[str, Any]:
        return {"hands": [hand.to_json() for hand in self.hands], "emd": self.emd}
