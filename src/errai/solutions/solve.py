"""`errai.solve`: a game, options as keywords, a solution."""

from collections.abc import Callable
from typing import Any, Unpack

from errai.solutions.engine import Plan
from errai.solutions.engines import plan_solve
from errai.solutions.game_kinds import Game
from errai.solutions.request import SolveOptions, SolveRequest
from errai.solutions.solution import OnProgress, ShouldStop, Solution

OnPlan = Callable[[Plan[Any]], None]


def solve(
    game: str | Game,
    *,
    on_plan: OnPlan | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    **options: Unpack[SolveOptions],
) -> Solution:
    """Solve a game: for so many iterations, or until the exploitability is at most `target_mbb`, whichever comes first.

    `game` is a bundled game's name, a definition, a spot, or the tree of a game made in Python. With `board`, `betting`
    or a range it is that spot of a limit game: the betting so far as the ACPC writes it, and for each player a text
    such as `22+,A2s+` or an array of weights from 0 to 1. `SolveOptions` lists all options. A solve with a target also
    stops when the exploitability no longer falls.

    The algorithm is a name or a `Variant` of your own. Unless one is given it is `cfr+`, or `cfr` with sampling; for
    limit spots and for limit games of more than a million infosets it is `dcfr+` in `float32`, for no-limit spots
    `dcfr` with exponents of its own. `on_plan` receives the plan before its memory is taken, `on_progress` the state of
    the solve, and `should_stop` is asked whether to end early.
    """
    return run_request(
        SolveRequest.of(game, **options), on_plan=on_plan, on_progress=on_progress, should_stop=should_stop
    )


def run_request(
    request: SolveRequest,
    *,
    on_plan: OnPlan | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Solution:
    """Plan a request and run it to its goal."""
    plan = plan_solve(request)
    if on_plan:
        on_plan(plan)
    solution = Solution(request, plan)
    solution.resume(on_progress=on_progress, should_stop=should_stop)
    return solution
