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

    A person plays few hands, so the 95 % intervals are those of Student's t distribution.
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

    def to_json(self) -> dict[str, Any]:
        """The object that `errai play --json` prints."""
        winnings = self.winnings_chips
        return {
            "game": self.game,
            "player": self.player,
            "opponent": self.opponent,
            "hands": self.hands,
            "winnings_chips": int(winnings) if winnings.is_integer() else winnings,
            **interval_json("plain_mbb", "plain_ci95_mbb", self.plain_mbb),
            **interval_json("aivat_mbb", "aivat_ci95_mbb", self.aivat_mbb),
        }


def interval_json(mean: str, half_width: str, estimate: Estimate | None) -> dict[str, float | None]:
    """The mean of hands that may be few, and half the width of its 95 % interval; None where they are not known."""
    width = inf if estimate is None else estimate.student_half_width
    return {mean: None if estimate is None else estimate.mean, half_width: None if width == inf else width}


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
