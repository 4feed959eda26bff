"""What a solve will take, before it takes it: memory exactly, time from a short run on this machine.

The lanes engine is timed on a turn of limit hold'em, whose infosets an iteration passes at much the same rate as those
of other games. The iterations to a target follow what `dcfr+` needed on a turn with full ranges: 270 to 1 mbb, and in
proportion to the exploitability to the power of -2/3 (measured between 12 and 0.9 mbb).
"""

from dataclasses import dataclass
from time import perf_counter

from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solutions.engines import plan_engine
from errai.solutions.method import Method
from errai.solutions.solution import Solution

_TIMED_ITERATIONS = 3
_ITERATIONS_TO_1_MBB = 270


@dataclass(frozen=True)
class Cost:
    """What a solve will take; the time is an estimate."""

    engine: str
    infosets: int
    memory_bytes: int
    available_bytes: int | None  # that this machine can give
    num_threads: int
    iterations: int
    seconds_per_iteration: float
    seconds: float


def estimate_cost(solution: Solution) -> Cost:
    """What it takes to bring a solution that was not begun to its goal."""
    plan, goal = solution.plan, solution.goal
    ends = [goal.iterations] if goal.iterations is not None else []
    if goal.target_mbb is not None:
        ends.append(max(1, round(_ITERATIONS_TO_1_MBB * goal.target_mbb ** (-2 / 3))))
    iterations = min(ends)
    seconds = plan.num_infosets / _infosets_per_second(plan.num_threads)
    return Cost(
        engine=plan.engine,
        infosets=plan.num_infosets,
        memory_bytes=plan.memory_bytes,
        available_bytes=plan.available_bytes,
        num_threads=plan.num_threads,
        iterations=iterations,
        seconds_per_iteration=seconds,
        seconds=seconds * iterations,
    )


def _infosets_per_second(num_threads: int) -> float:
    spot = Spot(load_game("holdem.limit.2p"), betting="rc/cc/", board="Ks8s3d7h")
    plan = plan_engine(spot, Method(algorithm="dcfr+", precision="float32"), num_threads=num_threads)
    solver = plan.build_solver()
    solver.run(1)  # the first one also takes the memory
    started = perf_counter()
    solver.run(_TIMED_ITERATIONS)
    return plan.num_infosets * _TIMED_ITERATIONS / (perf_counter() - started)
