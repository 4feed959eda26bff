"""A strategy as an OpenSpiel policy: `solution.to_openspiel()`."""

from functools import lru_cache
from typing import Any

from errai.cards.hands import number_of_hand
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.state import BettingState
from errai.games.strategies import AnsweringStrategy
from errai.openspiel.games import load_openspiel_game, verify_same_rules
from errai.openspiel.library import Policy
from errai.openspiel.states import CALL_NUMBER, FOLD_NUMBER, LIMIT_RAISE_NUMBER, read_state

_STATES_KEPT = 4096  # public states whose answer for all hands is kept


class StrategyPolicy(Policy):  # type: ignore[misc]
    """What a strategy does at a state of an OpenSpiel game with the same rules; `game` is that game."""

    def __init__(self, definition: GameDefinition, strategy: AnsweringStrategy, *, game: Any = None) -> None:
        if game is None:
            game = load_openspiel_game(definition)
        else:
            verify_same_rules(definition, game)
        super().__init__(game, [0, 1])
        self._definition = definition
        self._answer = lru_cache(_STATES_KEPT)(strategy.action_probabilities)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The probability of every legal action, by OpenSpiel's numbers."""
        dealt = read_state(self._definition, state)
        actor = dealt.betting.actor
        assert actor is not None
        hand = number_of_hand(dealt.hole_cards[actor])
        by_number = _by_number(dealt.betting, self._answer(dealt.betting, dealt.board), hand)
        return {action: by_number.get(action, 0.0) for action in state.legal_actions()}


def _by_number(betting: BettingState, answer: ActionProbabilities, hand: int) -> dict[int, float]:
    fold, call, raises = (array[hand if len(array) > 1 else 0] for array in (answer.fold, answer.call, answer.raises))
    numbers = [LIMIT_RAISE_NUMBER] if betting.definition.is_limit else answer.raise_totals.tolist()
    by_number = {FOLD_NUMBER: float(fold), CALL_NUMBER: float(call)}
    return by_number | dict(zip(numbers, raises.tolist(), strict=False))
