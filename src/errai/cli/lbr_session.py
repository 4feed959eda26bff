"""One run of local best response from the command line: resumed, shown while it goes on, interruptible, saved."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from errai.agents.loading import load_agent
from errai.cli.interrupt import interruptible
from errai.cli.output import talk
from errai.cli.progress import progress_bar
from errai.cli.quantities import format_seconds
from errai.errors import InputError
from errai.evaluate.bet_sets import parse_bets
from errai.evaluate.lbr_observations import Estimator, Observations
from errai.evaluate.lbr_run import RunGoal, run_local_best_response
from errai.evaluate.local_best_response import LocalBestResponse
from errai.games import GameDefinition
from errai.storage import read_solution, verify_can_write, write_solution

_KIND = "local-best-response"
_SECONDS_BETWEEN_SAVES = 30.0


@dataclass(frozen=True)
class LbrSettings:
    """What is played against what. Everything that decides the numbers, apart from how many deals there are."""

    agent: str
    definition: GameDefinition
    bets: str
    rounds: frozenset[int]  # from 0
    seed: int
    estimator: Estimator

    def description(self) -> dict[str, Any]:
        """As JSON, to be compared with what a saved run was made with."""
        return {
            "kind": _KIND,
            "agent": self.agent,
            "game": self.definition.name,
            "bets": self.bets,
            "rounds": [round + 1 for round in sorted(self.rounds)],
            "seed": self.seed,
            "estimator": self.estimator.name.lower(),
        }


@dataclass(frozen=True)
class LbrRun:
    """What came of it."""

    settings: LbrSettings
    observations: Observations
    hands_per_second: float  # of this session, without what was resumed
    was_interrupted: bool = False


def play(settings: LbrSettings, goal: RunGoal, *, num_workers: int, out: Path | None = None) -> LbrRun:
    """Play until the goal is reached or Ctrl-C; with `out`, go on from what is there, and save."""
    response = LocalBestResponse(settings.definition, parse_bets(settings.bets), settings.rounds)
    make_strategy = partial(load_agent, settings.agent, settings.definition)
    make_strategy()  # so that a bot that cannot be loaded says so here, and not in every worker
    start = _load(out, settings) if out is not None else None
    num_before = start.num_deals if start else 0
    began = saved_at = perf_counter()

    with _progress(settings, goal, num_before) as show, interruptible() as interrupted:

        def should_stop(observations: Observations) -> bool:
            nonlocal saved_at
            show(observations)
            if out is not None and perf_counter() - saved_at > _SECONDS_BETWEEN_SAVES:
                _save(out, settings, observations)
                saved_at = perf_counter()
            return interrupted()

        observations = run_local_best_response(
            response, make_strategy, goal, start=start, num_workers=num_workers, should_stop=should_stop
        )
        was_interrupted = interrupted()
    if out is not None:
        _save(out, settings, observations)
    num_hands = observations.num_hands - 2 * num_before
    return LbrRun(settings, observations, num_hands / (perf_counter() - began), was_interrupted)


def _load(directory: Path, settings: LbrSettings) -> Observations | None:
    if not directory.exists():
        verify_can_write(directory)
        return None
    stored = read_solution(directory)
    wanted, found = settings.description(), stored.description
    for name, value in wanted.items():
        if found.get(name) != value:
            raise InputError(
                f"`{directory}` holds a run with `{name}` {found.get(name)!r}; got {value!r}",
                hint="choose another directory, or the same options to go on with it",
            )
    return Observations(settings.definition.small_bet_chips, stored.arrays["chips"], stored.arrays["last_round"])


def _save(directory: Path, settings: LbrSettings, observations: Observations) -> None:
    arrays: dict[str, NDArray[Any]] = {"chips": observations.chips, "last_round": observations.last_round}
    write_solution(directory, description=settings.description(), arrays=arrays)


@contextmanager
def _progress(settings: LbrSettings, goal: RunGoal, num_before: int) -> Iterator[Callable[[Observations], None]]:
    """Within, show how far a run is; on a terminal only."""
    bar = progress_bar(talk())
    label = f"{settings.agent} · {settings.bets} · rounds {format_rounds(settings.rounds)}"
    task = bar.add_task(label, total=None, status="")

    def show(observations: Observations) -> None:
        estimate = observations.estimate_mbb(settings.estimator)
        num_needed = goal.num_deals
        if goal.until_mbb is not None:
            # The width falls with the square root of the number of deals.
            num_needed = min(num_needed, ceil(observations.num_deals * (estimate.half_width / goal.until_mbb) ** 2))
        elapsed = bar.tasks[0].elapsed or 0.0
        num_left = max(num_needed - observations.num_deals, 0)
        seconds_left = elapsed * num_left / (observations.num_deals - num_before)
        status = f"{observations.num_hands:,} hands · {estimate.mean:,.0f} ± {estimate.half_width:,.0f} mbb/h"
        status += f" · {format_seconds(seconds_left)} left"
        bar.update(task, completed=observations.num_deals, total=observations.num_deals + num_left, status=status)

    with bar:
        yield show


def format_rounds(rounds: frozenset[int]) -> str:
    """`3-4` or `1,4`, counted from 1."""
    numbers = sorted(round + 1 for round in rounds)
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ",".join(map(str, numbers))
