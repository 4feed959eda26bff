"""The estimate of the time that a run has left."""

import pytest

from errai.runs.progress import estimate_seconds_left
from errai.runs.settings import RunSettings
from reference.mini_game import MINI


def left(settings: RunSettings, seconds: list[float], last_pass: int, *, passes_done: float | None = None) -> float:
    done = len(seconds) if passes_done is None else passes_done
    estimate = estimate_seconds_left(settings.work_of_passes, seconds, passes_done=done, last_pass=last_pass)
    assert estimate is not None
    return estimate


def test_passes_that_are_alike_take_as_long_as_the_last_ones() -> None:
    settings = RunSettings.of(MINI, with_average=False)
    assert left(settings, [99.0, 99.0, 1.0, 1.0, 2.0, 2.0], last_pass=10) == pytest.approx(4 * 1.5)
    assert left(settings, [2.0], last_pass=3, passes_done=1.25) == pytest.approx(1.75 * 2.0)
    assert left(settings, [2.0], last_pass=1) == 0.0


def test_iterations_that_average_take_longer_and_those_that_draw_boards_less() -> None:
    settings = RunSettings.of(MINI, draw_boards=2, draw_until=2, averaging_delay=4)
    drawn = 0.2 + 0.8 / 2
    # Four passes that draw, four that do not, then four that average.
    assert [settings.work_of_passes(passes) for passes in (0, 4, 8, 12)] == pytest.approx(
        [0, 4 * drawn, 4 * drawn + 4, 4 * drawn + 4 + 4 * 1.8]
    )
    assert left(settings, [6.0] * 4, last_pass=12) == pytest.approx((4 + 4 * 1.8) * 6.0 / drawn)


def test_a_run_that_has_done_nothing_has_no_estimate() -> None:
    settings = RunSettings.of(MINI)
    assert estimate_seconds_left(settings.work_of_passes, [], passes_done=0, last_pass=10) is None
