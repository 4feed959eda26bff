"""A hand that another program recorded: its cards, betting and payoffs, and whether the payoffs are right."""

from dataclasses import dataclass
from fractions import Fraction

from errai.games.acpc import MatchState
from errai.games.showdown import Chips, payoffs_chips
from errai.games.state import BettingState

Cards = tuple[int, ...]


@dataclass(frozen=True)
class RecordedHand:
    """A finished hand. Cards that the record does not show are None."""

    label: str  # as the record numbers it
    betting: BettingState
    hole_cards: tuple[Cards | None, Cards | None]
    board: Cards  # as far as it was dealt
    names: tuple[str, str]  # of player 0 and player 1
    recorded_chips: tuple[Fraction, Fraction] | None  # what the record says each won, before rake

    def __post_init__(self) -> None:
        # Its checks are those of any state: the number of cards, and that all are different.
        MatchState(0, 0, self.betting, self.hole_cards, self.board)

    @property
    def payoffs_chips(self) -> tuple[Chips, Chips] | None:
        """What each player wins by the rules; None where a showdown does not show all cards."""
        first, second = self.hole_cards
        if self.betting.is_showdown and (first is None or second is None):
            return None
        return payoffs_chips(self.betting, (first or (), second or ()), self.board)

    @property
    def mismatch(self) -> str | None:
        """What the record gets wrong; None where it agrees with the rules or cannot be checked."""
        paid = self.payoffs_chips
        if paid is None or self.recorded_chips is None or self.recorded_chips == tuple(map(Fraction, paid)):
            return None
        by_rules, recorded = ("|".join(map(str, chips)) for chips in (paid, self.recorded_chips))
        return f"pays `{by_rules}` by the rules; the record says `{recorded}`"
