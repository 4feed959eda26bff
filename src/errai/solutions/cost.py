"""The cost of a solve before it begins: memory exactly, time from a short run of its engine on this machine.

The iterations to a target follow what the default methods needed. `dcfr+` on a limit turn with full ranges: 270 to
1 mbb, and in proportion to the exploitability to the power of -2/3 (measured between 12 and 0.9 mbb). `dcfr` on a
no-limit turn: 42 to 1 % of the pot, and to the power of -0.55 (measured between 1 and 0.04 %).
"""

from errai.games.spot import Spot
from errai.reports.cost import Cost
from errai.solutions import machine_memory
from errai.solutions.engines import ENGINES, plan_solve
from errai.solutions.request import SolveRequest, pot_target_mbb

_ITERATIONS_TO_1_MBB, _POWER_OF_MBB = 270, -2 / 3
_ITERATIONS_TO_1_PERCENT, _POWER_OF_PERCENT = 42, -0.55


def estimate_cost(request: SolveRequest) -> Cost:
    """What it takes to bring a request to its goal."""
    plan, goal = plan_solve(request), request.goal
    ends = [goal.iterations] if goal.iterations is not None else []
    if goal.target_mbb is not None:
        ends.append(max(1, round(_iterations_to(goal.target_mbb, request.posed.start))))
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


def _iterations_to(target_mbb: float, start: Spot | None) -> float:
    if start is None or start.definition.is_limit:
        return _ITERATIONS_TO_1_MBB * float(target_mbb**_POWER_OF_MBB)
    percent = target_mbb / pot_target_mbb(start, 1.0)
    return _ITERATIONS_TO_1_PERCENT * float(percent**_POWER_OF_PERCENT)
