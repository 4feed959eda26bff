"""The parameters of one iteration's update rule. `solvers/variants.py` has the formulas."""

from collections.abc import Sequence
from typing import NamedTuple

from errai._native import kernels


class Step(NamedTuple):
    """One iteration. The default changes nothing: what a pass that only reads is given."""

    discount_positive: float = 1.0
    discount_negative: float = 1.0
    regret_weight: float = 1.0
    floor: bool = True
    predictive: bool = False
    discount_prediction: float = 1.0  # of a predictive variant; 1 otherwise
    average_decay: float = 1.0
    average_weight: float = 0.0

    @classmethod
    def from_values(cls, values: Sequence[float]) -> "Step":
        """The step with these values, in the order of its fields: how a ledger stores it."""
        positive, negative, regret_weight, floor, predictive, prediction, decay, weight = values
        return cls(positive, negative, regret_weight, floor != 0, predictive != 0, prediction, decay, weight)

    def native(self) -> kernels.Step:
        """The step for the kernels."""
        return kernels.Step(
            discount_positive=self.discount_positive,
            discount_negative=self.discount_negative,
            regret_weight=self.regret_weight,
            floor=self.floor,
            predictive=self.predictive,
            discount_prediction=self.discount_prediction,
            average_decay=self.average_decay,
            average_weight=self.average_weight,
        )
