"""A bot: an abstract game, solved as far as it is, that plays the real game.

1. Run in stretches short enough to report progress, to save and to be stopped.
2. Measure at every doubling of iterations: the exploitability within the abstract game; where boards are
   sampled, how much the strategy has changed since half as many iterations.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from errai.abstraction.joint_weights import OnBoards
from errai.errors import InputError, StorageError
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_totals import FlopTotals, total_over_flops
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.reports.bot import BotPoint, BotReport
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.reports.verification import Verification
from errai.solutions.bot_cost import BotCost
from errai.solutions.bot_design import BotDesign, BotSolver, Solving
from errai.solutions.bot_query import bucket_columns, bucket_infosets, query_bot
from errai.solutions.openspiel_policy import to_openspiel_policy
from errai.solutions.public_state import parse_public_state, verify_board
from errai.solutions.solution import verify_saved
from errai.solutions.state_table import state_columns
from errai.solutions.stored_strategy import UNWATCHED, StoppedError, Work
from errai.solvers.bucket_solver import named_arrays
from errai.storage.solution_directory import StoredSolution, is_saved, read_solution, write_solution
from errai.storage.table_file import write_table
from errai.trees.bucket_layout import BucketArrays
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.lane_arrays import normalise

BOT_KIND = "bot"
_COMPARED_ROUNDS = 2  # whose strategies tell how much a bot of sampled boards still changes
_STRETCH_SECONDS = 0.5  # how long a solver runs before progress is reported


@dataclass(frozen=True)
class BotProgress:
    """How far a bot is while it is solved."""

    iteration: int
    iterations: int
    seconds: float
    latest: BotPoint | None
    counted: tuple[int, int] | None = None  # boards, while pairs of buckets are counted: so many of so many


OnProgress = Callable[[BotProgress], None]


class Bot:
    """A design, and how far it has been solved. `Bot.open` reads what `save` wrote."""

    def __init__(self, design: BotDesign, *, num_threads: int = 1, stored: StoredSolution | None = None) -> None:
        self.design = design
        self.trace: list[BotPoint] = []
        self.seconds = 0.0
        self.directory = None if stored is None else stored.directory
        self._num_threads = num_threads
        self._stored = stored  # what the solver has not taken over yet
        self._solving: Solving | None = None
        self._measured: dict[tuple[StrategyKind, int], Exploitability] = {}  # by strategy and iteration
        self._compared: BucketArrays | None = None  # the strategy at the last measurement, of sampled boards

    def __repr__(self) -> str:
        return f"<Bot {self.name} with `{self.design.table.name}`: {self.iteration:,} iterations>"

    @classmethod
    def open(cls, directory: str | Path, *, num_threads: int | None = None) -> "Bot":
        """The bot that `save` wrote into a directory."""
        stored = read_solution(Path(directory))
        description = stored.description
        try:
            bot = cls(
                BotDesign.from_json(description["design"], stored.arrays), num_threads=num_threads or 1, stored=stored
            )
            bot.trace = [BotPoint(**point) for point in description["trace"]]
            bot.seconds = description["seconds"]
            for kind, num_rounds in _stored_kinds(stored).items():
                for player in (0, 1):
                    for index, size in enumerate(bot.design.layout.sizes(player)[:num_rounds]):
                        if stored.arrays.shape(f"{kind}_{player}_{index}") != (size,):
                            raise InputError(f"`{kind}_{player}_{index}` must hold {size} numbers")
        except (KeyError, TypeError, InputError) as error:
            raise StorageError(
                f"`{stored.directory}` holds no bot that this program understands: {error}",
                hint=f"it was written by errai {stored.errai_version}",
            ) from error
        return bot

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def definition(self) -> GameDefinition:
        return self.design.request.definition

    @property
    def start(self) -> Spot | None:
        """The whole of a no-limit game with its menu; None for a limit game."""
        return self.design.request.start

    @property
    def strategies(self) -> tuple[StrategyKind, ...]:
        return "average", "current"

    @property
    def flop_factors(self) -> None:
        """All flops are dealt."""

    @property
    def iteration(self) -> int:
        if self._stored is not None:
            return int(self._stored.description["iteration"])
        return 0 if self._solving is None else self._solving.solver.iteration

    @property
    def bucketed(self) -> BucketedStrategy:
        """The average strategy."""
        return self.strategy("average")

    def strategy(self, kind: StrategyKind | None = None) -> BucketedStrategy:
        """The average strategy, or that of the next iteration; of a bot that was opened, mapped and not read."""
        array = "regrets" if kind == "current" else "average"
        if self._stored is not None:
            return BucketedStrategy(self.design.layout, self.design.table, self._stored_arrays(array))
        solver = self.solver
        weights = solver.regrets if kind == "current" else solver.average
        return BucketedStrategy(self.design.layout, self.design.table, weights)

    @property
    def solver(self) -> BotSolver:
        """The solver that iterates; built when it is first asked for."""
        return self._begun().solver

    def run(
        self,
        iterations: int,
        *,
        on_progress: OnProgress | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Go on to `iterations`, counted from the very first, or until `should_stop` answers True."""

        def on_boards(done: int, every: int) -> None:
            if should_stop():
                raise StoppedError("interrupted before the pairs of buckets were counted")
            if on_progress is not None:
                on_progress(BotProgress(self.iteration, iterations, self.seconds, None, (done, every)))

        try:
            self._begun(on_boards)
        except StoppedError:
            return
        stretch = 1
        while self.iteration < iterations and not should_stop():
            next_measured = 1 << self.iteration.bit_length()  # the next power of two
            end = min(self.iteration + stretch, next_measured, iterations)
            solver = self.solver
            started = perf_counter()
            solver.run(end - solver.iteration)
            elapsed = perf_counter() - started
            self.seconds += elapsed
            if self.iteration in (next_measured, iterations):
                self.trace.append(self._measure())
            stretch = 2 * stretch if elapsed < _STRETCH_SECONDS / 2 else max(1, stretch // 2)
            if on_progress is not None:
                latest = self.trace[-1] if self.trace else None
                on_progress(BotProgress(self.iteration, iterations, self.seconds, latest))

    def save(self, directory: str | Path) -> None:
        """Write everything into `directory`; `Bot.open` reads it back, and `run` goes on from there."""
        description = {
            "kind": BOT_KIND,
            "design": self.design.to_json(),
            "iteration": self.iteration,
            "seconds": self.seconds,
            "trace": [asdict(point) for point in self.trace],
        }
        compared = {} if self._compared is None else named_arrays({"compared": self._compared})
        arrays = {**self.design.table_arrays(), **self.solver.state_arrays(), **compared}
        write_solution(Path(directory), description=description, arrays=arrays)
        self.directory = Path(directory)

    def describe(self, strategy: StrategyKind | None = None) -> BotReport:
        """What it was made of, how it was solved, and how far."""
        design, request = self.design, self.design.request
        return BotReport(
            game=self.name,
            bets=request.bets,
            table=design.table.name,
            buckets=design.table.counts,
            perfect_recall=design.table.perfect_recall,
            method=request.method,
            algorithm=request.algorithm,
            seed=request.seed,
            iterations=self.iteration,
            flops=None if request.drawn_flops is None else self.iteration * request.drawn_flops,
            boards=self.iteration * request.boards_per_iteration if request.method == "sampled" else design.num_boards,
            infosets=design.layout.num_infosets,
            infoset_actions=design.layout.num_infoset_actions,
            memory_bytes=BotCost(request, design.table.counts, self._num_threads).memory_bytes,
            seconds=self.seconds,
            trace=tuple(self.trace),
            directory=None if self.directory is None else str(self.directory),
            exploitability=self._measured.get((strategy or "average", self.iteration)),
        )

    def query(
        self,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        with_values: bool | None = None,
        work: Work = UNWATCHED,
    ) -> StateReport:
        """The strategy at one public state, without values: the bot has never seen single hands."""
        state, cards = parse_public_state(self.definition, self.start, betting=betting, board=board)
        verify_board(state, cards)
        return query_bot(self.design.request, self.strategy(strategy), state, cards)

    def infosets(self, *, strategy: StrategyKind | None = None, last_round: int | None = None) -> Iterator[InfosetRow]:
        """What every bucket does, one infoset at a time, up to the given round."""
        return bucket_infosets(self.design.request, self.strategy(strategy), last_round=last_round)

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does at a public state; a hand that is not possible calls."""
        return self._played.action_probabilities(state, board)

    def exploitability(self, strategy: StrategyKind | None = None, *, work: Work = UNWATCHED) -> Exploitability:
        """The exact exploitability in the real game, flop by flop; of limit games only."""
        key = (strategy or "average", self.iteration)
        if key in self._measured:
            return self._measured[key]
        judge = BucketedJudge(self.definition, self.strategy(strategy))
        num_flops = len(judge.multiplicities)

        def report(totals: FlopTotals) -> None:
            if work.on_progress is not None:
                work.on_progress(totals.num_done, num_flops)

        totals = total_over_flops(
            judge, num_threads=work.num_threads or self._num_threads, on_flop=report, should_stop=work.should_stop
        )
        if totals.num_done < num_flops:
            raise StoppedError("interrupted before the exploitability was measured")
        self._measured[key] = judge.finish(totals.total)
        return self._measured[key]

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
        """Write one public state, or with `whole` every decision of every bucket, as `.csv` or `.parquet`."""
        if not whole:
            report = self.query(betting=betting, board=board, strategy=strategy)
            return write_table(Path(path), iter([state_columns(report)]))
        return write_table(Path(path), bucket_columns(self.design.request, self.strategy(strategy)))

    def to_openspiel(self, game: Any = None) -> Any:
        """The strategy as an OpenSpiel policy, for `leduc_poker` or `universal_poker`; `policy.game` is the game."""
        return to_openspiel_policy(self, game)

    def verify(self, *, work: Work = UNWATCHED) -> Verification:
        """Read and check every byte; damaged and missing files are named."""
        if self.directory is None:
            raise InputError("this bot was not saved", hint="`save(directory)` saves it")
        return verify_saved(self.directory)

    @cached_property
    def _played(self) -> BucketedStrategy:
        """The average strategy of a bot that no longer changes, for players."""
        return self.strategy("average")

    def _begun(self, on_boards: OnBoards = lambda done, of: None) -> Solving:
        if self._solving is None:
            solving = self.design.begin(num_threads=self._num_threads, on_boards=on_boards)
            if self._stored is not None:
                solving.solver.restore(dict(self._stored.arrays), self._stored.description["iteration"])
                if "compared" in _stored_kinds(self._stored):
                    self._compared = _copy_compared(self._stored_arrays("compared"))
                self._stored = None
            self._solving = solving
        return self._solving

    def _stored_arrays(self, kind: str) -> BucketArrays:
        assert self._stored is not None
        arrays, rounds = self._stored.arrays, range(self.definition.num_rounds)[: _stored_kinds(self._stored)[kind]]
        first, second = (tuple(arrays[f"{kind}_{player}_{index}"] for index in rounds) for player in (0, 1))
        return first, second

    def _measure(self) -> BotPoint:
        solver = self.solver
        exploitability = self._begun().measure()
        if exploitability is not None:
            return BotPoint(
                self.iteration,
                self.seconds,
                in_abstraction_mbb=exploitability.exploitability_mbb,
                is_lower_bound=not self.design.table.perfect_recall,
            )
        now = _copy_compared(solver.average)
        change = None if self._compared is None else self._mean_change(self._compared, now)
        self._compared = now
        return BotPoint(self.iteration, self.seconds, change=change)

    def _mean_change(self, before: BucketArrays, now: BucketArrays) -> float:
        """Of a probability, over all buckets and actions."""
        total, count = 0.0, 0
        for player in (0, 1):
            old_nodes, new_nodes = (
                self.design.layout.all_nodes(player, array[player], last_round=_COMPARED_ROUNDS - 1)
                for array in (before, now)
            )
            for old, new in zip(old_nodes, new_nodes, strict=True):
                total += float(np.abs(normalise(new.astype(np.float64)) - normalise(old.astype(np.float64))).sum())
                count += new.size
        return total / count


def _stored_kinds(stored: StoredSolution) -> dict[str, int | None]:
    """The arrays of a saved bot, and of how many rounds, where not of all."""
    kinds: dict[str, int | None] = {"average": None, "regrets": None}
    return kinds | ({"compared": _COMPARED_ROUNDS} if "compared_0_0" in stored.arrays else {})


def _copy_compared(arrays: BucketArrays) -> BucketArrays:
    first, second = (tuple(values.copy() for values in array[:_COMPARED_ROUNDS]) for array in arrays)
    return first, second


def is_bot(directory: Path) -> bool:
    """Whether a bot was saved in a directory; not if it is too damaged to say so."""
    try:
        return is_saved(directory) and read_solution(directory).description.get("kind") == BOT_KIND
    except StorageError:
        return False
