"""Solving a game: run a solver, let the judge measure how far it has come, stop at the goal, save, load and go on.

1. plan the engine: what it will take is known before it is taken;
2. run to the next iteration at which to measure, in stretches short enough to report progress and to be stopped;
3. measure the exploitability of the average and of the current strategy, and add both to the trace;
4. stop at the goal, else back to 2.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from errai.errors import InputError, StorageError
from errai.evaluate.exploitability import Exploitability, exploitability
from errai.evaluate.lanes import best_response_value, profile_value
from errai.games import load_game
from errai.games.extensive_form import ExtensiveForm
from errai.games.public_tree import PublicTree
from errai.solving.engines import Game, Plan, plan_engine
from errai.solving.method import EngineName, Goal, Method, Sampling, Updates, default_algorithm
from errai.solving.schedule import StrategyKind, TracePoint, iterations_to_target, measuring_iterations
from errai.solving.stored_game import decode_game, encode_game
from errai.solving.strategy_rows import StrategyRow, form_rows, tree_rows
from errai.storage import read_solution, write_solution

STRETCH_SECONDS = 0.1  # how long a solver runs before progress is reported


@dataclass(frozen=True)
class Progress:
    """What is told while a solve runs."""

    iteration: int
    iterations: int | None  # at which it stops at the latest, where that is set
    latest: TracePoint | None
    seconds_left: float | None  # an estimate, once there is one


OnPlan = Callable[[Plan], None]
OnProgress = Callable[[Progress], None]
ShouldStop = Callable[[], bool]


class Solution:
    """A game, the method, and what it has reached so far. `solve` and `load_solution` make one."""

    def __init__(self, game: Game, method: Method, goal: Goal, plan: Plan) -> None:
        self.game = game
        self.method = method
        self.goal = goal
        self.plan = plan
        self.trace: list[TracePoint] = []
        self.seconds = 0.0  # of iterating
        self.measuring_seconds = 0.0
        self.solver = plan.build_solver()
        self._measured: dict[StrategyKind, tuple[int, Exploitability]] = {}

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def exploitability(self) -> Exploitability:
        """Of the strategy that the goal is about, average or current."""
        return self.measure(self.goal.measure)

    @property
    def is_target_met(self) -> bool:
        return bool(self.trace) and self.trace[-1].iteration == self.iteration and self.goal.is_met_by(self.trace[-1])

    def strategy(self, kind: StrategyKind = "average") -> Any:
        """The strategy, laid out as the engine does it."""
        return self.solver.average_strategy() if kind == "average" else self.solver.current_strategy()

    def strategy_rows(self, kind: StrategyKind = "average", *, last_round: int | None = None) -> Iterator[StrategyRow]:
        """The strategy as a person reads it, one infoset at a time, up to the given round."""
        judged, strategy = self.plan.judged, self.strategy(kind)
        if isinstance(judged, PublicTree):
            return tree_rows(judged, strategy, last_round=last_round)
        return form_rows(judged, strategy, last_round=last_round)

    def measure(self, kind: StrategyKind = "average") -> Exploitability:
        """The exact exploitability of the average or the current strategy at this iteration."""
        iteration, measured = self._measured.get(kind, (-1, None))
        if measured is None or iteration != self.iteration:
            started = perf_counter()
            measured = _judge(self.plan.judged, self.strategy(kind))
            self.measuring_seconds += perf_counter() - started
            self._measured[kind] = self.iteration, measured
        return measured

    def resume(
        self,
        *,
        iterations: int | None = None,
        target_mbb: float | None = None,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        """Go on to the goal, or to another one; `iterations` counts from the very first."""
        if iterations is not None or target_mbb is not None:
            self.goal = replace(self.goal, iterations=iterations, target_mbb=target_mbb)
        if self.is_target_met:
            return
        for milestone in measuring_iterations(
            after=self.iteration,
            last=self.goal.iterations,
            every=self.goal.measure_every,
            toward_target=self.goal.target_mbb is not None,
        ):
            self._run_to(milestone, on_progress=on_progress, should_stop=should_stop)
            if self.iteration > 0:
                self._extend_trace()
            if self.iteration < milestone or self.is_target_met:
                return

    def save(self, directory: str | Path) -> None:
        """Write everything into `directory`; `load_solution` reads it back, and `resume` goes on from there."""
        game, game_arrays = encode_game(self.game)
        description = {
            "game": game,
            "method": self.method.to_json(),
            "goal": asdict(self.goal),
            "engine": self.plan.engine,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "measuring_seconds": self.measuring_seconds,
            "trace": [asdict(point) for point in self.trace],
        }
        write_solution(Path(directory), description=description, arrays={**game_arrays, **self.solver.state_arrays()})

    def _run_to(self, milestone: int, *, on_progress: OnProgress | None, should_stop: ShouldStop | None) -> None:
        """Run until iteration `milestone`, or until somebody asks to stop."""
        stretch = 1
        while self.iteration < milestone and not (should_stop and should_stop()):
            started = perf_counter()
            self.solver.run(min(stretch, milestone - self.iteration))
            elapsed = perf_counter() - started
            self.seconds += elapsed
            stretch = 2 * stretch if elapsed < STRETCH_SECONDS / 2 else max(1, int(stretch * STRETCH_SECONDS / elapsed))
            if on_progress:
                latest = self.trace[-1] if self.trace else None
                on_progress(Progress(self.iteration, self.goal.iterations, latest, self._seconds_left()))

    def _extend_trace(self) -> None:
        average, current = self.measure("average"), self.measure("current")
        self.trace.append(TracePoint(self.iteration, average.exploitability_mbb, current.exploitability_mbb))

    def _seconds_left(self) -> float | None:
        ends: list[float | None] = [self.goal.iterations]
        if self.goal.target_mbb is not None:
            measured = [(point.iteration, point.of(self.goal.measure)) for point in self.trace]
            ends.append(iterations_to_target(measured, self.goal.target_mbb))
        known = [end for end in ends if end is not None]
        if not known:
            return None
        return (self.seconds + self.measuring_seconds) * max(min(known) / self.iteration - 1, 0.0)


def solve(
    game: str | Game,
    *,
    algorithm: str | None = None,
    iterations: int | None = None,
    target_mbb: float | None = None,
    measure: StrategyKind = "average",
    measure_every: int | None = None,
    engine: EngineName = "auto",
    updates: Updates = "alternating",
    averaging_delay: int = 0,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    sampling: Sampling | None = None,
    seed: int = 0,
    on_plan: OnPlan | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Solution:
    """Solve a game: for so many iterations, or until the exploitability is at most `target_mbb`, whichever comes first.

    `game` is a bundled game's name, a definition, or the tree of a game made in Python. The algorithm is `cfr+` unless
    another is named, or `cfr` with sampling. `on_plan` hears what the solve will take before it takes it, `on_progress`
    how far it is, and `should_stop` is asked whether to end early.
    """
    goal = Goal(iterations=iterations, target_mbb=target_mbb, measure=measure, measure_every=measure_every)
    method = Method(
        algorithm=algorithm or default_algorithm(sampling=sampling),
        engine=engine,
        updates=updates,
        averaging_delay=averaging_delay,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        sampling=sampling,
        seed=seed,
        planned_iterations=goal.iterations,
    )
    if method.is_linear_program:
        goal = replace(goal, iterations=1)
    game = load_game(game) if isinstance(game, str) else game
    plan = plan_engine(game, method)
    if on_plan:
        on_plan(plan)
    plan.verify_fits()
    solution = Solution(game, method, goal, plan)
    solution.resume(on_progress=on_progress, should_stop=should_stop)
    return solution


def load_solution(directory: str | Path, *, verify: bool = False) -> Solution:
    """Read a solution that `Solution.save` wrote; with `verify`, check every byte of it."""
    stored = read_solution(Path(directory), verify=verify)
    description = stored.description
    try:
        game = decode_game(description["game"], stored.arrays, source=str(stored.directory))
        method = Method.from_json(description["method"])
        goal = Goal(**description["goal"])
        plan = plan_engine(game, replace(method, engine=description["engine"]))
        plan.verify_fits()
        solution = Solution(game, method, goal, plan)
        solution.trace = [TracePoint(**point) for point in description["trace"]]
        solution.seconds = description["seconds"]
        solution.measuring_seconds = description["measuring_seconds"]
        solution.solver.restore(dict(stored.arrays), description["iteration"])
    except (KeyError, TypeError, InputError) as error:
        raise StorageError(
            f"`{stored.directory}` holds no solution that this program understands: {error}",
            hint=f"it was written by errai {stored.errai_version}",
        ) from error
    return solution


def _judge(judged: PublicTree | ExtensiveForm, strategy: Any) -> Exploitability:
    if isinstance(judged, ExtensiveForm):
        return exploitability(judged, strategy)
    first, second = (best_response_value(judged, strategy, player) for player in (0, 1))
    unit_chips = float(judged.definition.small_bet_chips)
    return Exploitability((first, second), profile_value(judged, strategy), unit_chips)
