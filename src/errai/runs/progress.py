"""How far a run is while it works, and whether it should stop."""

from collections.abc import Callable
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
    measured_mbb: float | None  # the last exploitability
    seconds_left: float | None


OnProgress = Callable[[RunProgress], None]
ShouldStop = Callable[[], bool]


@dataclass
class ProgressWatch:
    """Times the passes of a run, reports progress, and asks whether to stop."""

    ledger: Ledger
    num_flops: int
    measured_mbb: Callable[[], float | None]
    iterations: int | None = None
    on_progress: OnProgress | None = None
    should_stop: ShouldStop | None = None

    def __post_init__(self) -> None:
        self.restart()
        self._recent_seconds = self.ledger.pass_seconds()[-_RECENT_PASSES:]

    def restart(self) -> None:
        """Begin a lap now."""
        self._lap_started = perf_counter()

    def lap(self) -> float:
        """Seconds since the last lap."""
        now = perf_counter()
        seconds, self._lap_started = now - self._lap_started, now
        self._recent_seconds = [*self._recent_seconds, seconds][-_RECENT_PASSES:]
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
            measured_mbb=self.measured_mbb(),
            seconds_left=self._seconds_left(flops_done, is_measuring),
        )

    def _seconds_left(self, flops_done: int, is_measuring: bool) -> float | None:
        recent = self._recent_seconds
        if self.iterations is None or not recent:
            return None
        passes = float(self.iterations * PASSES_PER_ITERATION - self.ledger.passes_done)
        if not is_measuring:
            passes -= flops_done / self.num_flops
        return passes * sum(recent) / len(recent)
