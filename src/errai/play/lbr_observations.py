"""What local best response won, deal by deal, and what follows from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.evaluate.statistics import Estimate, estimate_mean
from errai.play.lbr_estimators import Estimator
from errai.play.opponent_range import Float64Array

_MILLI = 1000


@dataclass(frozen=True, eq=False)
class Observations:
    """Each deal was played twice, LBR being player 0 and player 1."""

    unit_chips: int  # of which `mbb` are thousandths
    chips: Float64Array  # [deal][seat of LBR][estimator]
    last_round: NDArray[np.int8]  # of the last action, [deal][seat of LBR]

    @classmethod
    def none(cls, *, unit_chips: int) -> "Observations":
        return cls(unit_chips, np.empty((0, 2, len(Estimator))), np.empty((0, 2), dtype=np.int8))

    @property
    def num_deals(self) -> int:
        return len(self.chips)

    def joined(self, later: "Observations") -> "Observations":
        """All deals of both."""
        chips = np.concatenate((self.chips, later.chips))
        return Observations(self.unit_chips, chips, np.concatenate((self.last_round, later.last_round)))

    @property
    def num_hands(self) -> int:
        return 2 * self.num_deals

    def estimate_mbb(self, estimator: Estimator) -> Estimate:
        """What LBR wins a hand; the two hands of a deal are one observation."""
        return self._in_mbb(self.chips[:, :, estimator].mean(axis=1))

    def estimate_without_duplicates_mbb(self, estimator: Estimator) -> Estimate:
        """The same if every hand had been dealt on its own: as if the hands of a deal had nothing in common."""
        hands = self.chips[:, :, estimator]
        spread = Estimate(
            float(hands.mean()), float(np.sqrt(hands.var(axis=0, ddof=1).sum() / 4 / self.num_deals)), self.num_hands
        )
        return spread.scaled(_MILLI / self.unit_chips)

    def estimate_of_seat_mbb(self, estimator: Estimator, seat: int) -> Estimate:
        """What LBR wins a hand as player `seat`."""
        return self._in_mbb(self.chips[:, seat, estimator])

    def share_of_round_mbb(self, estimator: Estimator, round: int) -> tuple[float, float]:
        """Of all hands, the part whose last action was in `round`, and what they add to the mean."""
        ended_here = self.last_round == round
        won = np.where(ended_here, self.chips[:, :, estimator], 0.0).mean() * _MILLI / self.unit_chips
        return float(ended_here.mean()), float(won)

    def _in_mbb(self, chips: Float64Array) -> Estimate:
        return estimate_mean(chips).scaled(_MILLI / self.unit_chips)
