"""Tournaments of the ACPC: everybody plays everybody, then the competitors are ranked in one of two ways.

bankroll            by what each wins on average over all opponents
instant runoff      the one that wins least against the opponents that are left goes out, until one is left

All matches are dealt from the same schedule. What a competitor wins on one deal, averaged over its opponents, is
therefore one observation, and luck that all matches of a deal share does not pass for certainty. A ranking comes with
the distance between neighbours and its own interval, from the differences on every deal.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.evaluate.statistics import Estimate, estimate_mean
from errai.games.definition import GameDefinition
from errai.play.match_run import RoundRobin, run_round_robin
from errai.play.matches import Competitor, MatchResult
from errai.play.schedule import MatchSchedule
from errai.reports.tournament import Standing, Standings, TournamentReport


class Tournament:
    """All matches of a round robin."""

    def __init__(self, names: Sequence[str], matches: Sequence[MatchResult]) -> None:
        self.names = tuple(names)
        self.matches = tuple(matches)
        self._won: dict[tuple[str, str], NDArray[np.float64]] = {}
        for match in matches:
            first, second = match.names
            self._won[first, second] = match.observations_mbb()
            self._won[second, first] = match.opponent_observations_mbb()

    def result_mbb(self, name: str, opponent: str) -> Estimate:
        """What a competitor wins per hand against an opponent."""
        return estimate_mean(self._won[name, opponent])

    def bankroll(self, among: Sequence[str] | None = None) -> Standings:
        """The ranking by the mean over opponents; all competitors, or some among themselves."""
        names = self.names if among is None else among
        won = {name: self._mean_over(name, [other for other in names if other != name]) for name in names}
        ranked = sorted(names, key=lambda name: -won[name].mean())
        leads = [estimate_mean(won[name] - won[after]) for name, after in pairwise(ranked)]
        return tuple(
            Standing(name, estimate_mean(won[name]), lead) for name, lead in zip(ranked, [*leads, None], strict=True)
        )

    def instant_runoff(self) -> tuple[Standings, ...]:
        """The standings of every round, until one competitor is left; the last of each goes out."""
        left = list(self.names)
        rounds: list[Standings] = []
        while len(left) > 1:
            rounds.append(self.bankroll(left))
            left.remove(rounds[-1][-1].name)
        return tuple(rounds)

    def report(self, kind: str, *, game: str) -> TournamentReport:
        """The result as plain data; `kind` is `bankroll` or `instant-runoff`, `game` names the game or the spot."""
        rounds = self.instant_runoff() if kind == "instant-runoff" else (self.bankroll(),)
        return TournamentReport(kind, self.names, tuple(match.report(game=game) for match in self.matches), rounds)

    def _mean_over(self, name: str, opponents: Sequence[str]) -> NDArray[np.float64]:
        mean: NDArray[np.float64] = np.mean([self._won[name, opponent] for opponent in opponents], axis=0)
        return mean


def play_tournament(
    definition: GameDefinition, competitors: Sequence[Competitor], schedule: MatchSchedule
) -> Tournament:
    """Play a match between every two competitors in this process."""
    names = tuple(competitor.name for competitor in competitors)
    verify_names(names)
    games = RoundRobin(definition, schedule, names)
    return Tournament(names, games.results(run_round_robin(games, lambda: competitors)))


def verify_names(names: Sequence[str]) -> None:
    """Verify that the competitors of a tournament have different names."""
    if len(names) < 2 or len(set(names)) != len(names):
        raise InputError(f"a tournament needs two or more competitors of different names; got `{', '.join(names)}`")
