"""A stored strategy as an agent."""

from functools import lru_cache

from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import Action, BettingState
from errai.solutions.stored_strategy import StoredStrategy

_MOST_ANSWERS = 64  # that are remembered, of one decision after the other


class SolvedAgent:
    """Plays the strategy of a saved solution or of a run, where all raises so far were of its betting tree."""

    is_suit_blind = True

    def __init__(self, stored: StoredStrategy, *, name: str) -> None:
        self.name = name
        self.bucketed = getattr(stored, "bucketed", None)  # of a bot
        self._stored = stored
        # Translations turn many raises into few, so one decision asks for the same answer again and again.
        self._answer = lru_cache(maxsize=_MOST_ANSWERS)(stored.action_probabilities)

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What the strategy does; hands that it does not know call."""
        return self._answer(state, board)

    def actions(self, state: BettingState) -> tuple[Action, ...]:
        """The actions of its betting tree at a state; before a spot, the one that led to it."""
        start = self._stored.start
        if start is None:
            return state.legal_actions()
        led_to_it = [action for actions in start.root.history for action in actions]
        num_done = sum(map(len, state.history))
        return (led_to_it[num_done],) if num_done < len(led_to_it) else start.actions(state)
