"""One match, or all matches of a tournament, from the command line."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from errai.agents.playing import load_competitors
from errai.cli.deal_session import Display, play_session, saved_deals
from errai.cli.output import stdout_kept_for_results
from errai.games.played_hand import PlayedHand
from errai.play.batches import DealGoal
from errai.play.hand_start import HandStart
from errai.play.match_limits import ANSWER_SECONDS
from errai.play.match_run import RoundRobin, Winnings, run_round_robin
from errai.play.matches import MatchResult
from errai.play.schedule import MatchSchedule
from errai.play.tournaments import verify_names
from errai.workers.runner import Runner

_KIND = "match"


@dataclass(frozen=True)
class MatchSettings:
    """Who plays whom, and where: everything that decides the result, apart from the number of hands."""

    agents: tuple[str, ...]
    start: HandStart
    schedule: MatchSchedule
    is_tournament: bool
    answer_seconds: float = ANSWER_SECONDS  # of a program, for one action; no part of what decides the result

    def description(self) -> dict[str, Any]:
        """The settings as JSON."""
        return {
            "kind": _KIND,
            "agents": list(self.agents),
            "game": self.start.name,
            "duplicate": self.schedule.is_duplicate,
            "seed": self.schedule.seed,
        }


@dataclass(frozen=True)
class MatchRun:
    """What came of it."""

    names: tuple[str, ...]
    results: list[MatchResult]  # of every two of them, in this order
    seconds: float  # of this session alone
    hands_per_second: float
    was_interrupted: bool


@stdout_kept_for_results()
def play(
    settings: MatchSettings,
    *,
    until_mbb: float | None,
    runner: Runner,
    out: Path | None,
    on_hand: Callable[[PlayedHand], None] | None = None,
) -> MatchRun:
    """Play the schedule, or until `until_mbb` or Ctrl-C; with `out`, continue the run that is saved there, and save."""
    make_competitors = partial(
        load_competitors, settings.agents, settings.start.definition, answer_seconds=settings.answer_seconds
    )
    # Here first, so that a bot that cannot be loaded is reported before any worker starts.
    names = tuple(competitor.name for competitor in make_competitors())
    if settings.is_tournament:
        verify_names(names)
    games = RoundRobin(settings.start.definition, settings.schedule, names, settings.start.spot)
    goal = DealGoal(settings.schedule.num_deals, until_mbb)
    saved = saved_deals(out, settings.description(), settings.start, settings.agents) if out is not None else None
    stored = saved.load() if saved is not None else None
    start = games.none_played()
    if stored:
        start = Winnings(settings.schedule.hands_per_deal, stored["winnings_chips"], stored["rake_chips"])

    def status(winnings: Winnings) -> str:
        results = games.results(winnings)
        if len(results) > 1:
            return f"± {games.half_width_mbb(winnings):,.0f} mbb/h or narrower"
        estimate = results[0].estimate_mbb()
        return f"{estimate.mean:,.0f} ± {estimate.half_width:,.0f} mbb/h"

    session = play_session(
        lambda should_stop: run_round_robin(
            games,
            make_competitors,
            goal,
            start=start,
            run=runner.run,
            should_stop=should_stop,
            on_hand=on_hand,
        ),
        goal,
        start=start,
        display=Display(" · ".join(names), status, games.half_width_mbb),
        save=(lambda played: saved.save(_arrays(played))) if saved is not None else None,
    )
    results = games.results(session.played)
    return MatchRun(names, results, session.seconds, session.hands_per_second, session.was_interrupted)


def _arrays(winnings: Winnings) -> dict[str, NDArray[Any]]:
    return {"winnings_chips": winnings.chips, "rake_chips": winnings.rake_chips}
