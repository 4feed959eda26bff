"""A run of a whole game as a stored strategy: described, asked, played, measured, exported and verified."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from errai.errors import InputError, StorageError
from errai.evaluate.exploitability import Exploitability
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.reports.infoset import InfosetRow
from errai.reports.run import RunPoint, RunReport, RunSize
from errai.reports.state import StateReport
from errai.reports.verification import Verification
from errai.runs.executors import most_threads, open_executor
from errai.runs.memory import plan_resources
from errai.runs.progress import RunProgress, estimate_seconds_left
from errai.runs.run import WholeRun
from errai.runs.run_query import FlopTrees, RunReader, flop_trees, query_run
from errai.runs.run_tables import run_strategies
from errai.solutions.openspiel_policy import to_openspiel_policy
from errai.solutions.public_state import parse_public_state, to_action_probabilities
from errai.solutions.state_table import state_columns
from errai.solutions.stored_strategy import UNWATCHED, StoppedError, Work
from errai.solutions.tree_tables import node_columns, node_rows
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.storage.table_file import write_table

_RECENT_ITERATIONS = 5


class StoredRun:
    """The strategy that a run has reached. Without another wish, the one that the run measures."""

    def __init__(self, run: WholeRun) -> None:
        self.run = run

    def __repr__(self) -> str:
        return f"<StoredRun {self.name}: {self.run.iteration:,} iterations, {self.run.num_flops:,} flops>"

    @classmethod
    def open(cls, directory: str | Path) -> "StoredRun":
        """The run in a directory."""
        return cls(WholeRun.open(Path(directory)))

    @property
    def name(self) -> str:
        return self.run.settings.name

    @property
    def definition(self) -> GameDefinition:
        return self.run.settings.definition

    @property
    def flop_factors(self) -> Mapping[tuple[int, ...], float] | None:
        return self.run.game.flop_factors

    @property
    def start(self) -> Spot | None:
        """The beginning of a no-limit game, with its bet menu; None for a limit game."""
        return self.run.settings.start

    @property
    def strategies(self) -> tuple[StrategyKind, ...]:
        """Those that are kept, the one that a target is about first."""
        return self.run.settings.strategies[::-1]

    def describe(self, strategy: StrategyKind | None = None) -> RunReport:
        """How far the run is, with all measurements."""
        run = self.run
        seconds = run.ledger.pass_seconds()
        recent = seconds[-_RECENT_ITERATIONS * PASSES_PER_ITERATION :]
        measurements = run.ledger.measurements()
        last_iteration = run.ledger.goal.get("iterations")
        return RunReport(
            definition=self.definition,
            directory=str(run.directory),
            bets=run.settings.bets,
            num_flops=run.num_flops,
            has_all_flops=run.settings.flop_factors is None,
            algorithm=run.settings.algorithm,
            scale=run.settings.scale,
            coding=run.settings.coding,
            averaging_delay=run.settings.averaging_delay if run.settings.with_average else None,
            draw_boards=run.settings.draw_boards,
            draw_until=run.settings.draw_until,
            iterations=run.iteration,
            flops_done_of_open_pass=len(run.ledger.answered(run.ledger.passes_done + 1)),
            infosets=run.settings.num_infosets,
            num_bytes=run.num_bytes,
            average_bytes=run.average_bytes,
            sizes=tuple(
                RunSize(number // PASSES_PER_ITERATION, sizes["regrets"], sizes["average"])
                for number, sizes in run.ledger.pass_bytes().items()
                if number % PASSES_PER_ITERATION == 0
            ),
            seconds=sum(seconds),
            seconds_per_iteration=PASSES_PER_ITERATION * sum(recent) / len(recent) if recent else None,
            seconds_left=None
            if last_iteration is None
            else estimate_seconds_left(
                run.settings.work_of_passes,
                seconds,
                passes_done=run.ledger.passes_done,
                last_pass=PASSES_PER_ITERATION * last_iteration,
            ),
            measuring_seconds=sum(measurement.seconds for measurement in measurements),
            goal=run.ledger.goal,
            trace=tuple(
                RunPoint(
                    measurement.pass_number // PASSES_PER_ITERATION,
                    measurement.strategy,
                    run.exploitability(measurement),
                    measurement.seconds,
                )
                for measurement in measurements
            ),
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
        """The strategy at one public state; values before the flop only if asked for, as they take all flops."""
        state, cards = parse_public_state(self.definition, self.start, betting=betting, board=board)
        with RunReader(self.run, strategy, trees=self._flop_trees) as reader:
            return query_run(
                reader,
                state,
                cards,
                with_values=with_values,
                num_threads=work.num_threads or os.cpu_count() or 1,
                on_flop=work.on_progress,
            )

    def infosets(self, *, strategy: StrategyKind | None = None, last_round: int | None = None) -> Iterator[InfosetRow]:
        """The strategy as a person reads it, one infoset at a time, up to the given round."""
        with RunReader(self.run, strategy) as reader:
            yield from node_rows(self.definition, run_strategies(reader, last_round=last_round))

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does at a public state; a hand that is not possible calls."""
        return to_action_probabilities(state, self._reader.probabilities(state, board), start=self.start)

    @cached_property
    def _reader(self) -> RunReader:
        """Stays open, for players who ask about one state after the other."""
        return RunReader(self.run, trees=self._flop_trees)

    @cached_property
    def _flop_trees(self) -> FlopTrees:
        return flop_trees(self.run)

    def exploitability(self, strategy: StrategyKind | None = None, *, work: Work = UNWATCHED) -> Exploitability:
        """The exact exploitability after the last complete pass; computed once and then known to the run."""
        run = self.run
        chosen = run.readable_strategy(strategy)
        known = run.measured(chosen)
        if known is not None:
            return known
        if run.ledger.answered(run.ledger.passes_done + 1):
            raise InputError(
                f"`{run.directory}` stands in the middle of a pass; it can be measured where iterations end",
                hint=f"`errai solve --resume {run.directory}` goes on; `errai status {run.directory}` shows what was "
                "measured before",
            )

        def report(progress: RunProgress) -> None:
            if work.on_progress is not None:
                work.on_progress(progress.flops_done, progress.num_flops)

        resources = plan_resources(
            run.settings, num_threads=work.num_threads or most_threads(None), memory_limit_bytes=None
        )
        with open_executor(run, resources, should_stop=work.should_stop) as executor:
            measured = run.measure(executor, chosen, on_progress=report, should_stop=work.should_stop)
        if measured is None:
            raise StoppedError("interrupted before the exploitability was measured")
        return measured

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
        """Write one public state, or with `whole` every decision, as `.csv` or `.parquet`; the number of rows."""
        if not whole:
            report = self.query(betting=betting, board=board, strategy=strategy, work=work)
            return write_table(Path(path), iter([state_columns(report)]))
        with RunReader(self.run, strategy) as reader:
            nodes = run_strategies(reader, on_progress=work.on_progress)
            return write_table(Path(path), node_columns(self.definition, nodes))

    def to_openspiel(self, game: Any = None) -> Any:
        """The strategy as an OpenSpiel policy, for `leduc_poker` or `universal_poker`; `policy.game` is the game."""
        return to_openspiel_policy(self, game)

    def verify(self, *, work: Work = UNWATCHED) -> Verification:
        """Read every file and check every checksum; damaged and missing files are named."""
        run = self.run
        run.ledger.verify()
        worker = run.flop_worker()
        problems = [f"`{path}` belongs to another run and is ignored" for path in worker.foreign_directories()]
        num_bytes = 0
        for flop, passes_done in enumerate(run.passes_done_by_flop()):
            try:
                num_bytes += worker.verify(flop, passes_done)
            except StorageError as error:
                problems.append(str(error))
            if work.on_progress is not None:
                work.on_progress(flop + 1, run.num_flops)
        return Verification(str(run.directory), num_bytes, tuple(problems))
