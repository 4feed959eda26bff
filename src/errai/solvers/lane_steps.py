"""The rule of each iteration as the lane kernels take it.

Two things make lanes that the opponent never reaches free of work. The discount of a variant with a floor is turned
into a weight of the new regrets (dividing all regrets of a player by the same number changes no strategy), and the
weight t^gamma of an iteration's strategy is used as it is. Then nothing changes where nobody comes.
"""

from dataclasses import dataclass, field

from errai.solvers.variants import Variant


@dataclass
class LaneSteps:
    """Iterations one after the other."""

    variant: Variant
    averaging_delay: int = 0
    planned_iterations: int | None = None
    iteration: int = field(default=0, init=False)  # the last one that was asked for
    _regret_weight: float = field(default=1.0, init=False)

    def next(self) -> tuple[float, ...]:
        """The numbers of the next iteration: `LaneStep` of `native/lanes.hpp`."""
        self.iteration += 1
        step = self.variant.step(
            self.iteration, planned_iterations=self.planned_iterations, averaging_delay=self.averaging_delay
        )
        discounts = (step.discount_positive, step.discount_negative)
        if step.floor:
            if self.iteration > 1:
                self._regret_weight /= step.discount_positive
            discounts = (1.0, 1.0)
        average = (step.average_decay, step.average_weight)
        if self.variant.final_exponents is None:
            counted = max(self.iteration - self.averaging_delay, 0)
            average = (1.0, float(counted) ** self.variant.exponents.gamma if counted else 0.0)
        return (*discounts, self._regret_weight, step.floor, step.predictive, step.discount_prediction, *average)

    def go_to(self, iteration: int) -> None:
        """Stand after `iteration` iterations."""
        self.iteration, self._regret_weight = 0, 1.0
        for _ in range(iteration):
            self.next()
