"""What a person won against a strategy, and what the strategy says of a decision."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from errai.evaluate.statistics import Estimate, estimate_mean


@dataclass(frozen=True)
class PlayReport:
    """Results per hand in thousandths of a big blind (in limit games, of a small bet).

    A person plays few hands, so the 95 % intervals are those of Student's t distribution, which are wider than normal
    ones: of three hands more than twice as wide.
    """

    game: str
    player: str
    opponent: str
    unit_chips: int
    hands: int
    winnings_chips: float
    plain_mbb: Estimate | None  # None before the first hand is over
    aivat_mbb: Estimate | None  # the same with luck removed

    @classmethod
    def of(
        cls,
        *,
        game: str,
        player: str,
        opponent: str,
        unit_chips: int,
        won_chips: Sequence[float],
        aivat_chips: Sequence[float],
    ) -> "PlayReport":
        plain, aivat = (
            estimate_mean(np.array(chips) * (1000 / unit_chips)) if len(chips) else None
            for chips in (won_chips, aivat_chips)
        )
        return cls(game, player, opponent, unit_chips, len(won_chips), float(sum(won_chips)), plain, aivat)

    def half_width_mbb(self, estimate: Estimate) -> float:
        """Half the width of the 95 % interval; infinite for one hand."""
        if estimate.count < 2:
            return inf
        from scipy.special import stdtrit

        return float(stdtrit(estimate.count - 1, 0.975)) * estimate.standard_error

    def to_json(self) -> dict[str, Any]:
        """The object that `errai play --json` prints."""
        winnings = self.winnings_chips
        return {
            "game": self.game,
            "player": self.player,
            "opponent": self.opponent,
            "hands": self.hands,
            "winnings_chips": int(winnings) if winnings.is_integer() else winnings,
            **self._interval("plain", self.plain_mbb),
            **self._interval("aivat", self.aivat_mbb),
        }

    def _interval(self, name: str, estimate: Estimate | None) -> dict[str, float | None]:
        if estimate is None:
            return {f"{name}_mbb": None, f"{name}_ci95_mbb": None}
        width = self.half_width_mbb(estimate)
        return {f"{name}_mbb": estimate.mean, f"{name}_ci95_mbb": None if width == inf else width}


@dataclass(frozen=True)
class Advice:
    """What a strategy does with one hand at one point, and what the actions are worth by it."""

    actions: tuple[str, ...]  # in the words of players
    probabilities: tuple[float, ...]
    values_chips: tuple[float, ...] | None  # None where the strategy does not know values
    chosen: int | None  # which of them the player took; None where it is none of them

    @property
    def cost_chips(self) -> float | None:
        """The value of the best action less that of the chosen one; None where either is not known."""
        if self.values_chips is None or self.chosen is None:
            return None
        return max(self.values_chips) - self.values_chips[self.chosen]

    def to_json(self) -> dict[str, Any]:
        return {
            "actions": list(self.actions),
            "probabilities": list(self.probabilities),
            "values_chips": None if self.values_chips is None else list(self.values_chips),
            "chosen": self.chosen,
            "cost_chips": self.cost_chips,
        }
