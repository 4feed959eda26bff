"""Means of independent observations and how far to trust them.

The interval is the mean plus and minus 1.96 standard errors: with the hundreds of observations that any match has, the
mean is normal enough. A person plays few hands, and a record may hold few; there the interval is that of Student's t
distribution, which is wider: of three observations more than twice as wide, of a thousand by a part in a thousand.
Observations must be independent; hands of one deal are not, so a duplicate deal is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError

# The standard normal quantile of 97.5 %, so that 95 % lie within.
QUANTILE_95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A mean, in the unit of the observations."""

    mean: float
    standard_error: float  # infinite where one observation tells nothing about the spread
    count: int

    @property
    def half_width(self) -> float:
        """The truth lies within this distance of the mean with a probability of 95 %."""
        return QUANTILE_95 * self.standard_error

    @property
    def student_half_width(self) -> float:
        """The same for few observations: by Student's t distribution, and infinite for one."""
        if self.count < 2:
            return inf
        # Importing it takes longer than most commands.
        from scipy.special import stdtrit

        return float(stdtrit(self.count - 1, 0.975)) * self.standard_error

    @property
    def interval(self) -> tuple[float, float]:
        return self.mean - self.half_width, self.mean + self.half_width

    def scaled(self, factor: float) -> "Estimate":
        """The same in another unit."""
        return Estimate(self.mean * factor, self.standard_error * abs(factor), self.count)


def estimate_mean(observations: Sequence[float] | NDArray[np.floating]) -> Estimate:
    """The mean of independent observations."""
    values = np.asarray(observations, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise InputError(f"a mean needs a list of observations; got the shape {values.shape}")
    error = float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else inf
    return Estimate(float(values.mean()), error, len(values))
