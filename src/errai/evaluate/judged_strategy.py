"""What the judges of a whole game ask a strategy."""

from typing import Protocol

from errai.evaluate.opponent_range import HandProbabilities
from errai.games import BettingState


class WholeGameStrategy(Protocol):
    """A strategy for every public state of a game, and what it declares about itself."""

    name: str
    is_card_blind: bool  # whether it looks at neither its hand nor the board
    is_suit_blind: bool  # whether relabelling the suits of hand and board changes nothing

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> HandProbabilities:
        """What each hand of the player whose turn it is does at this public state."""
