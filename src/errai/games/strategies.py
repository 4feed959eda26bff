"""What judges and opponents ask of a strategy."""

from typing import Literal, Protocol

from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import BettingState

StrategyKind = Literal["average", "current"]  # of all iterations, or of the last one


class AnsweringStrategy(Protocol):
    """A strategy for every public state of a game."""

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does at this public state."""


class WholeGameStrategy(AnsweringStrategy, Protocol):
    """A strategy for every public state of a game, and what it declares about itself."""

    name: str
    is_card_blind: bool  # it looks at neither its hand nor the board
    is_suit_blind: bool  # relabelling the suits of hand and board changes nothing


class ExploitedStrategy(Protocol):
    """What local best response needs to know of its opponent."""

    name: str
    tells_estimates: bool  # whether `played_probabilities` differs from `action_probabilities`

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The strategy as it is reported."""

    def played_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The probabilities from which actions are drawn."""
