"""The weights of iterations in the average."""

from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import find_variant


def test_every_iteration_after_the_delay_has_its_weight_in_the_average() -> None:
    steps = LaneSteps(find_variant("dcfr+"), averaging_delay=3)
    assert [steps.next().average_weight for _ in range(6)] == [0, 0, 0, 1, 2**4, 3**4]


def test_a_delay_changes_no_regret() -> None:
    every, late = LaneSteps(find_variant("dcfr+")), LaneSteps(find_variant("dcfr+"), averaging_delay=5)
    for _ in range(10):
        step, delayed = every.next(), late.next()
        assert delayed._replace(average_weight=0.0) == step._replace(average_weight=0.0)
