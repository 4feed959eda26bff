"""A solution: a game, the request, and what the solver has reached. It runs on, is measured, asked, saved and opened.

1. Run to the next iteration at which to measure, in stretches short enough to report progress and to be stopped.
2. Measure the exploitability of the average and of the current strategy, and add both to the trace.
3. Stop at the goal, else back to 1.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from errai.errors import InputError, StorageError
from errai.evaluate.exploitability import Exploitability
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, position_names
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind, verify_average_begun
from errai.reports.infoset import InfosetRow
from errai.reports.solution import SavedFiles, SolutionReport
from errai.reports.state import StateReport
from errai.reports.trace import TracePoint
from errai.reports.verification import Verification
from errai.solutions.dataframe import to_dataframe
from errai.solutions.defaults import LEAST_LARGE_INFOSETS
from errai.solutions.efg_file import is_efg, write_efg
from errai.solutions.engine import Columns, Engine, Plan, Solver
from errai.solutions.engines import ENGINES, plan_solve
from errai.solutions.game_kinds import Game, decode_game, encode_game
from errai.solutions.machine_memory import verify_fits
from errai.solutions.measurements import Measurements
from errai.solutions.method import Goal, Method
from errai.solutions.openspiel_policy import to_openspiel_policy
from errai.solutions.public_state import parse_public_state, to_action_probabilities
from errai.solutions.request import Resources, SolveRequest
from errai.solutions.schedule import (
    Curve,
    forecast_iterations,
    has_stalled,
    is_out_of_reach,
    iterations_to_target,
    measuring_iterations,
)
from errai.solutions.state_table import state_columns
from errai.solutions.stored_strategy import UNWATCHED, Work
from errai.storage.solution_directory import StoredSolution, find_damage, read_solution, write_solution
from errai.storage.table_file import write_table

if TYPE_CHECKING:
    from pandas import DataFrame

STRETCH_SECONDS = 0.1  # how long a solver runs before progress is reported


@dataclass(frozen=True)
class Progress:
    """How far a solve is while it runs."""

    iteration: int
    iterations: int | None  # at which it stops at the latest, where that is set
    latest: TracePoint | None
    seconds_left: float | None  # an estimate, once there is one


_STRATEGIES: tuple[StrategyKind, StrategyKind] = ("average", "current")

OnProgress = Callable[[Progress], None]
ShouldStop = Callable[[], bool]


class Solution:
    """A solve that was planned, and what it has reached so far. `solve` and `Solution.open` make one."""

    def __init__(
        self, request: SolveRequest, plan: Plan[Any] | None = None, stored: StoredSolution | None = None
    ) -> None:
        self.request = request
        self.trace: list[TracePoint] = []
        self.seconds = 0.0  # of iterating
        self.directory = None if stored is None else stored.directory  # where it was opened or saved last
        self._posed = request.posed
        self._plan = plan  # of a solution that was opened, made when it is first asked for
        self._solver: Solver[Any] | None = None  # built when it is first asked for: a query takes none of its memory
        self._stored = stored  # what the solver has not taken over yet
        self._measurements = Measurements(lambda: self.plan, self._judged_arrays)

    def __repr__(self) -> str:
        latest = f", {self.trace[-1].of(self.goal.strategy):.6g} mbb" if self.trace else ""
        return f"<Solution {self.name} by {self.method.algorithm}: {self.iteration:,} iterations{latest}>"

    @classmethod
    def open(cls, directory: str | Path, *, num_threads: int | None = None) -> "Solution":
        """The solution that `save` wrote into a directory. Its tree is built, and its arrays read, at the first use."""
        stored = read_solution(Path(directory))
        description = stored.description
        if "kind" in description:
            raise StorageError(
                f"`{directory}` must hold a solution; found the partial results of another command, "
                f"`{description['kind']}`",
                hint="the command that wrote it goes on with it; `errai solve GAME --out DIR` saves a solution",
            )
        with _understood(stored):
            request = SolveRequest(
                decode_game(description["game"], stored.arrays, source=str(stored.directory)),
                Method.from_json(description["method"]),
                Goal.from_json(description["goal"]),
                Resources(num_threads=num_threads),
            )
            solution = cls(request, stored=stored)
            solution.trace = [TracePoint(**point) for point in description["trace"]]
            solution.seconds = description["seconds"]
            solution._measurements.seconds = description["measuring_seconds"]
            solution._measurements.read_json(description.get("measured"))
        return solution

    @property
    def plan(self) -> Plan[Any]:
        """What was solved, with its tree, which takes seconds to build for a whole game and is not always needed."""
        if self._plan is None:
            stored = self._stored
            assert stored is not None
            with _understood(stored):
                method = replace(self.method, engine=stored.description["engine"])
                plan = plan_solve(replace(self.request, method=method))
                _verify_shapes(stored, ENGINES[plan.engine].state_shapes(plan))
            self._plan = plan
        return self._plan

    @property
    def _engine(self) -> Engine[Any, Any]:
        return ENGINES[self.plan.engine]

    @property
    def name(self) -> str:
        return self._posed.name

    @property
    def game(self) -> Game:
        return self.request.game

    @property
    def method(self) -> Method:
        return self.request.method

    @property
    def goal(self) -> Goal:
        return self.request.goal

    @property
    def definition(self) -> GameDefinition | None:
        """The rules of a poker game; None where the game was made in Python."""
        return self._posed.definition

    @property
    def start(self) -> Spot | None:
        """The spot that was solved; None for a whole game."""
        return self._posed.start

    @property
    def strategies(self) -> tuple[StrategyKind, ...]:
        """Those that are kept, the one that was measured first."""
        if self.method.is_linear_program or not self.method.with_average:
            return (self.goal.strategy,)
        return ("average", "current") if self.goal.strategy == "average" else ("current", "average")

    @property
    def measured_strategy(self) -> StrategyKind:
        """The one that the goal is about; the current one as long as no iteration is in the average."""
        return self.goal.strategy if self._has(self.goal.strategy) else "current"

    @property
    def flop_factors(self) -> None:
        """All flops are dealt."""

    @property
    def solver(self) -> Solver[Any]:
        """The solver that iterates. The arrays of a solution that was opened are read when it is first asked for."""
        if self._solver is None:
            verify_fits(self.plan.memory_bytes, hint=self.plan.size_hint)
            solver = self._engine.build(self.plan)
            if self._stored is not None:
                solver.restore(dict(self._stored.arrays), self._stored.description["iteration"])
                self._stored = None
            self._solver = solver
        return self._solver

    @property
    def iteration(self) -> int:
        if self._stored is not None:
            return int(self._stored.description["iteration"])
        return 0 if self._solver is None else self._solver.iteration

    @property
    def measuring_seconds(self) -> float:
        return self._measurements.seconds

    @property
    def is_target_met(self) -> bool:
        return bool(self.trace) and self.trace[-1].iteration == self.iteration and self.goal.is_met_by(self.trace[-1])

    @property
    def is_stalled(self) -> bool:
        """Whether the exploitability no longer falls: more iterations would not bring it to the target."""
        delay = self.method.averaging_delay if self.goal.strategy == "average" else 0
        return self.method.sampling is None and has_stalled(self._measured_points(), averaging_delay=delay)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the target would take more iterations than anybody waits for."""
        return self.goal.target_mbb is not None and is_out_of_reach(
            self._measured_points(), self.goal.target_mbb, is_sampled=self.method.sampling is not None
        )

    def describe(self, strategy: StrategyKind | None = None) -> SolutionReport:
        """How the game was solved, and how far; measured now where that was not saved with it."""
        strategy = strategy or self.measured_strategy
        return SolutionReport(
            game=self.name,
            positions=("player 0", "player 1") if self.definition is None else position_names(self.definition),
            spot=self.start,
            algorithm=self.method.algorithm,
            method=self.method.describe(),
            engine=self.plan.engine,
            precision=self.method.precision,
            iterations=self.iteration,
            infosets=self.plan.num_infosets,
            infoset_actions=self.plan.num_infoset_actions,
            merged_infosets=self.plan.num_merged_infosets,
            merged_infoset_actions=self.plan.num_merged_infoset_actions,
            memory_bytes=self.plan.memory_bytes,
            seconds=self.seconds,
            measuring_seconds=self.measuring_seconds,
            strategy=strategy,
            exploitability=self._measurements.saved_or_measured(strategy, self.iteration),
            trace=tuple(self.trace),
            root_frequencies=(
                {} if self.start is None else self.query(strategy=strategy, with_values=False).action_shares
            ),
            goal=self.goal.to_json(),
            is_stalled=self.is_stalled,
            files=self._files(),
        )

    def strategy_arrays(self, strategy: StrategyKind | None = None) -> Any:
        """The strategy in the layout of the engine; of a solution that was opened, mapped and not read."""
        chosen = strategy or self.goal.strategy
        if chosen == "average":
            verify_average_begun(
                self.name if self.directory is None else str(self.directory),
                iteration=self.iteration,
                averaging_delay=self.method.averaging_delay,
            )
        if self._stored is not None:
            return self._engine.stored_strategy(self.plan, self._stored.arrays, chosen)
        return self.solver.average_strategy() if chosen == "average" else self.solver.current_strategy()

    def infosets(self, *, strategy: StrategyKind | None = None, last_round: int | None = None) -> Iterator[InfosetRow]:
        """The strategy as a person reads it, one infoset at a time, up to the given round."""
        return self._engine.infosets(self.plan, self.strategy_arrays(strategy), last_round=last_round)

    def query(
        self,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        with_values: bool | None = None,
        work: Work = UNWATCHED,
    ) -> StateReport:
        """The strategy at one public state; without betting and board, where the game or the spot begins.

        `betting` and `board` are those of the whole hand, as in `rc/cc/cr` and `Ks8s3d7h`. Values take a fraction of a
        second, except on the flop, where all turns and rivers are below: a few seconds.
        """
        definition = self._poker_definition()
        state, cards = parse_public_state(definition, self.start, betting=betting, board=board)
        return self._engine.query(
            self.plan, self.strategy_arrays(strategy), state, cards, with_values=with_values is not False
        )

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does at a public state; a hand that is not known calls."""
        self._poker_definition()
        probabilities = self._engine.probabilities(self.plan, self.strategy_arrays(), state, board)
        return to_action_probabilities(state, probabilities, start=self.start)

    def exploitability(self, strategy: StrategyKind | None = None, *, work: Work = UNWATCHED) -> Exploitability:
        """The exact exploitability at this iteration, of the strategy that the goal is about unless one is named."""
        return self._measurements.exploitability(strategy or self.goal.strategy, self.iteration)

    def export(
        self,
        path: str | Path,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        whole: bool = False,
        work: Work = UNWATCHED,
    ) -> int:
        """Write one public state, or with `whole` every decision, as `.csv` or `.parquet`; the number of rows.

        A game made in Python has no public states and is always written whole. As `.efg`, the game is written for
        Gambit instead of the strategy; the number of its nodes.
        """
        if is_efg(path):
            return write_efg(self.game, path)
        chunks = self._columns(betting=betting, board=board, strategy=strategy, whole=whole)
        return write_table(Path(path), chunks)

    def to_dataframe(
        self,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        whole: bool = False,
    ) -> "DataFrame":
        """The table that `export` writes, as a pandas data frame."""
        return to_dataframe(self._columns(betting=betting, board=board, strategy=strategy, whole=whole))

    def to_openspiel(self, game: Any = None) -> Any:
        """The strategy as an OpenSpiel policy, for `leduc_poker` or `universal_poker`; `policy.game` is the game."""
        return to_openspiel_policy(self, game)

    def _columns(
        self, *, betting: str | None, board: str | None, strategy: StrategyKind | None, whole: bool
    ) -> Iterator[Columns]:
        if whole or self.definition is None:
            return self._engine.columns(self.plan, self.strategy_arrays(strategy))
        return iter([state_columns(self.query(betting=betting, board=board, strategy=strategy))])

    def verify(self, *, work: Work = UNWATCHED) -> Verification:
        """Read and check every byte of the saved solution; damaged and missing files are named."""
        if self.directory is None:
            raise InputError("this solution was not saved", hint="`save(directory)` saves it")
        return verify_saved(self.directory)

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
            self.set_goal(replace(self.goal, iterations=iterations, target_mbb=target_mbb))
        if self.is_target_met:
            return
        for milestone in self._milestones():
            self._run_to(milestone, on_progress=on_progress, should_stop=should_stop)
            if self.iteration > (self.trace[-1].iteration if self.trace else 0) and self._has(self.goal.strategy):
                self._extend_trace()
                self._report(on_progress)
            if self.iteration < milestone or self.is_target_met:
                return
            if self.goal.target_mbb is not None and (self.is_stalled or self.is_out_of_reach):
                return

    def set_goal(self, goal: Goal) -> None:
        """Change when to stop, or which strategy is measured."""
        self.request = replace(self.request, goal=goal)

    def save(self, directory: str | Path) -> None:
        """Write everything into `directory`; `Solution.open` reads it back, and `resume` goes on from there."""
        game, game_arrays = encode_game(self.game)
        description = {
            "game": game,
            "method": self.method.to_json(),
            "goal": self.goal.to_json(),
            "engine": self.plan.engine,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "measuring_seconds": self.measuring_seconds,
            "trace": [asdict(point) for point in self.trace],
            "measured": self._measurements.to_json(self.measured_strategy, self.iteration),
            "saved_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        write_solution(Path(directory), description=description, arrays={**game_arrays, **self.solver.state_arrays()})
        self.directory = Path(directory)

    def _poker_definition(self) -> GameDefinition:
        if self.definition is None:
            raise InputError(
                f"`{self.name}` was made in Python and has no public states",
                hint="`errai show DIR` lists its infosets",
            )
        return self.definition

    def _files(self) -> SavedFiles | None:
        if self.directory is None:
            return None
        stored = read_solution(self.directory)
        saved_at = stored.description.get("saved_at", "")
        return SavedFiles(str(self.directory), stored.num_bytes, saved_at)

    def _milestones(self) -> Iterator[int]:
        """The iterations to measure at from here on."""
        after, last = self.iteration, self.goal.iterations
        if self.goal.target_mbb is None or self.goal.measure_every is not None:
            return measuring_iterations(after=after, last=last, every=self.goal.measure_every)
        return forecast_iterations(self._measured_points, self.goal.target_mbb, after=after, last=last)

    def _run_to(self, milestone: int, *, on_progress: OnProgress | None, should_stop: ShouldStop | None) -> None:
        """Run until iteration `milestone`, or until the caller asks to stop."""
        stretch = 1
        while self.iteration < milestone and not (should_stop and should_stop()):
            solver = self.solver  # taking its memory is no part of an iteration
            started = perf_counter()
            solver.run(min(stretch, milestone - self.iteration))
            elapsed = perf_counter() - started
            self.seconds += elapsed
            stretch = 2 * stretch if elapsed < STRETCH_SECONDS / 2 else max(1, int(stretch * STRETCH_SECONDS / elapsed))
            self._report(on_progress)

    def _report(self, on_progress: OnProgress | None) -> None:
        if on_progress:
            latest = self.trace[-1] if self.trace else None
            on_progress(Progress(self.iteration, self.goal.iterations, latest, self._seconds_left()))

    def _extend_trace(self) -> None:
        # Measuring a large game costs as much as iterating: only the strategy that the goal is about.
        is_costly = self.start is not None or self.plan.num_infosets > LEAST_LARGE_INFOSETS
        measured = [one for one in ((self.goal.strategy,) if is_costly else _STRATEGIES) if self._has(one)]
        average, current = (
            self._measurements.responses(strategy, self.iteration).exploitability_mbb if strategy in measured else None
            for strategy in _STRATEGIES
        )
        self.trace.append(TracePoint(self.iteration, average, current))

    def _has(self, strategy: StrategyKind) -> bool:
        """Whether an iteration is in this strategy; without a delay the average begins as even play."""
        delay = self.method.averaging_delay
        return strategy == "current" or delay == 0 or self.iteration > delay

    def _judged_arrays(self, strategy: StrategyKind) -> Any:
        """A strategy, all of whose numbers can be added up."""
        arrays = self.strategy_arrays(strategy)
        if self._stored is not None:
            self._stored.arrays.verify_loaded()
        return arrays

    def _measured_points(self) -> Curve:
        return [(point.iteration, point.of(self.goal.strategy)) for point in self.trace]

    def _seconds_left(self) -> float | None:
        ends: list[float | None] = [self.goal.iterations]
        if self.goal.target_mbb is not None:
            ends.append(iterations_to_target(self._measured_points(), self.goal.target_mbb))
        known = [end for end in ends if end is not None]
        if not known:
            return None
        return (self.seconds + self.measuring_seconds) * max(min(known) / self.iteration - 1, 0.0)


def verify_saved(directory: Path) -> Verification:
    """Check every byte of a saved solution."""
    num_bytes, problems = find_damage(directory)
    return Verification(str(directory), num_bytes, tuple(problems))


@contextmanager
def _understood(stored: StoredSolution) -> Iterator[None]:
    """Report what the files of a solution do not have, or have in another way, as their fault."""
    try:
        yield
    except (KeyError, TypeError, InputError) as error:
        raise StorageError(
            f"`{stored.directory}` holds no solution that this program understands: {error}",
            hint=f"it was written by errai {stored.errai_version}",
        ) from error


def _verify_shapes(stored: StoredSolution, expected: Any) -> None:
    """Raise where an array is missing or has another shape than the solver's own."""
    for name, shape in expected.items():
        if stored.arrays.shape(name) != shape:
            raise InputError(f"`{name}` must be an array of shape {shape}; found {stored.arrays.shape(name)}")
