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
    boards_one_in: int = 1  # of the last round, below each board of the round before: `native/board_draw.hpp`
    boards_part: int = 0  # of a cycle of as many iterations
    boards_seed: int = 0  # of the cycle

    @classmethod
    def from_values(cls, values: Sequence[float]) -> "Step":
        """The step with these values, in the order of its fields: how a ledger stores it."""
        positive, negative, regret_weight, floor, predictive, prediction, decay, weight, one_in, part, seed = values
        return cls(
            discount_positive=positive,
            discount_negative=negative,
            regret_weight=regret_weight,
            floor=floor != 0,
            predictive=predictive != 0,
            discount_prediction=prediction,
            average_decay=decay,
            average_weight=weight,
            boards_one_in=int(one_in),
            boards_part=int(part),
            boards_seed=int(seed),
        )

    def on_flop(self, flop: int, num_flops: int) -> "Step":
        """The step where flops have trees of their own: each draws its own boards."""
        return self._replace(boards_seed=self.boards_seed * num_flops + flop)

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
            last_boards=kernels.BoardDraw(one_in=self.boards_one_in, part=self.boards_part, seed=self.boards_seed),
        )
