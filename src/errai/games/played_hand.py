"""A hand from the shuffle to the payoffs: the cards that were dealt, and the betting on them."""

from dataclasses import dataclass
from functools import cached_property

from errai.errors import RuleError
from errai.games.acpc import MatchState
from errai.games.showdown import Chips, payoffs_chips
from errai.games.state import BettingState

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Deal:
    """The cards of a hand: each player's hole cards, and the whole board, whether it is reached or not."""

    hole_cards: tuple[Cards, Cards]
    board: Cards

    def board_at(self, betting: BettingState) -> Cards:
        """The board cards that lie open in the round of `betting`."""
        return self.board[: sum(betting.definition.num_board_cards[: betting.round + 1])]

    def view(self, betting: BettingState, *, position: int, hand_number: int) -> MatchState:
        """What the player at `position` may see: the own cards, and at a showdown the opponent's."""
        first, second = (
            cards if player == position or betting.is_showdown else None for player, cards in enumerate(self.hole_cards)
        )
        return MatchState(position, hand_number, betting, (first, second), self.board_at(betting))


@dataclass(frozen=True)
class PlayedHand:
    """A finished hand; the betting is over."""

    number: int
    deal: Deal
    betting: BettingState
    names: tuple[str, str]  # of player 0 and player 1 of this hand

    def __post_init__(self) -> None:
        if not self.betting.is_terminal:
            raise RuleError(f"hand {self.number} is not over: player {self.betting.actor} is to act")

    @cached_property
    def payoffs_chips(self) -> tuple[Chips, Chips]:
        """What each player wins."""
        return payoffs_chips(self.betting, self.deal.hole_cards, self.deal.board)
