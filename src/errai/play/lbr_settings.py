"""What a local best response is played against, and how: everything that decides the result but the number of deals."""

from dataclasses import dataclass
from typing import Any

from errai.play.bet_sets import parse_bets
from errai.play.hand_start import HandStart
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_observations import Observations
from errai.play.local_best_response import LocalBestResponse
from errai.reports.local_best_response import LastRound, LbrReport


@dataclass(frozen=True)
class LbrSettings:
    """An agent by its name, where hands begin, and what LBR may do."""

    agent: str
    start: HandStart
    bets: str
    rounds: frozenset[int]  # from 0
    seed: int
    estimator: Estimator

    @property
    def response(self) -> LocalBestResponse:
        return LocalBestResponse(self.start.definition, parse_bets(self.bets), self.rounds, self.start.spot)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": "local-best-response",
            "agent": self.agent,
            "game": self.start.name,
            "bets": self.bets,
            "rounds": [round + 1 for round in sorted(self.rounds)],
            "seed": self.seed,
            "estimator": self.estimator.name.lower(),
        }

    def report(self, observations: Observations, *, hands_per_second: float = 0.0) -> LbrReport:
        """The result of some deals."""
        estimator = self.estimator
        techniques = {
            "plain": observations.estimate_without_duplicates_mbb(Estimator.PLAIN),
            "duplicate": observations.estimate_mbb(Estimator.PLAIN),
            "duplicate, imaginary": observations.estimate_mbb(Estimator.IMAGINARY),
        }
        if estimator is Estimator.AIVAT:
            techniques["duplicate, AIVAT"] = observations.estimate_mbb(Estimator.AIVAT)
        return LbrReport(
            definition=self.start.definition,
            game=self.start.name,
            agent=self.agent,
            bets=self.bets,
            rounds=tuple(round + 1 for round in sorted(self.rounds)),
            seed=self.seed,
            estimator=estimator.name.lower(),
            hands=observations.num_hands,
            wins_mbb=observations.estimate_mbb(estimator),
            by_seat_mbb=(
                observations.estimate_of_seat_mbb(estimator, 0),
                observations.estimate_of_seat_mbb(estimator, 1),
            ),
            techniques=techniques,
            by_last_round=tuple(
                LastRound(round + 1, *observations.share_of_round_mbb(estimator, round))
                for round in range(self.start.definition.num_rounds)
            ),
            hands_per_second=hands_per_second,
        )
