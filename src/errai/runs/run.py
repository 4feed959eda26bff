"""A run of a whole game: its ledger, its passes, what it measures, and how it goes on after anything.

    run = WholeRun.create(directory, settings)        or  WholeRun.open(directory)
    run.advance(executor, iterations=100)             pass by pass; stops where it is asked to, and goes on from there

In a pass every flop that has not answered yet is done; an answer is written into the ledger, then the files that it
replaces are removed. When all have answered, the first round is updated and the pass is complete, in one transaction.
A flop whose files are lost is computed again: pass by pass from the last version that is there, with the reach that the
ledger kept.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.passes.preflop_pass import PreflopPass
from errai.passes.section_pass import PassStoppedError
from errai.runs.flop_executor import Answer, FlopExecutor
from errai.runs.flop_worker import FlopLostError, FlopWorker
from errai.runs.settings import RunSettings
from errai.solutions.schedule import StrategyKind, measuring_iterations
from errai.solvers.preflop_state import (
    PASSES_PER_ITERATION,
    PreflopState,
    iteration_of_pass,
    player_of_pass,
)
from errai.storage.ledger import Ledger, Measurement, PassRecord


@dataclass(frozen=True)
class RunProgress:
    """What is told while a run works."""

    iteration: int  # that is being made
    iterations: int | None
    flops_done: int  # of this pass, or of this measurement
    num_flops: int
    is_measuring: bool
    measured_mbb: float | None  # the last exploitability
    seconds_left: float | None


OnProgress = Callable[[RunProgress], None]
ShouldStop = Callable[[], bool]


class WholeRun:
    """One run in its directory."""

    def __init__(self, directory: Path, ledger: Ledger) -> None:
        self.directory = directory
        self.ledger = ledger
        self.settings = RunSettings.from_json(ledger.settings)
        self.game = self.settings.game

    @classmethod
    def create(cls, directory: Path, settings: RunSettings) -> "WholeRun":
        """Begin a run in a directory that holds none."""
        return cls(directory, Ledger.create(directory, settings.to_json()))

    @classmethod
    def open(cls, directory: Path) -> "WholeRun":
        """The run that a directory holds."""
        return cls(directory, Ledger.open(directory))

    def verify_same(self, settings: RunSettings) -> None:
        """Raise an `InputError` that names every setting in which `settings` are not those of the run."""
        differences = self.settings.differences(settings)
        if differences:
            raise InputError(
                f"the run in `{self.directory}` has other settings: {'; '.join(differences)}",
                hint="leave them out to go on with the run, or begin another one in a new directory",
            )

    @property
    def num_flops(self) -> int:
        return len(self.game.flops)

    @property
    def iteration(self) -> int:
        """How many iterations are complete."""
        return self.ledger.passes_done // PASSES_PER_ITERATION

    @property
    def num_bytes(self) -> int:
        """Of all files of flops."""
        return sum(self.ledger.file_bytes().values())

    def preflop_state(self) -> PreflopState:
        """The first round's numbers after the last complete pass."""
        stored = self.ledger.preflop_arrays()
        if stored is None:
            return PreflopState.zeros(self.game, with_average=self.settings.with_average)
        return PreflopState.from_arrays(stored)

    def passes_done_by_flop(self) -> list[int]:
        """How many passes each flop has done: one that has answered in the open pass is ahead of the others."""
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
        checkpoint: "Checkpoint | None" = None,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        """Go on until so many iterations are made in all, or the exploitability is at most `target_mbb`."""
        self._remove_old_files(executor)
        watch = _Watch(self, iterations, measure, on_progress, should_stop)
        for milestone in measuring_iterations(
            after=self.iteration, last=iterations, every=measure_every, toward_target=target_mbb is not None
        ):
            while self.iteration < milestone:
                if not self._do_pass(executor, watch):
                    return
                if checkpoint is not None and self.ledger.passes_done % PASSES_PER_ITERATION == 0:
                    checkpoint.after_iteration(self, executor)
            measured = self.measure(executor, measure, watch=watch)
            watch.restart()
            if measured is None or (target_mbb is not None and measured.exploitability_mbb <= target_mbb):
                return

    def measure(
        self,
        executor: FlopExecutor,
        strategy: StrategyKind,
        *,
        watch: "_Watch | None" = None,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Exploitability | None:
        """The exact exploitability of a strategy; None when it was stopped. It is measured once and then known."""
        known = self.measured(strategy)
        if known is not None:
            return known
        watch = watch or _Watch(self, None, strategy, on_progress, should_stop)
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
        self.ledger.record_measurement(Measurement(passes_done, strategy, (first, second), perf_counter() - started))
        return self.measured(strategy)

    def measured(self, strategy: StrategyKind) -> Exploitability | None:
        """What was measured of a strategy after the last complete pass."""
        for measurement in self.ledger.measurements():
            if (measurement.pass_number, measurement.strategy) == (self.ledger.passes_done, strategy):
                return self.exploitability(measurement)
        return None

    def _do_pass(self, executor: FlopExecutor, watch: "_Watch") -> bool:
        """Make the next pass; False when it was stopped, which loses none of the flops that have answered."""
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
        """All flops, in the order in which no thread waits long for the others at the end."""
        return sorted(range(self.num_flops), key=lambda flop: -self.game.flops[flop].num_hands)

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
        """Bring flops whose files were lost to where they were."""
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
        """Remove what a run that was killed left behind."""
        for flop, passes_done in enumerate(self.passes_done_by_flop()):
            executor.remove_old_files(flop, passes_done)


_RECENT_PASSES = 4


@dataclass
class _Watch:
    """Tells how far a run is, and asks whether to stop."""

    run: WholeRun
    iterations: int | None
    measure: StrategyKind
    on_progress: OnProgress | None
    should_stop: ShouldStop | None

    def __post_init__(self) -> None:
        self.restart()
        self._recent_seconds = self.run.ledger.pass_seconds()[-_RECENT_PASSES:]

    def restart(self) -> None:
        """Let the lap begin now."""
        self._lap_started = perf_counter()

    def lap(self) -> float:
        """Seconds since the last lap."""
        now = perf_counter()
        seconds, self._lap_started = now - self._lap_started, now
        self._recent_seconds = [*self._recent_seconds, seconds][-_RECENT_PASSES:]
        return seconds

    def stops(self, flops_done: int, *, is_measuring: bool = False) -> bool:
        if self.on_progress is not None:
            self.on_progress(self._progress(flops_done, is_measuring))
        return self.should_stop is not None and self.should_stop()

    def _progress(self, flops_done: int, is_measuring: bool) -> RunProgress:
        run = self.run
        measured = [m for m in run.ledger.measurements() if m.strategy == self.measure]
        return RunProgress(
            iteration=run.iteration + (not is_measuring),
            iterations=self.iterations,
            flops_done=flops_done,
            num_flops=run.num_flops,
            is_measuring=is_measuring,
            measured_mbb=run.exploitability(measured[-1]).exploitability_mbb if measured else None,
            seconds_left=self._seconds_left(flops_done, is_measuring),
        )

    def _seconds_left(self, flops_done: int, is_measuring: bool) -> float | None:
        recent = self._recent_seconds
        if self.iterations is None or not recent:
            return None
        passes = float(self.iterations * PASSES_PER_ITERATION - self.run.ledger.passes_done)
        if not is_measuring:
            passes -= flops_done / self.run.num_flops
        return passes * sum(recent) / len(recent)


@dataclass
class Checkpoint:
    """Copies all files of a run and its ledger to `path`, every so many iterations."""

    path: Path
    every: int = 10

    def after_iteration(self, run: WholeRun, executor: FlopExecutor) -> None:
        if run.iteration % self.every == 0:
            passes_done = run.ledger.passes_done
            executor.copy_to(self.path, range(run.num_flops), passes_done)
            run.ledger.copy_to(self.path)
            # Only now, so that the copies belong to a ledger beside them, whenever this is interrupted.
            copies = FlopWorker(self.path, run.settings)
            for flop in range(run.num_flops):
                copies.remove_old_files(flop, passes_done)


def _until_stopped(answers: Generator[Answer, None, None]) -> Generator[Answer, None, None]:
    """Answers, until somebody asks for an end in the middle of one; work ends as soon as nobody listens any more."""
    with closing(answers), suppress(PassStoppedError):
        yield from answers
