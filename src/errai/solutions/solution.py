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
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.cards.ranges import format_range
from errai.errors import InputError, StorageError
from errai.evaluate.exploitability import Exploitability, best_responses, strategy_value
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solutions.engines import Game, Plan, Solver, plan_engine
from errai.solutions.method import (
    FAST_PRECISION,
    LEAST_LARGE_INFOSETS,
    EngineName,
    Goal,
    Method,
    default_method,
    is_large,
)
from errai.solutions.saved_state import SavedState
from errai.solutions.schedule import (
    Curve,
    StrategyKind,
    TracePoint,
    forecast_iterations,
    has_stalled,
    iterations_to_target,
    measuring_iterations,
)
from errai.solutions.stored_game import decode_game, encode_game
from errai.solutions.strategy_columns import state_columns, tree_columns
from errai.solutions.strategy_rows import StrategyRow, form_rows, tree_rows
from errai.solutions.tree_query import PublicStateReport, query_tree
from errai.solvers.flat_solver import Sampling, Updates
from errai.storage.solution_directory import read_solution, write_solution
from errai.storage.table_file import write_table
from errai.trees.public_tree import Precision, PublicTree

STRETCH_SECONDS = 0.1  # how long a solver runs before progress is reported


@dataclass(frozen=True)
class Progress:
    """What is told while a solve runs."""

    iteration: int
    iterations: int | None  # at which it stops at the latest, where that is set
    latest: TracePoint | None
    seconds_left: float | None  # an estimate, once there is one


_STRATEGY_KINDS: tuple[StrategyKind, StrategyKind] = ("average", "current")

OnPlan = Callable[[Plan], None]
OnProgress = Callable[[Progress], None]
ShouldStop = Callable[[], bool]
Range = str | NDArray[np.float64]
Judged = TypeVar("Judged")


class Solution:
    """A game, the method, and what it has reached so far. `solve` and `load_solution` make one."""

    def __init__(self, game: Game, method: Method, goal: Goal, plan: Plan, saved: SavedState | None = None) -> None:
        self.game = game
        self.method = method
        self.goal = goal
        self.plan = plan
        self.trace: list[TracePoint] = []
        self.seconds = 0.0  # of iterating
        self.measuring_seconds = 0.0
        self._solver: Solver | None = None  # built when it is first asked for: a query takes none of its memory
        self._saved = saved  # what the solver has not taken over yet
        self._measured: dict[StrategyKind, tuple[int, Exploitability]] = {}

    @property
    def solver(self) -> Solver:
        """Whoever iterates. The arrays of a solution that was loaded are read when it is first asked for."""
        if self._solver is None:
            self.plan.verify_fits()
            solver = self.plan.build_solver()
            if self._saved is not None:
                solver.restore(dict(self._saved.arrays), self._saved.iteration)
                self._saved = None
            self._solver = solver
        return self._solver

    @property
    def iteration(self) -> int:
        if self._saved is not None:
            return self._saved.iteration
        return 0 if self._solver is None else self._solver.iteration

    @property
    def exploitability(self) -> Exploitability:
        """Of the strategy that the goal is about, average or current."""
        return self.measure(self.goal.measure)

    @property
    def is_target_met(self) -> bool:
        return bool(self.trace) and self.trace[-1].iteration == self.iteration and self.goal.is_met_by(self.trace[-1])

    @property
    def is_stalled(self) -> bool:
        """Whether the exploitability no longer falls: more iterations would not bring it to the target."""
        return self.method.sampling is None and has_stalled(self._measured_points())

    def strategy(self, kind: StrategyKind = "average") -> Any:
        """The strategy, laid out as the engine does it; of a solution that was loaded, mapped and not read."""
        if self._saved is not None and isinstance(self.plan.judged, PublicTree):
            return self._saved.strategy(kind, self.method)
        return self.solver.average_strategy() if kind == "average" else self.solver.current_strategy()

    def strategy_rows(self, kind: StrategyKind = "average", *, last_round: int | None = None) -> Iterator[StrategyRow]:
        """The strategy as a person reads it, one infoset at a time, up to the given round."""
        judged, strategy = self.plan.judged, self.strategy(kind)
        if isinstance(judged, PublicTree):
            return tree_rows(judged, strategy, last_round=last_round)
        return form_rows(judged, strategy, last_round=last_round)

    def query(
        self,
        *,
        betting: str | None = None,
        board: str | None = None,
        kind: StrategyKind | None = None,
        with_values: bool = True,
    ) -> PublicStateReport:
        """What a strategy does at one public state; without betting and board, at the root.

        `betting` and `board` are those of the whole hand, as in `rc/cc/cr` and `Ks8s3d7h`; without `kind` it is the
        strategy that the goal is about. Values take a part of a second, except on the flop, where all turns and rivers
        are below: a few seconds.
        """
        tree = self._tree()
        state = tree.root if betting is None else parse_betting(tree.definition, betting)
        cards = tree.rounds[0].boards[0].cards if board is None else tree.definition.deck.parse(board)
        return query_tree(
            tree,
            self.strategy(kind or self.goal.measure),
            state=state,
            board=cards,
            with_values=with_values,
            num_threads=self.plan.num_threads,
        )

    def export_state(self, path: str | Path, **state: Any) -> int:
        """Write what `query` tells of one state as a table, `.csv` or `.parquet`; the number of rows."""
        return write_table(Path(path), iter([state_columns(self.query(**state))]))

    def export_all(self, path: str | Path, *, kind: StrategyKind | None = None) -> int:
        """Write every decision as a table, `.csv` or `.parquet`; the number of rows."""
        return write_table(Path(path), tree_columns(self._tree(), self.strategy(kind or self.goal.measure)))

    def measure(self, kind: StrategyKind = "average") -> Exploitability:
        """The exact exploitability of the average or the current strategy at this iteration."""
        measured = self._measure_responses(kind)
        if measured.value_chips is None:
            value = self._timed(strategy_value, kind)
            measured = replace(measured, value_chips=value)
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
        for milestone in self._milestones():
            self._run_to(milestone, on_progress=on_progress, should_stop=should_stop)
            if self.iteration > (self.trace[-1].iteration if self.trace else 0):
                self._extend_trace()
            if self.iteration < milestone or self.is_target_met:
                return
            if self.goal.target_mbb is not None and self.is_stalled:
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

    def _tree(self) -> PublicTree:
        tree = self.plan.judged
        if not isinstance(tree, PublicTree):
            raise InputError("only the lanes engine answers queries", hint="solve with the lanes engine")
        return tree

    def _milestones(self) -> Iterator[int]:
        """The iterations to measure at from here on."""
        after, last = self.iteration, self.goal.iterations
        if self.goal.target_mbb is None or self.goal.measure_every is not None:
            return measuring_iterations(after=after, last=last, every=self.goal.measure_every)
        return forecast_iterations(self._measured_points, self.goal.target_mbb, after=after, last=last)

    def _run_to(self, milestone: int, *, on_progress: OnProgress | None, should_stop: ShouldStop | None) -> None:
        """Run until iteration `milestone`, or until somebody asks to stop."""
        stretch = 1
        while self.iteration < milestone and not (should_stop and should_stop()):
            solver = self.solver  # taking its memory is no part of an iteration
            started = perf_counter()
            solver.run(min(stretch, milestone - self.iteration))
            elapsed = perf_counter() - started
            self.seconds += elapsed
            stretch = 2 * stretch if elapsed < STRETCH_SECONDS / 2 else max(1, int(stretch * STRETCH_SECONDS / elapsed))
            if on_progress:
                latest = self.trace[-1] if self.trace else None
                on_progress(Progress(self.iteration, self.goal.iterations, latest, self._seconds_left()))

    def _extend_trace(self) -> None:
        # Measuring a large game costs as much as iterating: only the strategy that the goal is about.
        is_costly = isinstance(self.game, Spot) or self.plan.num_infosets > LEAST_LARGE_INFOSETS
        kinds = (self.goal.measure,) if is_costly else _STRATEGY_KINDS
        average, current = (
            self._measure_responses(kind).exploitability_mbb if kind in kinds else None for kind in _STRATEGY_KINDS
        )
        self.trace.append(TracePoint(self.iteration, average, current))

    def _measure_responses(self, kind: StrategyKind) -> Exploitability:
        """What `measure` tells, for now without the value of the strategy, which is as much work as a response."""
        iteration, measured = self._measured.get(kind, (-1, None))
        if measured is None or iteration != self.iteration:
            measured = self._timed(best_responses, kind)
            self._measured[kind] = self.iteration, measured
        return measured

    def _timed(self, judge: Callable[..., Judged], kind: StrategyKind) -> Judged:
        """What a judge says of the strategy."""
        started = perf_counter()
        judged = judge(self.plan.judged, self.strategy(kind), num_threads=self.plan.num_threads)
        self.measuring_seconds += perf_counter() - started
        return judged

    def _measured_points(self) -> Curve:
        return [(point.iteration, point.of(self.goal.measure)) for point in self.trace]

    def _seconds_left(self) -> float | None:
        ends: list[float | None] = [self.goal.iterations]
        if self.goal.target_mbb is not None:
            ends.append(iterations_to_target(self._measured_points(), self.goal.target_mbb))
        known = [end for end in ends if end is not None]
        if not known:
            return None
        return (self.seconds + self.measuring_seconds) * max(min(known) / self.iteration - 1, 0.0)


def solve(
    game: str | Game,
    *,
    board: str | None = None,
    betting: str | None = None,
    range_bb: Range | None = None,
    range_dealer: Range | None = None,
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
    precision: Precision | None = None,
    num_threads: int | None = None,
    on_plan: OnPlan | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Solution:
    """Solve a game: for so many iterations, or until the exploitability is at most `target_mbb`, whichever comes first.

    `game` is a bundled game's name, a definition, a spot, or the tree of a game made in Python. With `board`, `betting`
    or a range it is the spot that these make of a limit game: the betting so far as the ACPC writes it, and for each
    player a text such as `22+,A2s+` or an array of weights from 0 to 1. A solve with a target stops as well when the
    exploitability no longer falls.

    Unless an algorithm is named it is `cfr+`, or `cfr` with sampling; for spots and for limit games of more than a
    million infosets it is `dcfr+` in `float32`. `on_plan` receives the plan before its memory is taken, `on_progress`
    the state of the solve, and `should_stop` is asked whether to end early.
    """
    goal = Goal(iterations=iterations, target_mbb=target_mbb, measure=measure, measure_every=measure_every)
    game = load_game(game) if isinstance(game, str) else game
    game = _spot_of(game, betting=betting, board=board, range_bb=range_bb, range_dealer=range_dealer)
    is_spot = isinstance(game, Spot)
    is_fast = is_spot or (engine != "flat" and isinstance(game, GameDefinition) and is_large(game))
    default_algorithm, default_precision = default_method(sampling=sampling, is_fast=is_fast)
    if algorithm is not None:
        default_precision = FAST_PRECISION if is_spot else "float64"
    method = Method(
        algorithm=algorithm or default_algorithm,
        engine=engine,
        updates=updates,
        averaging_delay=averaging_delay,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        sampling=sampling,
        seed=seed,
        planned_iterations=goal.iterations,
        precision=precision or default_precision,
        with_average=not is_spot or measure == "average",
    )
    if method.is_linear_program:
        goal = replace(goal, iterations=1)
    plan = plan_engine(game, method, num_threads=num_threads)
    if on_plan:
        on_plan(plan)
    solution = Solution(game, method, goal, plan)
    solution.resume(on_progress=on_progress, should_stop=should_stop)
    return solution


def load_solution(directory: str | Path, *, verify: bool = False, num_threads: int | None = None) -> Solution:
    """Read a solution that `Solution.save` wrote; with `verify`, check every byte of it."""
    stored = read_solution(Path(directory), verify=verify)
    description = stored.description
    try:
        game = decode_game(description["game"], stored.arrays, source=str(stored.directory))
        method = Method.from_json(description["method"])
        goal = Goal(**description["goal"])
        plan = plan_engine(game, replace(method, engine=description["engine"]), num_threads=num_threads)
        saved = SavedState(stored.arrays, description["iteration"])
        saved.verify_fits(plan.state_shapes)
        solution = Solution(game, method, goal, plan, saved)
        solution.trace = [TracePoint(**point) for point in description["trace"]]
        solution.seconds = description["seconds"]
        solution.measuring_seconds = description["measuring_seconds"]
    except (KeyError, TypeError, InputError) as error:
        raise StorageError(
            f"`{stored.directory}` holds no solution that this program understands: {error}",
            hint=f"it was written by errai {stored.errai_version}",
        ) from error
    return solution


def _spot_of(game: Game, **texts: Range | None) -> Game:
    """The spot that the given texts make of `game`; without any, the game itself."""
    given = {name: text for name, text in texts.items() if text is not None}
    if not given:
        return game
    if not isinstance(game, GameDefinition):
        raise InputError(f"only a limit poker game has spots; got `{game.name}`", hint="leave board and betting out")
    written: dict[str, Any] = {
        name: text if isinstance(text, str) else format_range(text, game.deck) for name, text in given.items()
    }
    return Spot(game, **written)
