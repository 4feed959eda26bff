"""What judges and opponents ask of a strategy."""

from typing import Literal, Protocol

from errai.errors import InputError
from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import BettingState

StrategyKind = Literal["average", "current"]  # of all iterations, or of the last one


def verify_average_begun(name: str, *, iteration: int, averaging_delay: int) -> None:
    """Raise an error where no iteration is in the average yet; `name` is the directory, if there is one."""
    if averaging_delay and iteration <= averaging_delay:
        raise InputError(
            f"`{name}` has no average strategy yet: it begins in iteration {averaging_delay + 1:,}, and "
            f"{iteration:,} {'is' if iteration == 1 else 'are'} done",
            hint=f"`errai solve --resume {name} --iterations {averaging_delay + 1}` goes on until there is one; "
            "`errai exploit`, `show` and `export` take the current strategy with `--measure current`",
        )


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
