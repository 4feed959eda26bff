"""When exploitability is measured, and how long the rest will take.

Exploitability falls like a power of the iterations, so it is measured at iterations that grow like powers: 1, 2, 3, 5,
10, 20, 30, 50, 100, ... On the way to a target the points lie closer, apart from the first ones, which hardly ever meet
it: the run stops at the first one that does. Where a measurement costs as much as an iteration, the next one is made
where the curve so far should meet the target.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import ceil, exp, log
from typing import NamedTuple

Curve = Sequence[tuple[int, float]]  # iteration and exploitability

_COARSE = (10, 20, 30, 50)
_FINE = (10, 15, 20, 25, 30, 40, 50, 60, 80)
_FIRST_TOWARD_TARGET = (1, 5)
_FIRST_FORECAST = 5
# A curve that has not fallen since half of the iterations, or early on since a quarter, has stalled. For each rule: the
# part of the iterations, the least number of them, and the least number of points since. No average of any variant on
# Kuhn and Leduc breaks them.
_STALLS = ((2, 200, 2), (4, 20, 3))
_LEAST_FALL = 0.05
MOST_ITERATIONS = 10**10
_FIRST_ITERATION_OUT_OF_REACH = 10_000  # earlier the curve may still become steeper


def measuring_iterations(
    *, after: int, last: int | None, every: int | None = None, toward_target: bool = False
) -> Iterator[int]:
    """The iterations beyond `after` to measure at, in order, and `last`; without `last`, endlessly."""
    first = _FIRST_TOWARD_TARGET if toward_target else tuple(ten // 10 for ten in _COARSE)
    candidates = count(every, every) if every else _growing(first, _FINE if toward_target else _COARSE)
    for iteration in candidates:
        if last is not None and iteration >= last:
            break
        if iteration > after:
            yield iteration
    if last is not None and last > after:
        yield last


def forecast_iterations(
    measured: Callable[[], Curve], target_mbb: float, *, after: int, last: int | None
) -> Iterator[int]:
    """The iterations beyond `after` to measure at on the way to a target, and `last`.

    Each is where the curve `measured` so far should meet the target, but a twentieth beyond the iteration before at
    least, and not far beyond it, as a curve bends: twice, and less near the target, where going too far costs most.
    Where the curve shows no trend it is a quarter beyond it.
    """
    iteration = after
    while last is None or iteration < last:
        curve = measured()
        expected = iterations_to_target(curve, target_mbb) or 1.25 * iteration
        farthest = (2 if not curve or curve[-1][1] > 4 * target_mbb else 1.6) * iteration
        iteration = max(_FIRST_FORECAST, ceil(min(max(expected, 1.05 * iteration), farthest)))
        iteration = iteration if last is None else min(iteration, last)
        yield iteration


def _growing(first: Sequence[int], tens: Sequence[int]) -> Iterator[int]:
    yield from first
    for power in count():
        yield from (ten * 10**power for ten in tens)


def has_stalled(curve: Curve, *, averaging_delay: int = 0) -> bool:
    """Whether exploitability has stopped falling: precision has its floor there.

    The first iterations are too uneven to judge, and so is a single point. An average begins after its delay.
    """
    curve = [(iteration - averaging_delay, mbb) for iteration, mbb in curve if iteration > averaging_delay]
    last = curve[-1][0] if curve else 0
    for part, least_iterations, least_points in _STALLS:
        before = [mbb for iteration, mbb in curve if iteration <= last / part]
        since = [mbb for iteration, mbb in curve if iteration > last / part]
        is_known = last >= least_iterations and before and len(since) >= least_points
        if is_known and min(since) > (1 - _LEAST_FALL) * min(before):
            return True
    return False


def is_out_of_reach(curve: Curve, target_mbb: float, *, is_sampled: bool) -> bool:
    """Whether the target would take more than `MOST_ITERATIONS`, even if the curve fell as fast as theory promises.

    That is t^-1 for whole iterations, in practice, and t^-0.5 for sampled ones; a curve that falls faster is believed.
    """
    if not curve or curve[-1][0] < _FIRST_ITERATION_OUT_OF_REACH:
        return False
    fitted = _fitted_line(curve, since=curve[-1][0] / 10)
    latest = min(mbb for _, mbb in curve)
    if fitted is None or latest <= target_mbb:
        return False
    slope = min(fitted.slope, -0.5 if is_sampled else -1.0)
    return log(curve[-1][0]) + (log(target_mbb) - log(latest)) / slope > log(MOST_ITERATIONS)


def iterations_to_target(curve: Curve, target_mbb: float) -> float | None:
    """The iteration that should meet the target, by the line through the latest points on logarithmic scales.

    These are the points of the last three quarters. None where they do not show it: too few points, or no progress.
    """
    fitted = _fitted_line(curve, since=curve[-1][0] / 4) if curve else None
    if fitted is None or fitted.slope >= -0.05:
        return None
    return exp(min(fitted.mean_x + (log(target_mbb) - fitted.mean_y) / fitted.slope, 100.0))


class _Line(NamedTuple):
    """A line through the logarithms of iterations and exploitabilities."""

    mean_x: float
    mean_y: float
    slope: float


def _fitted_line(curve: Curve, *, since: float) -> _Line | None:
    """By least squares; None where there are fewer than two points."""
    points = [(log(iteration), log(mbb)) for iteration, mbb in curve if iteration >= max(since, 1) and mbb > 0]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return _Line(mean_x, mean_y, slope)
