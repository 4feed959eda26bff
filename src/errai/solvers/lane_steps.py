"""The rule of each iteration for the lane kernels.

Lanes that the opponent never reaches cost nothing, for two reasons. The discount of a variant with a floor becomes a
weight of the new regrets (dividing all regrets of a player by the same number changes no strategy), and the weight
t^gamma of an iteration's strategy is used as it is. Then nothing changes in unreachable states.

Both weights grow with the iterations: that of regrets like t for `alpha` 1, but like exp(2 sqrt(t)) for `alpha` 0.5.
With exponents for which they would overflow single precision, the numbers are discounted as the variant says.

The first iterations may visit a part of the last round's boards, another one each time (`native/board_draw.hpp`).
"""

from dataclasses import dataclass, field

from errai.passes.step import Step
from errai.solvers.variants import Variant

_LEAST_ALPHA = 1.0  # whose weights grow no faster than t
_LARGEST_GAMMA = 5.0  # the sum of the weights passes the largest float32 after two million iterations


def weighs_regrets(variant: Variant) -> bool:
    """Whether the discount of regrets becomes a weight of the new ones."""
    ends = (variant.exponents, variant.final_exponents or variant.exponents)
    return variant.floor and min(exponents.alpha for exponents in ends) >= _LEAST_ALPHA


def weighs_average(variant: Variant) -> bool:
    """Whether the weight of an iteration in the average is used as it is."""
    return variant.final_exponents is None and variant.exponents.gamma <= _LARGEST_GAMMA


@dataclass
class LaneSteps:
    """Iterations one after the other."""

    variant: Variant
    averaging_delay: int = 0
    planned_iterations: int | None = None
    draw_boards: int = 1  # one in so many of the last round is visited, ...
    draw_until: int = 0  # ... in so many iterations
    iteration: int = field(default=0, init=False)  # the last one that `next` returned
    _regret_weight: float = field(default=1.0, init=False)

    def next(self) -> Step:
        """The rule of the next iteration."""
        self.iteration += 1
        step = self.variant.step(
            self.iteration, planned_iterations=self.planned_iterations, averaging_delay=self.averaging_delay
        )
        if weighs_regrets(self.variant):
            if self.iteration > 1:
                self._regret_weight /= step.discount_positive
            step = step._replace(discount_positive=1.0, discount_negative=1.0)
        if weighs_average(self.variant):
            counted = max(self.iteration - self.averaging_delay, 0)
            weight = float(counted) ** self.variant.exponents.gamma if counted else 0.0
            step = step._replace(average_decay=1.0, average_weight=weight)
        if self.iteration <= self.draw_until:
            cycle, part = divmod(self.iteration - 1, self.draw_boards)
            step = step._replace(boards_one_in=self.draw_boards, boards_part=part, boards_seed=cycle)
        return step._replace(regret_weight=self._regret_weight)

    def go_to(self, iteration: int) -> None:
        """Continue after `iteration` iterations."""
        self.iteration, self._regret_weight = 0, 1.0
        for _ in range(iteration):
            self.next()
