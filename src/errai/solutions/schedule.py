"""When exploitability is measured, and how long the rest will take.

Exploitability falls like a power of the iterations, so it is measured at iterations that grow like powers: 1, 2, 3, 5,
10, 20, 30, 50, 100, ... On the way to a target the points lie closer, apart from the first ones, which hardly ever meet
it: the run stops at the first one that does. Where a measurement costs as much as an iteration, the curve so far tells
where to measure next.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import ceil, exp, log

Curve = Sequence[tuple[int, float]]  # iteration and exploitability

_COARSE = (10, 20, 30, 50)
_FINE = (10, 15, 20, 25, 30, 40, 50, 60, 80)
_FIRST_TOWARD_TARGET = (1, 5)
_FIRST_FORECAST = 5
_LEAST_ITERATIONS_TO_STALL = 200


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

    Each is where the curve `measured` so far should meet the target, but at most twice the iteration before, as a curve
    bends, and a twentieth beyond it. Where the curve tells nothing it is a quarter beyond it.
    """
    iteration = after
    while last is None or iteration < last:
        expected = iterations_to_target(measured(), target_mbb) or 1.25 * iteration
        iteration = max(_FIRST_FORECAST, ceil(min(max(expected, 1.05 * iteration), 2 * iteration)))
        iteration = iteration if last is None else min(iteration, last)
        yield iteration


def _growing(first: Sequence[int], tens: Sequence[int]) -> Iterator[int]:
    yield from first
    for power in count():
        yield from (ten * 10**power for ten in tens)


def has_stalled(curve: Curve) -> bool:
    """Whether twice the iterations made exploitability fall by less than a twentieth: precision has its floor there.

    The first iterations are too uneven to tell, and so is a single point.
    """
    last = curve[-1][0] if curve else 0
    before = [mbb for iteration, mbb in curve if iteration <= last / 2]
    since = [mbb for iteration, mbb in curve if iteration > last / 2]
    return last >= _LEAST_ITERATIONS_TO_STALL and bool(before) and len(since) > 1 and min(since) > 0.95 * min(before)


def iterations_to_target(curve: Curve, target_mbb: float) -> float | None:
    """The iteration that should meet the target, by the line through the latest points on logarithmic scales.

    These are the points of the last three quarters. None where there is no telling: too few of them, or no progress.
    """
    latest = [point for point in curve if 4 * point[0] >= curve[-1][0]]
    points = [(log(iteration), log(mbb)) for iteration, mbb in latest if iteration > 0 and mbb > 0]
    if len(points) < 2 or target_mbb <= 0:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    if slope >= -0.05:
        return None
    return exp(min(mean_x + (log(target_mbb) - mean_y) / slope, 100.0))
