"""The rule of each iteration for the lane kernels.

Lanes that the opponent never reaches cost nothing, for two reasons. The discount of a variant with a floor becomes a
weight of the new regrets (dividing all regrets of a player by the same number changes no strategy), and the weight
t^gamma of an iteration's strategy is used as it is. Then nothing changes in unreachable states.

Both weights grow with the iterations: that of regrets like t for `alpha` 1, but like exp(2 sqrt(t)) for `alpha` 0.5.
With exponents for which they would overflow single precision, the numbers are discounted as the variant says.
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


@dataclass(frozen=True)
class AveragingSchedule:
    """The iterations after a delay whose strategy the average takes in.

    Without `steps` these are all of them. With it, the gaps between them grow like powers of two, and every doubling of
    the iterations has `steps` of them. One that is taken in stands for those that were passed over before it, since the
    delay: it has the sum of their weights.
    """

    delay: int = 0
    steps: int = 0

    def last(self, iteration: int) -> int:
        """The last iteration up to `iteration` that is taken in; 0 if none is."""
        gap = 1 << max((iteration // self.steps).bit_length() - 1, 0) if self.steps else 1
        last = iteration - iteration % gap
        return last if last > self.delay else 0

    def weight(self, iteration: int, gamma: float) -> float:
        """Of an iteration in the average; 0 if it is not taken in."""
        if self.last(iteration) != iteration:
            return 0.0
        first = max(self.last(iteration - 1), self.delay) + 1
        return _sum_of_powers(first - self.delay, iteration - self.delay, gamma)

    def updates(self, iteration: int) -> int:
        """How many iterations up to `iteration` are taken in."""
        return sum(self.last(number) == number for number in range(self.delay + 1, iteration + 1))

    def total_weight(self, iteration: int, gamma: float) -> float:
        """Of all iterations up to `iteration` that the average stands for."""
        return _sum_of_powers(1, self.last(iteration) - self.delay, gamma)


def _sum_of_powers(first: int, last: int, exponent: float) -> float:
    return float(sum(float(number) ** exponent for number in range(first, last + 1)))


@dataclass
class LaneSteps:
    """Iterations one after the other."""

    variant: Variant
    averaging_delay: int = 0
    planned_iterations: int | None = None
    average_steps: int = 0  # of an `AveragingSchedule`; the variant must weigh its average
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
            schedule = AveragingSchedule(self.averaging_delay, self.average_steps)
            weight = schedule.weight(self.iteration, self.variant.exponents.gamma)
            step = step._replace(average_decay=1.0, average_weight=weight)
        return step._replace(regret_weight=self._regret_weight)

    def go_to(self, iteration: int) -> None:
        """Continue after `iteration` iterations."""
        self.iteration, self._regret_weight = 0, 1.0
        for _ in range(iteration):
            self.next()
