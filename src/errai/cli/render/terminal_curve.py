"""A small convergence curve for the terminal, both scales logarithmic, drawn with Braille dots, 2 x 4 per cell."""

from collections.abc import Sequence
from itertools import pairwise
from math import floor, log10

# The bit of each dot of a Braille character, by column and row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def draw_curve(points: Sequence[tuple[int, float]], *, width: int = 60, height: int = 10) -> list[str]:
    """The lines of a picture of positive values over iterations, with its axes."""
    drawn = [(log10(iteration), log10(value)) for iteration, value in points if iteration > 0 and value > 0]
    if len(drawn) < 2:
        return []
    low, high = min(y for _, y in drawn), max(y for _, y in drawn)
    left, right = drawn[0][0], drawn[-1][0]
    columns, rows = 2 * width, 4 * height
    cells = [[0] * width for _ in range(height)]
    for column in range(columns):
        y = _interpolate(drawn, left + (right - left) * column / (columns - 1))
        row = _row_of(y, low, high, rows)
        cells[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
    labels = _row_labels(low, high, height)
    lines = [
        f"{labels.get(row, ''):>8} ┤" + "".join(chr(0x2800 + cell) for cell in cells[row]).rstrip("\u2800")
        for row in range(height)
    ]
    first, last = f"{points[0][0]:,}", f"{points[-1][0]:,} iterations"
    lines.append(" " * 9 + "└" + "─" * width)
    lines.append(" " * 10 + first + last.rjust(width - len(first)))
    return lines


def _row_labels(low: float, high: float, height: int) -> dict[int, str]:
    """The numbers of rows: powers of ten, also their multiples where there is no room for two powers, else the ends."""
    for multiples in ((1,), (1, 2, 5), range(1, 10)):
        ticks = [log10(m) + power for power in range(floor(low), floor(high) + 1) for m in multiples]
        within = [tick for tick in ticks if low <= tick <= high]
        if len(within) > 1:
            break
    else:
        within = [high, low]
    return {_row_of(tick, low, high, height): f"{float(f'{10.0**tick:.3g}'):g}" for tick in within}


def _row_of(y: float, low: float, high: float, rows: int) -> int:
    return round((high - y) / (high - low) * (rows - 1)) if high > low else rows // 2


def _interpolate(points: Sequence[tuple[float, float]], x: float) -> float:
    for (x0, y0), (x1, y1) in pairwise(points):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]
