"""The cost of a solve before it begins: memory exactly, time from a short run of its engine on this machine.

The iterations to a target follow what `dcfr+` needed on a turn with full ranges: 270 to 1 mbb, and in proportion to the
exploitability to the power of -2/3 (measured between 12 and 0.9 mbb).
"""

from errai.reports.cost import Cost
from errai.solutions import machine_memory
from errai.solutions.engines import ENGINES, plan_solve
from errai.solutions.request import SolveRequest

_ITERATIONS_TO_1_MBB = 270


def estimate_cost(request: SolveRequest) -> Cost:
    """What it takes to bring a request to its goal."""
    plan, goal = plan_solve(request), request.goal
    ends = [goal.iterations] if goal.iterations is not None else []
    if goal.target_mbb is not None:
        ends.append(max(1, round(_ITERATIONS_TO_1_MBB * goal.target_mbb ** (-2 / 3))))
    iterations = min(ends)
    seconds = ENGINES[plan.engine].estimate_iteration_seconds(plan)
    return Cost(
        game=request.posed.name,
        algorithm=request.method.algorithm,
        engine=plan.engine,
        infosets=plan.num_infosets,
        memory_bytes=plan.memory_bytes,
        available_bytes=machine_memory.available_bytes(),
        num_threads=plan.num_threads,
        iterations=iterations,
        seconds_per_iteration=seconds,
        seconds=None if seconds is None else seconds * iterations,
    )
