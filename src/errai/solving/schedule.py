"""When exploitability is measured, and how long the rest will take.

Exploitability falls like a power of the iterations, so it is measured at iterations that grow like powers: 1, 2, 3, 5,
10, 20, 30, 50, 100, ... On the way to a target the points lie closer, apart from the first ones, which hardly ever meet
it: the run stops at the first one that does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import exp, log
from typing import Literal

StrategyKind = Literal["average", "current"]

_COARSE = (10, 20, 30, 50)
_FINE = (10, 15, 20, 25, 30, 40, 50, 60, 80)
_FIRST_TOWARD_TARGET = (1, 5)
_LEAST_ITERATIONS_TO_STALL = 200


@dataclass(frozen=True)
class TracePoint:
    """What was measured at one iteration."""

    iteration: int
    average_mbb: float | None  # None where it was not measured
    current_mbb: float | None

    def of(self, kind: StrategyKind) -> float:
        """The exploitability of the average or of the current strategy, which must have been measured."""
        measured = self.average_mbb if kind == "average" else self.current_mbb
        assert measured is not None
        return measured


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


def _growing(first: Sequence[int], tens: Sequence[int]) -> Iterator[int]:
    yield from first
    for power in count():
        yield from (ten * 10**power for ten in tens)


def has_stalled(trace: Sequence[tuple[int, float]]) -> bool:
    """Whether twice the iterations made exploitability fall by less than a twentieth: precision has its floor there.

    `trace` holds pairs of iteration and exploitability. The first iterations are too uneven to tell.
    """
    last = trace[-1][0] if trace else 0
    before = [mbb for iteration, mbb in trace if iteration <= last / 2]
    since = [mbb for iteration, mbb in trace if iteration > last / 2]
    return last >= _LEAST_ITERATIONS_TO_STALL and bool(before) and min(since) > 0.95 * min(before)


def iterations_to_target(trace: Sequence[tuple[int, float]], target_mbb: float) -> float | None:
    """The iteration that should meet the target, by the line through the last points on logarithmic scales.

    `trace` holds pairs of iteration and exploitability. None where there is no telling: too few points, or no progress.
    """
    points = [(log(iteration), log(mbb)) for iteration, mbb in trace[-8:] if iteration > 0 and mbb > 0]
    if len(points) < 3 or target_mbb <= 0:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    if slope >= -0.05:
        return None
    return exp(min(mean_x + (log(target_mbb) - mean_y) / slope, 100.0))
