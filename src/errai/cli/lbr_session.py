"""One run of local best response from the command line."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from errai.agents.loading import load_agent
from errai.cli.deal_session import Display, play_session, saved_deals
from errai.cli.output import stdout_kept_for_results
from errai.games.definition import GameDefinition
from errai.play.bet_sets import parse_bets
from errai.play.hand_start import HandStart
from errai.play.lbr_observations import Estimator, Observations
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from errai.storage.solution_directory import StoredArrays
from errai.workers.runner import Runner

_KIND = "local-best-response"


@dataclass(frozen=True)
class LbrSettings:
    """What is played against what: everything that decides the result, apart from the number of deals."""

    agent: str
    start: HandStart
    bets: str
    rounds: frozenset[int]  # from 0
    seed: int
    estimator: Estimator

    @property
    def definition(self) -> GameDefinition:
        return self.start.definition

    def description(self) -> dict[str, Any]:
        """The settings as JSON."""
        return {
            "kind": _KIND,
            "agent": self.agent,
            "game": self.start.name,
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
    hands_per_second: float  # of this session alone
    was_interrupted: bool = False


@stdout_kept_for_results()
def play(settings: LbrSettings, goal: RunGoal, *, runner: Runner, out: Path | None = None) -> LbrRun:
    """Play until the goal is reached or Ctrl-C; with `out`, continue the run that is saved there, and save."""
    response = LocalBestResponse(settings.definition, parse_bets(settings.bets), settings.rounds, settings.start.spot)
    make_strategy = partial(load_agent, settings.agent, settings.definition)
    make_strategy()  # so that a bot that cannot be loaded is reported here, and not by every worker
    saved = saved_deals(out, settings.description(), settings.start, [settings.agent]) if out is not None else None
    start = _observations(saved.load() if saved is not None else None, settings)

    def status(observations: Observations) -> str:
        estimate = observations.estimate_mbb(settings.estimator)
        return f"{estimate.mean:,.0f} ± {estimate.half_width:,.0f} mbb/h"

    label = f"{settings.agent} · {settings.bets} · rounds {format_rounds(settings.rounds)}"
    session = play_session(
        lambda should_stop: run_local_best_response(
            response, make_strategy, goal, start=start, run=runner.run, should_stop=should_stop
        ),
        goal,
        start=start,
        display=Display(label, status, goal.half_width_mbb),
        save=(lambda played: saved.save(_arrays(played))) if saved is not None else None,
    )
    return LbrRun(settings, session.played, session.hands_per_second, session.was_interrupted)


def _observations(stored: StoredArrays | None, settings: LbrSettings) -> Observations:
    unit_chips = settings.definition.unit_chips
    if stored is None:
        return Observations.none(unit_chips=unit_chips)
    return Observations(unit_chips, stored["chips"], stored["last_round"])


def _arrays(observations: Observations) -> dict[str, NDArray[Any]]:
    return {"chips": observations.chips, "last_round": observations.last_round}


def format_rounds(rounds: frozenset[int]) -> str:
    """`3-4` or `1,4`, counted from 1."""
    numbers = sorted(round + 1 for round in rounds)
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ",".join(map(str, numbers))
