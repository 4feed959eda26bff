import math

import numpy as np
import pytest

from errai.errors import InputError
from errai.evaluate.statistics import estimate_mean


def test_the_interval_is_196_standard_errors_to_each_side() -> None:
    estimate = estimate_mean([1.0, 2.0, 3.0, 4.0])
    assert estimate.mean == 2.5
    assert estimate.standard_error == pytest.approx(math.sqrt(5 / 3) / 2)
    assert estimate.half_width == pytest.approx(1.96 * estimate.standard_error, rel=1e-4)
    assert estimate.interval == pytest.approx((2.5 - estimate.half_width, 2.5 + estimate.half_width))


def test_95_of_100_intervals_hold_the_truth() -> None:
    random = np.random.default_rng(0)
    held = [abs((e := estimate_mean(random.exponential(size=400))).mean - 1.0) <= e.half_width for _ in range(2000)]
    # Two standard errors of a share of 2,000 are 0.01; the skew of the exponential takes a little away.
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)


def test_one_observation_tells_nothing_about_its_spread() -> None:
    assert estimate_mean([3.0]).half_width == math.inf


def test_another_unit_scales_mean_and_interval() -> None:
    estimate = estimate_mean([1.0, 3.0]).scaled(-10)
    assert (estimate.mean, estimate.standard_error) == (-20.0, 10.0)


@pytest.mark.parametrize("observations", [[], [[1.0, 2.0]]])
def test_what_is_no_list_of_observations_is_refused(observations: list[float]) -> None:
    with pytest.raises(InputError, match="a mean needs a list of observations"):
        estimate_mean(observations)
