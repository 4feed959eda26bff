"""What came of replaying recorded hands: payoffs checked, and decisions compared with a strategy."""

from dataclasses import dataclass, field
from typing import Any

from errai.evaluate.statistics import Estimate
from errai.reports.play import interval_json

# An action that a strategy takes less often than this is one that it does not take, but for what is left of solving.
NEVER = 0.005


@dataclass(frozen=True)
class RatedDecision:
    """One decision, and what the strategy does with that hand there."""

    hand: str  # the label of the hand
    player: str
    round: int  # from 1
    betting: str
    board: str
    hole_cards: str
    action: str  # in the words of players
    probability: float  # that the strategy takes it

    def to_json(self) -> dict[str, Any]:
        return {
            "hand": self.hand,
            "player": self.player,
            "round": self.round,
            "betting": self.betting,
            "board": self.board,
            "hole_cards": self.hole_cards,
            "action": self.action,
            "probability": self.probability,
        }


@dataclass(frozen=True)
class PlayerReplay:
    """One player of the file."""

    name: str
    hands: int
    winnings_chips: int  # by the rules, in hands whose payoffs are known
    wins_mbb: Estimate | None  # of those hands; None where there are none
    aivat_mbb: Estimate | None  # the same with luck removed; None where it remains
    decisions: int
    rated: tuple[RatedDecision, ...]

    @property
    def mean_probability(self) -> float | None:
        """How often, on average, the strategy takes the action that the player took."""
        return sum(decision.probability for decision in self.rated) / len(self.rated) if self.rated else None

    @property
    def share_never(self) -> float | None:
        """The part of the rated decisions that the strategy does not take."""
        return sum(decision.probability < NEVER for decision in self.rated) / len(self.rated) if self.rated else None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "hands": self.hands,
            "winnings_chips": self.winnings_chips,
            **interval_json("mean_mbb", "ci95_mbb", self.wins_mbb),
            **interval_json("aivat_mbb", "aivat_ci95_mbb", self.aivat_mbb),
            "decisions": self.decisions,
            "rated": len(self.rated),
            "mean_probability": self.mean_probability,
            "share_never": self.share_never,
        }


@dataclass(frozen=True)
class ReplayReport:
    """All hands of a file."""

    file: str
    kind: str  # `ACPC log`, `PHH` or `PokerStars`
    games: tuple[str, ...]
    hands: int
    checked: int  # hands whose payoffs were compared with the rules
    players: tuple[PlayerReplay, ...]
    mismatches: tuple[str, ...] = ()  # hands whose payoffs differ from the rules, and damaged ones, with the reason
    skipped: dict[str, int] = field(default_factory=dict)  # reasons, and how many hands were not replayed for each
    strategy: str | None = None
    unrated: dict[str, int] = field(default_factory=dict)  # reasons, and how many decisions were not rated for each
    played_by: str | None = None  # the player who is known to have played the strategy
    luck_remains: str | None = None  # why luck could not be removed

    @property
    def is_right(self) -> bool:
        return not self.mismatches

    def worst(self, count: int = 10) -> list[RatedDecision]:
        """The decisions that the strategy takes most rarely."""
        rated = [decision for player in self.players for decision in player.rated]
        return sorted(rated, key=lambda decision: decision.probability)[:count]

    def to_json(self) -> dict[str, Any]:
        """The object that `errai replay --json` prints."""
        return {
            "file": self.file,
            "kind": self.kind,
            "games": list(self.games),
            "hands": self.hands,
            "checked": self.checked,
            "mismatches": list(self.mismatches),
            "skipped": self.skipped,
            "players": [player.to_json() for player in self.players],
            "strategy": self.strategy,
            "unrated": self.unrated,
            "played_by": self.played_by,
            "luck_remains": self.luck_remains,
            "worst": [decision.to_json() for decision in self.worst()] if self.strategy else [],
        }
