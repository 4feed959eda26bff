"""The result of a tournament: the rankings, and every match behind them."""

from dataclasses import dataclass
from typing import Any

from errai.evaluate.statistics import Estimate
from errai.reports.dealer import half_width
from errai.reports.match import MatchReport


@dataclass(frozen=True)
class Standing:
    """One line of a ranking."""

    name: str
    mean_mbb: Estimate  # over all opponents that it was ranked with
    lead_mbb: Estimate | None  # over the next in the ranking; None for the last

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.name,
            "mean_mbb": self.mean_mbb.mean,
            "ci95_mbb": half_width(self.mean_mbb),
            "lead_mbb": None if self.lead_mbb is None else self.lead_mbb.mean,
            "lead_ci95_mbb": half_width(self.lead_mbb),
        }


Standings = tuple[Standing, ...]  # best first


@dataclass(frozen=True)
class TournamentReport:
    """Everybody against everybody. `bankroll` has one ranking, `instant-runoff` one for every agent that went out."""

    kind: str
    agents: tuple[str, ...]
    matches: tuple[MatchReport, ...]
    rounds: tuple[Standings, ...]

    @property
    def ranking(self) -> tuple[str, ...]:
        """The names, best first: in a runoff, an agent that went out later is better."""
        *earlier, last = self.rounds
        return (*(standing.name for standing in last), *(standings[-1].name for standings in reversed(earlier)))

    def wins_mbb(self, agent: str, opponent: str) -> Estimate:
        """What one agent wins per hand against another."""
        for match in self.matches:
            if match.agents == (agent, opponent):
                return match.wins_mbb
            if match.agents == (opponent, agent):
                return match.wins_mbb.scaled(-1.0)
        raise KeyError((agent, opponent))

    def to_json(self) -> dict[str, Any]:
        """The object that `errai match --tournament --json` prints."""
        first = self.matches[0]
        return {
            "game": first.game,
            "kind": self.kind,
            "agents": list(self.agents),
            "seed": first.seed,
            "duplicate": first.duplicate,
            "hands_a_match": first.hands,
            "matches": [
                {"agents": list(match.agents), "mean_mbb": match.mean_mbb, "ci95_mbb": match.ci95_mbb}
                for match in self.matches
            ],
            "ranking": list(self.ranking),
            "rounds": [[standing.to_json() for standing in standings] for standings in self.rounds],
        }
