"""A stored strategy with locks: what it is worth, and what a best response wins, without solving again."""

from dataclasses import dataclass
from typing import Any

from errai.evaluate.exploitability import Exploitability
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.reports.spot_values import values_with_pot


@dataclass(frozen=True)
class LockedReport:
    """Both are measured in the same way; only the locked decisions differ, and what best responses may change."""

    spot: Spot  # with all its locks
    strategy: StrategyKind
    stored: Exploitability  # as it was
    locked: Exploitability  # best responses keep to the locks of their own player

    def to_json(self) -> dict[str, Any]:
        """The object that `errai exploit --lock --json` prints."""
        return {
            "game": self.spot.name,
            "locks": self.spot.locks.splitlines(),
            "measure": self.strategy,
            "pot_chips": self.spot.pot_chips,
            "stored": self.judged_json(self.stored),
            "locked": self.judged_json(self.locked),
        }

    def judged_json(self, judged: Exploitability) -> dict[str, Any]:
        return {
            "expected_value_chips": self.expected_value_chips(judged),
            "best_response_value_chips": self.best_response_chips(judged),
            "distance_mbb": list(judged.distance_mbb),
            "exploitability_mbb": judged.exploitability_mbb,
        }

    def expected_value_chips(self, judged: Exploitability) -> list[float]:
        """What each player gets of the pot when both play the strategy."""
        return values_with_pot(self.spot, judged)

    def best_response_chips(self, judged: Exploitability) -> list[float]:
        """What each player gets of the pot by a best response to the other's strategy."""
        gains = judged.distance_chips
        return [value + gain for value, gain in zip(self.expected_value_chips(judged), gains, strict=True)]
