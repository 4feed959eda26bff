"""Which iterations an average takes in, and with which weights."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.solvers.lane_steps import AveragingSchedule, LaneSteps
from errai.solvers.variants import find_variant


def taken_in(schedule: AveragingSchedule, last: int) -> list[int]:
    return [iteration for iteration in range(1, last + 1) if schedule.weight(iteration, 1.0)]


def test_without_steps_every_iteration_after_the_delay_is_taken_in() -> None:
    assert taken_in(AveragingSchedule(), 5) == [1, 2, 3, 4, 5]
    assert taken_in(AveragingSchedule(delay=3), 6) == [4, 5, 6]


def test_with_steps_the_gaps_double_as_the_iterations_do() -> None:
    assert taken_in(AveragingSchedule(steps=4), 40) == [*range(1, 9), 10, 12, 14, 16, 20, 24, 28, 32, 40]
    assert taken_in(AveragingSchedule(delay=2, steps=2), 16) == [3, 4, 6, 8, 12, 16]
    assert taken_in(AveragingSchedule(delay=9, steps=2), 16) == [12, 16]


@given(st.integers(0, 20), st.integers(0, 40), st.integers(1, 400), st.floats(0, 5))
def test_the_weights_are_those_of_all_iterations_that_the_average_stands_for(
    delay: int, steps: int, last: int, gamma: float
) -> None:
    schedule = AveragingSchedule(delay, steps)
    given_weights = sum(schedule.weight(iteration, gamma) for iteration in range(1, last + 1))
    assert given_weights == pytest.approx(schedule.total_weight(last, gamma))
    assert schedule.last(last) == max(taken_in(schedule, last), default=0)
    assert schedule.updates(last) == len(taken_in(schedule, last))
    counted = schedule.last(last) - delay
    assert schedule.total_weight(last, gamma) == pytest.approx(sum(float(n) ** gamma for n in range(1, counted + 1)))


def test_an_iteration_that_is_passed_over_has_the_same_regrets_and_no_weight_in_the_average() -> None:
    every = LaneSteps(find_variant("dcfr+"))
    some = LaneSteps(find_variant("dcfr+"), average_steps=1)
    for _ in range(20):
        step, sparse = every.next(), some.next()
        assert sparse._replace(average_weight=0.0) == step._replace(average_weight=0.0)
        is_power_of_two = every.iteration.bit_count() == 1
        assert (sparse.average_weight > 0) == is_power_of_two
