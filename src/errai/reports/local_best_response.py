"""The result of a local best response: a lower bound on what an agent can lose."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errai.evaluate.statistics import Estimate
from errai.games.definition import GameDefinition
from errai.reports.dealer import half_width


@dataclass(frozen=True)
class LastRound:
    """The hands whose last action was in one round."""

    round: int  # from 1
    share_of_hands: float
    mbb: float  # what they add to the mean

    def to_json(self) -> dict[str, Any]:
        return {"round": self.round, "share_of_hands": self.share_of_hands, "mbb": self.mbb}


@dataclass(frozen=True, repr=False)
class LbrReport:
    """What LBR wins, in thousandths of a big blind (in limit games, of a small bet) per hand."""

    definition: GameDefinition
    game: str  # the name of the game, or of the spot where the hands began
    agent: str
    bets: str
    rounds: tuple[int, ...]  # from 1
    seed: int
    estimator: str
    hands: int
    wins_mbb: Estimate
    by_seat_mbb: tuple[Estimate, Estimate]  # LBR as player 0 and as player 1
    techniques: Mapping[str, Estimate]  # the mean as each technique estimates it from the same hands
    by_last_round: tuple[LastRound, ...]
    hands_per_second: float = 0.0

    def __repr__(self) -> str:
        wins = f"{self.wins_mbb.mean:,.1f} ± {self.wins_mbb.half_width:,.1f} mbb/h (95 %)"
        what = f"{self.agent}, {self.game}, {self.bets} in rounds {self.rounds_text}"
        return f"<Local best response to {what}: wins {wins} over {self.hands:,} hands>"

    @property
    def mean_mbb(self) -> float:
        return self.wins_mbb.mean

    @property
    def ci95_mbb(self) -> float | None:
        """Half the width of the 95 % interval; None where it is not known."""
        return half_width(self.wins_mbb)

    @property
    def rounds_text(self) -> str:
        """`3-4` or `1,4`."""
        numbers = self.rounds
        if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}-{numbers[-1]}"
        return ",".join(map(str, numbers))

    def to_json(self) -> dict[str, Any]:
        """The object that `errai lbr --json` prints."""
        return {
            "kind": "local-best-response",
            "agent": self.agent,
            "game": self.game,
            "bets": self.bets,
            "rounds": list(self.rounds),
            "seed": self.seed,
            "estimator": self.estimator,
            "hands": self.hands,
            "mean_mbb": self.mean_mbb,
            "ci95_mbb": self.ci95_mbb,
            "by_seat_mbb": [seat.mean for seat in self.by_seat_mbb],
            "by_seat_ci95_mbb": [half_width(seat) for seat in self.by_seat_mbb],
            "techniques": {
                name: {"mean_mbb": technique.mean, "ci95_mbb": half_width(technique)}
                for name, technique in self.techniques.items()
            },
            "by_last_round": [last_round.to_json() for last_round in self.by_last_round],
            "hands_per_second": round(self.hands_per_second, 1),
        }
