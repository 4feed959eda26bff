"""One infoset of a strategy, as a person reads it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class InfosetRow:
    """What a player does at one infoset.

    In a poker game, cards are the hole cards and then the board round by round, `K/Q`, without suits where they do not
    matter; betting is written as the ACPC writes it, `rc/r`. In a game made in Python, `cards` is the infoset's label.
    """

    player: int
    cards: str
    betting: str
    probabilities: dict[str, float]  # by the text of the action
    value_chips: float | None = None  # to the player when both play on; None where it was not computed

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "cards": self.cards,
            "betting": self.betting,
            "probabilities": self.probabilities,
            "value_chips": self.value_chips,
        }
