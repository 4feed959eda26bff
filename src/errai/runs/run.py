"""A run of a whole game: its ledger, its passes, its measurements, and how it continues after an interruption.

    run = WholeRun.create(directory, settings)        or  WholeRun.open(directory)
    run.advance(executor, iterations=100)             pass by pass; stops when it is asked to, and can be resumed

In a pass every flop that has not answered yet is done; an answer is written into the ledger, then the files that it
replaces are removed. When all flops have answered, the first round is updated and the pass is complete, in one
transaction. A flop whose files are lost is computed again: pass by pass from the last version that exists, with the
reach that the ledger kept.

Which measurements are due follows from the iterations that are complete and the schedule alone, so a run that was
killed while measuring makes the same measurements as one that was not.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Literal

from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.games.strategies import StrategyKind, verify_average_begun
from errai.passes.preflop_pass import PreflopPass
from errai.passes.section_pass import PassStoppedError
from errai.runs.checkpoint import Checkpoint
from errai.runs.flop_executor import Answer, FlopExecutor
from errai.runs.flop_worker import FlopLostError, FlopWorker
from errai.runs.ownership import is_unused, owned_directory, remove_partial_files
from errai.runs.progress import OnProgress, ProgressWatch, ShouldStop
from errai.runs.settings import RunSettings
from errai.solutions.schedule import Curve, has_stalled, measuring_iterations
from errai.solvers.preflop_state import (
    PASSES_PER_ITERATION,
    PreflopState,
    iteration_of_pass,
    player_of_pass,
)
from errai.storage.lease import Lease
from errai.storage.ledger import Ledger, Measurement, PassRecord
from errai.storage.run_identity import RunIdentity

# Why a run came to an end: its goal is met, it was asked to stop, or its exploitability no longer falls.
Outcome = Literal["finished", "stopped", "stalled"]


class WholeRun:
    """One run in its directory."""

    def __init__(self, directory: Path, ledger: Ledger) -> None:
        self.directory = directory
        self.ledger = ledger
        self.settings = RunSettings.from_json(ledger.settings)
        self.game = self.settings.game
        self._lease: Lease | None = None

    @classmethod
    def create(cls, directory: Path, settings: RunSettings) -> "WholeRun":
        """Begin a run in a directory that holds none."""
        with owned_directory(directory):
            remove_partial_files(directory)
            return cls(directory, Ledger.create(directory, settings.to_json()))

    @staticmethod
    def can_create(directory: Path) -> bool:
        """Whether a directory holds nothing but what a run that was killed while it was created left behind."""
        return is_unused(directory)

    @classmethod
    def open(cls, directory: Path) -> "WholeRun":
        """Open the run in a directory."""
        return cls(directory, Ledger.open(directory))

    def verify_same(self, settings: RunSettings) -> None:
        """Raise an `InputError` that names every setting in which `settings` differ from those of the run."""
        differences = self.settings.differences(settings)
        if differences:
            raise InputError(
                f"the run in `{self.directory}` has other settings: {'; '.join(differences)}",
                hint="leave them out to continue the run, or begin another one in a new directory",
            )

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Within, this process owns the run and may change it; raises an error that names another owner."""
        if self._lease is not None:
            yield
            return
        with owned_directory(self.directory) as lease:
            self._lease, self.ledger.verify_owned = lease, lease.verify_owned
            try:
                yield
            finally:
                self._lease = self.ledger.verify_owned = None

    @property
    def identity(self) -> RunIdentity:
        """The run that every file must belong to."""
        return self.ledger.identity

    def flop_worker(
        self,
        *,
        checkpoint: Path | None = None,
        max_trees: int = 1,
        should_stop: ShouldStop | None = None,
    ) -> FlopWorker:
        """A worker in the run's own directory."""
        return FlopWorker(
            self.directory,
            self.settings,
            self.identity,
            checkpoint=checkpoint,
            max_trees=max_trees,
            should_stop=should_stop,
        )

    @property
    def num_flops(self) -> int:
        return len(self.game.flops)

    @property
    def iteration(self) -> int:
        """The number of complete iterations."""
        return self.ledger.passes_done // PASSES_PER_ITERATION

    def readable_strategy(self, strategy: StrategyKind | None = None) -> StrategyKind:
        """The strategy that is asked for, or else the one that a target is about; an error where there is none."""
        chosen = strategy or self.settings.measured_strategy
        if chosen not in self.settings.strategies:
            raise InputError("this run keeps no average strategy", hint="ask for the `current` one")
        if chosen == "average":
            verify_average_begun(
                str(self.directory), iteration=self.iteration, averaging_delay=self.settings.averaging_delay
            )
        return chosen

    @property
    def num_bytes(self) -> int:
        """Of all files of flops."""
        return sum(self.ledger.bytes_by_kind().values())

    @property
    def average_bytes(self) -> int:
        """Of those that hold the average."""
        return self.ledger.bytes_by_kind()["average"]

    def preflop_state(self) -> PreflopState:
        """The first round's numbers after the last complete pass."""
        stored = self.ledger.preflop_arrays()
        if stored is None:
            return PreflopState.zeros(self.game, with_average=self.settings.with_average)
        return PreflopState.from_arrays(stored)

    def passes_done_by_flop(self) -> list[int]:
        """The passes that each flop has done: a flop that has answered in the open pass is ahead of the others."""
        done = self.ledger.passes_done
        answered = self.ledger.answered(done + 1)
        return [done + (flop in answered) for flop in range(self.num_flops)]

    def exploitability(self, measurement: Measurement) -> Exploitability:
        unit = float(self.settings.definition.unit_chips)
        return Exploitability(measurement.best_response_chips, None, unit)

    def advance(
        self,
        executor: FlopExecutor,
        *,
        iterations: int | None,
        target_mbb: float | None = None,
        measure: StrategyKind = "current",
        measure_every: int | None = None,
        checkpoint: Checkpoint | None = None,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Outcome:
        """Continue until so many iterations are done in all, or the exploitability is at most `target_mbb`.

        A run toward a target also ends when its exploitability no longer falls.
        """
        with ExitStack() as stack:
            stack.enter_context(self.owned())
            if checkpoint is not None:
                stack.enter_context(checkpoint.owned(self.directory, self.settings, self.ledger))
            self._remove_old_files(executor)
            watch = self._watch(measure, iterations, on_progress, should_stop)
            copy = partial(self._copy_if_due, checkpoint, executor)
            copy()
            begun = self._begun_iteration()
            for milestone in measuring_iterations(
                after=begun - 1,
                last=None if iterations is None else max(iterations, begun),
                every=measure_every,
                toward_target=target_mbb is not None,
            ):
                while self.ledger.passes_done < PASSES_PER_ITERATION * milestone:
                    if not self._do_pass(executor, watch):
                        return "stopped"
                    copy()
                if measure == "average" and milestone <= self.settings.averaging_delay:
                    continue  # there is none yet
                measured = self.measure(executor, measure, watch=watch)
                watch.restart()
                if measured is None:
                    return "stopped"
                if target_mbb is not None and measured.exploitability_mbb <= target_mbb:
                    return "finished"
                delay = self.settings.averaging_delay if measure == "average" else 0
                if target_mbb is not None and has_stalled(self.curve(measure), averaging_delay=delay):
                    return "stalled"
            return "finished"

    def curve(self, strategy: StrategyKind) -> Curve:
        """The exploitability of a strategy at the iterations where it was measured."""
        return [
            (measurement.pass_number // PASSES_PER_ITERATION, self.exploitability(measurement).exploitability_mbb)
            for measurement in self.ledger.measurements()
            if measurement.strategy == strategy
        ]

    def _begun_iteration(self) -> int:
        """The last iteration that was begun; it can be measured as soon as it is complete."""
        passes_begun = self.ledger.passes_done + bool(self.ledger.answered(self.ledger.passes_done + 1))
        return (passes_begun + 1) // PASSES_PER_ITERATION

    def _copy_if_due(self, checkpoint: Checkpoint | None, executor: FlopExecutor) -> None:
        if checkpoint is not None:
            checkpoint.copy_if_due(self.settings, self.ledger, executor)

    def _watch(
        self,
        strategy: StrategyKind,
        iterations: int | None,
        on_progress: OnProgress | None,
        should_stop: ShouldStop | None,
    ) -> ProgressWatch:
        def latest() -> tuple[int, float] | None:
            curve = self.curve(strategy)
            return curve[-1] if curve else None

        return ProgressWatch(
            self.ledger,
            self.num_flops,
            self.settings.work_of_passes,
            latest,
            iterations,
            on_progress,
            should_stop,
        )

    def measure(
        self,
        executor: FlopExecutor,
        strategy: StrategyKind,
        *,
        watch: ProgressWatch | None = None,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Exploitability | None:
        """The exact exploitability of a strategy; None if it was stopped. It is measured once and then recorded."""
        known = self.measured(strategy)
        if known is not None:
            return known
        watch = watch or self._watch(strategy, None, on_progress, should_stop)
        with self.owned():
            return self._measure(executor, strategy, watch)

    def _measure(self, executor: FlopExecutor, strategy: StrategyKind, watch: ProgressWatch) -> Exploitability | None:
        started = perf_counter()
        passes_done = self.ledger.passes_done
        best_responses = []
        for player in (0, 1):
            strategy_of_opponent = self.preflop_state().weights(strategy)[1 - player].values
            judge = PreflopPass(self.game, mode="best_response", player=player, own=None, opponent=strategy_of_opponent)
            next_reach = judge.begin()
            judge_flops = partial(
                executor.best_response, player=player, strategy=strategy, passes_done=passes_done, next_reach=next_reach
            )
            values = {}
            for answer in _until_stopped(self._answers(executor, self._largest_first(), judge_flops, passes_done)):
                values[answer.flop] = answer.value
                if watch.stops(len(values), is_measuring=True):
                    break
            if len(values) < self.num_flops:
                return None
            for flop in range(self.num_flops):
                judge.add_flop(flop, values[flop])
            best_responses.append(self.game.top.expected_value(player, judge.end()))
        first, second = best_responses
        if not (isfinite(first) and isfinite(second)):
            raise InputError(
                f"the numbers of the run in `{self.directory}` overflowed: its best responses are worth `{first}` and "
                f"`{second}` chips",
                hint="begin a new run with a smaller `--alpha` or `--scale`",
            )
        self.ledger.record_measurement(Measurement(passes_done, strategy, (first, second), perf_counter() - started))
        return self.measured(strategy)

    def measured(self, strategy: StrategyKind) -> Exploitability | None:
        """The exploitability of a strategy after the last complete pass, if it was measured."""
        for measurement in self.ledger.measurements():
            if (measurement.pass_number, measurement.strategy) == (self.ledger.passes_done, strategy):
                return self.exploitability(measurement)
        return None

    def _do_pass(self, executor: FlopExecutor, watch: ProgressWatch) -> bool:
        """Do the next pass; False if it was stopped, which loses none of the flops that have answered."""
        pass_number = self.ledger.passes_done + 1
        preflop = self.preflop_state()
        steps = self.settings.steps()
        steps.go_to(iteration_of_pass(pass_number) - 1)
        step = steps.next()
        player = player_of_pass(pass_number)
        top = PreflopPass(
            self.game,
            mode="update",
            player=player,
            own=preflop.regrets[player],
            opponent=preflop.regrets[1 - player],
            average=None if preflop.average is None else preflop.average[1 - player],
            step=step,
        )
        self.ledger.begin_pass(PassRecord(pass_number, step, top.begin()))
        record = self.ledger.pass_record(pass_number)
        answered = self.ledger.answered(pass_number)
        pending = [flop for flop in self._largest_first() if flop not in answered]
        update = partial(executor.update, record=record)
        for answer in _until_stopped(self._answers(executor, pending, update, pass_number - 1)):
            self.ledger.record_answer(
                pass_number, answer.flop, answer.value, answer.file_bytes, core_seconds=answer.core_seconds
            )
            executor.remove_old_files(answer.flop, pass_number)
            answered.add(answer.flop)
            if watch.stops(len(answered)):
                break
        if len(answered) < self.num_flops:
            return False
        for flop in range(self.num_flops):
            top.add_flop(flop, self.ledger.answer(pass_number, flop))
        top.end()
        self.ledger.finish_pass(pass_number, preflop.arrays(), seconds=watch.lap())
        return True

    def _largest_first(self) -> list[int]:
        """All flops, in an order in which no thread waits long for the others at the end."""
        return sorted(range(self.num_flops), key=lambda flop: -self.game.flops[flop].hands[0].num_hands)

    def _answers(
        self,
        executor: FlopExecutor,
        flops: Sequence[int],
        do: Callable[[Sequence[int]], Generator[Answer | FlopLostError, None, None]],
        passes_done: int,
    ) -> Generator[Answer, None, None]:
        """The answers of all flops; those whose files are lost are computed again first, which can happen again."""
        while flops:
            lost = []
            with closing(do(flops)) as answers:
                for answer in answers:
                    if isinstance(answer, FlopLostError):
                        lost.append(answer)
                    else:
                        yield answer
            self._compute_again(executor, lost, passes_done)
            flops = [loss.flop for loss in lost]

    def _compute_again(self, executor: FlopExecutor, losses: Sequence[FlopLostError], passes_done: int) -> None:
        """Bring flops whose files were lost up to date."""
        behind = {loss.flop: loss.passes_done for loss in losses}
        while any(done < passes_done for done in behind.values()):
            pass_number = min(behind.values()) + 1
            flops = [flop for flop, done in behind.items() if done == pass_number - 1]
            with closing(executor.update(flops, self.ledger.pass_record(pass_number))) as answers:
                for answer in answers:
                    if isinstance(answer, FlopLostError):
                        behind[answer.flop] = answer.passes_done
                    else:
                        behind[answer.flop] = pass_number
                        executor.remove_old_files(answer.flop, pass_number)

    def _remove_old_files(self, executor: FlopExecutor) -> None:
        """Remove the files that a killed run left behind."""
        for flop, passes_done in enumerate(self.passes_done_by_flop()):
            executor.remove_old_files(flop, passes_done)


def _until_stopped(answers: Generator[Answer, None, None]) -> Generator[Answer, None, None]:
    """Answers, until the work is asked to stop in the middle of one; it ends as soon as the answers are not read."""
    with closing(answers), suppress(PassStoppedError):
        yield from answers
