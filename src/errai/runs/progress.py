"""How far a run is while it works, and whether it should stop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.storage.ledger import Ledger

_RECENT_PASSES = 4


@dataclass(frozen=True)
class RunProgress:
    """Reported after every flop."""

    iteration: int  # under way
    iterations: int | None
    flops_done: int  # of this pass, or of this measurement
    num_flops: int
    is_measuring: bool
    latest: tuple[int, float] | None  # the last exploitability: its iteration, and mbb
    seconds_left: float | None


OnProgress = Callable[[RunProgress], None]
ShouldStop = Callable[[], bool]
WorkOfPasses = Callable[[float], float]  # of the first so many passes, in any unit


def estimate_seconds_left(
    work_of_passes: WorkOfPasses, pass_seconds: Sequence[float], *, passes_done: float, last_pass: int
) -> float | None:
    """Until the end of a pass, by the last of the passes that took `pass_seconds` and the work of those to come."""
    if not pass_seconds:
        return None
    recent = pass_seconds[-_RECENT_PASSES:]
    work_done = work_of_passes(len(pass_seconds)) - work_of_passes(len(pass_seconds) - len(recent))
    work_left = work_of_passes(last_pass) - work_of_passes(passes_done)
    return max(work_left, 0.0) * sum(recent) / work_done


@dataclass
class ProgressWatch:
    """Times the passes of a run, reports progress, and asks whether to stop."""

    ledger: Ledger
    num_flops: int
    work_of_passes: WorkOfPasses
    latest: Callable[[], tuple[int, float] | None]
    iterations: int | None = None
    on_progress: OnProgress | None = None
    should_stop: ShouldStop | None = None

    def __post_init__(self) -> None:
        self.restart()
        self._pass_seconds = self.ledger.pass_seconds()

    def restart(self) -> None:
        """Begin a lap now."""
        self._lap_started = perf_counter()

    def lap(self) -> float:
        """Seconds since the last lap."""
        now = perf_counter()
        seconds, self._lap_started = now - self._lap_started, now
        self._pass_seconds.append(seconds)
        return seconds

    def stops(self, flops_done: int, *, is_measuring: bool = False) -> bool:
        """Report progress; whether to stop."""
        if self.on_progress is not None:
            self.on_progress(self._progress(flops_done, is_measuring))
        return self.should_stop is not None and self.should_stop()

    def _progress(self, flops_done: int, is_measuring: bool) -> RunProgress:
        return RunProgress(
            iteration=self.ledger.passes_done // PASSES_PER_ITERATION + (not is_measuring),
            iterations=self.iterations,
            flops_done=flops_done,
            num_flops=self.num_flops,
            is_measuring=is_measuring,
            latest=self.latest(),
            seconds_left=self._seconds_left(flops_done, is_measuring),
        )

    def _seconds_left(self, flops_done: int, is_measuring: bool) -> float | None:
        if self.iterations is None:
            return None
        return estimate_seconds_left(
            self.work_of_passes,
            self._pass_seconds,
            passes_done=self.ledger.passes_done + (0 if is_measuring else flops_done / self.num_flops),
            last_pass=self.iterations * PASSES_PER_ITERATION,
        )
