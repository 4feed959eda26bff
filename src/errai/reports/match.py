"""The result of a match between two agents."""

from dataclasses import dataclass
from typing import Any

from errai.evaluate.statistics import Estimate
from errai.games.definition import GameDefinition
from errai.reports.dealer import half_width


@dataclass(frozen=True, repr=False)
class MatchReport:
    """What the first agent wins, in thousandths of a big blind (in limit games, of a small bet) per hand."""

    definition: GameDefinition
    game: str  # the name of the game, or of the spot where the hands began
    agents: tuple[str, str]
    seed: int
    duplicate: bool
    hands: int
    wins_mbb: Estimate
    by_seat_mbb: tuple[Estimate | None, Estimate | None]  # as player 0 and as player 1; None where never played
    plain_mbb: Estimate  # if every hand had been a deal of its own
    duplicate_saved: float | None  # how many times as many hands would be needed without duplicate play
    winnings_chips: tuple[float, float]  # of both agents; with rake, they add up to less than 0
    seconds: float = 0.0
    hands_per_second: float = 0.0

    def __repr__(self) -> str:
        first, second = self.agents
        wins = f"{self.wins_mbb.mean:,.1f} ± {self.wins_mbb.half_width:,.1f} mbb/h (95 %)"
        return f"<Match of {first} against {second}, {self.game}: {first} wins {wins} over {self.hands:,} hands>"

    @property
    def mean_mbb(self) -> float:
        return self.wins_mbb.mean

    @property
    def ci95_mbb(self) -> float | None:
        """Half the width of the 95 % interval; None where it is not known."""
        return half_width(self.wins_mbb)

    def to_json(self) -> dict[str, Any]:
        """The object that `errai match --json` prints."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "seed": self.seed,
            "duplicate": self.duplicate,
            "hands": self.hands,
            "mean_mbb": self.mean_mbb,
            "ci95_mbb": self.ci95_mbb,
            "by_seat_mbb": [None if seat is None else seat.mean for seat in self.by_seat_mbb],
            "by_seat_ci95_mbb": [half_width(seat) for seat in self.by_seat_mbb],
            "plain_ci95_mbb": half_width(self.plain_mbb),
            "duplicate_saved": self.duplicate_saved,
            "winnings_chips": [int(chips) if chips.is_integer() else chips for chips in self.winnings_chips],
            "seconds": round(self.seconds, 6),
            "hands_per_second": round(self.hands_per_second, 1),
        }
