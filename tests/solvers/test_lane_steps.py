"""The weights of iterations in the average, and the boards that they visit."""

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


def test_the_first_iterations_draw_boards_in_cycles_and_the_others_visit_all() -> None:
    steps = LaneSteps(find_variant("dcfr+"), draw_boards=2, draw_until=5)
    drawn = [steps.next()[-3:] for _ in range(7)]
    assert drawn == [(2, 0, 0), (2, 1, 0), (2, 0, 1), (2, 1, 1), (2, 0, 2), (1, 0, 0), (1, 0, 0)]
    steps.go_to(3)
    assert steps.next()[-3:] == (2, 1, 1)
