"""A stored strategy as an agent."""

from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import BettingState
from errai.solutions.stored_strategy import StoredStrategy


class SolvedAgent:
    """Plays the strategy of a saved solution or of a run."""

    is_suit_blind = True

    def __init__(self, stored: StoredStrategy, *, name: str) -> None:
        self.name = name
        self._stored = stored

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What the strategy does; hands that it does not know call."""
        return self._stored.action_probabilities(state, board)
