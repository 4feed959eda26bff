"""A run of many deals from the command line: resumed, shown while it goes on, interruptible, saved.

What `errai lbr` and `errai match` play is their own business; here is what every such run needs around it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from errai.agents.identity import agent_files
from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.interrupt import interruptible
from errai.cli.output import stderr_console
from errai.cli.render.progress import progress_bar
from errai.cli.render.quantities import format_seconds
from errai.play.batches import DealGoal
from errai.play.hand_start import HandStart
from errai.storage.saved_deals import SavedDeals
from errai.workers.local_runner import LocalRunner, num_cores
from errai.workers.ray_cluster import RayRunner
from errai.workers.runner import Runner

_SECONDS_BETWEEN_SAVES = 30.0
_SECONDS_BETWEEN_UPDATES = 0.1


class Played(Protocol):
    """What came of some deals."""

    @property
    def num_deals(self) -> int: ...

    @property
    def num_hands(self) -> int: ...


AnyPlayed = TypeVar("AnyPlayed", bound=Played)


def choose_runner(num_workers: int | None, cluster: str | None) -> Runner:
    """Who plays: the cores of this machine, or a cluster."""
    return LocalRunner(num_workers or num_cores()) if cluster is None else RayRunner(cluster, num_workers)


def exit_code(was_interrupted: bool) -> int:
    """The exit code of a command whose run is over; an interruption is reported."""
    if not was_interrupted:
        return 0
    stderr_console().print("interrupted")
    return EXIT_INTERRUPTED


def saved_deals(directory: Path, settings: Mapping[str, Any], start: HandStart, agents: Sequence[str]) -> SavedDeals:
    """The directory that a run is kept in."""
    files = {agent: agent_files(agent) for agent in agents}
    return SavedDeals(directory, settings, start.text, files)


@dataclass(frozen=True)
class Session(Generic[AnyPlayed]):
    """What came of it."""

    played: AnyPlayed
    seconds: float  # of this session, without what was resumed
    hands_per_second: float
    was_interrupted: bool


@dataclass(frozen=True)
class Display(Generic[AnyPlayed]):
    """How a run is shown while it goes on."""

    label: str
    status: Callable[[AnyPlayed], str]
    half_width_mbb: Callable[[AnyPlayed], float]


def play_session(
    play: Callable[[Callable[[AnyPlayed], bool]], AnyPlayed],
    goal: DealGoal,
    *,
    start: AnyPlayed,
    display: Display[AnyPlayed],
    save: Callable[[AnyPlayed], None] | None,
) -> Session[AnyPlayed]:
    """Have `play` play until the goal or Ctrl-C; after every batch it has to ask what it is given whether to stop."""
    began = saved_at = perf_counter()
    latest = start

    with _progress(display, goal, start.num_deals) as show, interruptible() as interrupted:

        def should_stop(played: AnyPlayed) -> bool:
            nonlocal saved_at, latest
            latest = played
            show(played)
            if save is not None and perf_counter() - saved_at > _SECONDS_BETWEEN_SAVES:
                save(played)
                saved_at = perf_counter()
            return interrupted()

        try:
            played = play(should_stop)
        except KeyboardInterrupt:
            # The second Ctrl-C: what was played so far still counts.
            if latest is start:
                raise
            played = latest
        was_interrupted = interrupted()
    if save is not None:
        save(played)
    seconds = perf_counter() - began
    return Session(played, seconds, (played.num_hands - start.num_hands) / seconds, was_interrupted)


@contextmanager
def _progress(display: Display[AnyPlayed], goal: DealGoal, num_before: int) -> Iterator[Callable[[AnyPlayed], None]]:
    """Within, show how far a run is; on a terminal only."""
    bar = progress_bar(stderr_console())
    task = bar.add_task(display.label, total=None, status="")
    shown_at = 0.0

    def show(played: AnyPlayed) -> None:
        nonlocal shown_at
        # An estimate looks at all deals, and batches can be many.
        if bar.disable or perf_counter() - shown_at < _SECONDS_BETWEEN_UPDATES:
            return
        shown_at = perf_counter()
        num_needed = goal.num_deals
        half_width = display.half_width_mbb(played)
        if goal.until_mbb is not None and isfinite(half_width):
            # The width falls with the square root of the number of deals.
            num_needed = min(num_needed, ceil(played.num_deals * (half_width / goal.until_mbb) ** 2))
        elapsed = bar.tasks[0].elapsed or 0.0
        num_left = max(num_needed - played.num_deals, 0)
        seconds_left = elapsed * num_left / (played.num_deals - num_before)
        status = f"{played.num_hands:,} hands · {display.status(played)} · {format_seconds(seconds_left)} left"
        bar.update(task, completed=played.num_deals, total=played.num_deals + num_left, status=status)

    with bar:
        yield show
