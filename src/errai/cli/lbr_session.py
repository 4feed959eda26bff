"""One run of local best response from the command line."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from errai.agents.loading import load_agent
from errai.cli.deal_session import Display, play_session, saved_deals
from errai.cli.output import stdout_kept_for_results
from errai.play.lbr_observations import Observations
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.lbr_settings import LbrSettings
from errai.reports.local_best_response import LbrReport
from errai.storage.solution_directory import StoredArrays
from errai.workers.runner import Runner


@dataclass(frozen=True)
class LbrRun:
    """What was played, and whether it was interrupted."""

    report: LbrReport
    was_interrupted: bool = False


@stdout_kept_for_results()
def play(settings: LbrSettings, goal: RunGoal, *, runner: Runner, out: Path | None = None) -> LbrRun:
    """Play until the goal is reached or Ctrl-C; with `out`, continue the run that is saved there, and save."""
    make_strategy = partial(load_agent, settings.agent, settings.start.definition)
    make_strategy()  # so that a bot that cannot be loaded is reported here, and not by every worker
    saved = saved_deals(out, settings.to_json(), settings.start, [settings.agent]) if out is not None else None
    start = _observations(saved.load() if saved is not None else None, settings)

    def status(observations: Observations) -> str:
        estimate = observations.estimate_mbb(settings.estimator)
        return f"{estimate.mean:,.0f} ± {estimate.half_width:,.0f} mbb/h"

    label = f"{settings.agent} · {settings.bets}"
    session = play_session(
        lambda should_stop: run_local_best_response(
            settings.response, make_strategy, goal, start=start, run=runner.run, should_stop=should_stop
        ),
        goal,
        start=start,
        display=Display(label, status, goal.half_width_mbb),
        save=(lambda played: saved.save(_arrays(played))) if saved is not None else None,
    )
    report = settings.report(session.played, hands_per_second=session.hands_per_second)
    return LbrRun(report, session.was_interrupted)


def _observations(stored: StoredArrays | None, settings: LbrSettings) -> Observations:
    unit_chips = settings.start.definition.unit_chips
    if stored is None:
        return Observations.none(unit_chips=unit_chips)
    return Observations(unit_chips, stored["chips"], stored["last_round"])


def _arrays(observations: Observations) -> dict[str, NDArray[Any]]:
    return {"chips": observations.chips, "last_round": observations.last_round}
