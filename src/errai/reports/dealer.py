"""A match at the dealer, and the match that a client saw."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from errai.evaluate.statistics import Estimate


@dataclass(frozen=True)
class Forfeit:
    """Who lost the match before its end, when, and why."""

    name: str
    hand_number: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"player": self.name, "hand": self.hand_number, "reason": self.reason}


@dataclass(frozen=True)
class DealerReport:
    """The dealer's book at the end of a match; pairs are in the order of the seats."""

    game: str
    players: tuple[str, str]
    hands: int
    winnings_chips: tuple[int, int]
    first_wins_mbb: Estimate | None  # per hand; None before the first hand was over
    invalid_actions: tuple[int, int]
    used_seconds: tuple[float, float]
    forfeit: Forfeit | None

    def to_json(self) -> dict[str, Any]:
        """`mean_mbb` is what the first player wins per hand, `ci95_mbb` half the width of its 95 % interval."""
        return {
            "game": self.game,
            "players": list(self.players),
            "hands": self.hands,
            "winnings_chips": list(self.winnings_chips),
            "mean_mbb": None if self.first_wins_mbb is None else self.first_wins_mbb.mean,
            "ci95_mbb": half_width(self.first_wins_mbb),
            "invalid_actions": list(self.invalid_actions),
            "used_seconds": [round(seconds, 6) for seconds in self.used_seconds],
            "forfeit": None if self.forfeit is None else self.forfeit.to_json(),
        }


@dataclass(frozen=True)
class ClientReport:
    """What a client saw of a match."""

    agent: str
    game: str
    hands: int
    winnings_chips: int
    wins_mbb: Estimate  # per hand

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "game": self.game,
            "hands": self.hands,
            "winnings_chips": self.winnings_chips,
            "mean_mbb": self.wins_mbb.mean,
            "ci95_mbb": half_width(self.wins_mbb),
        }


def half_width(estimate: Estimate | None) -> float | None:
    """Half the width of the 95 % interval; None where one observation is no measure of the spread."""
    return estimate.half_width if estimate is not None and isfinite(estimate.half_width) else None
