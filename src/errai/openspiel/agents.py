"""Strategies that were made with OpenSpiel, as agents: they are judged, matched and played like any other.

An agent answers for all hands of a public state at once. `PolicyAgent` puts that question to an OpenSpiel policy state
by state, one hand after the other, which suits small decks. `TensorAgent` is the batch interface: one call per public
state, with the information-state tensors of all hands as the rows of an array, as a neural network takes them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands, held_cards
from errai.errors import AgentError
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState
from errai.openspiel.games import load_openspiel_game, verify_same_rules
from errai.openspiel.states import CALL_NUMBER, FOLD_NUMBER, LIMIT_RAISE_NUMBER, build_state

Float64Array = NDArray[np.float64]

# From information-state tensors [hand][number] and a mask of legal actions [action] to probabilities [hand][action].
TensorPolicy = Callable[[Float64Array, NDArray[np.bool_]], Any]

_NUM_PLAYERS = 2  # the tensor begins with one bit per player, and then has one bit per card for the hand


class _Agent:
    """What both have in common: the game, and OpenSpiel states of it."""

    def __init__(self, game: str | GameDefinition, *, openspiel_game: Any, name: str, is_suit_blind: bool) -> None:
        self.definition = load_game(game) if isinstance(game, str) else game
        if openspiel_game is None:
            openspiel_game = load_openspiel_game(self.definition)
        else:
            verify_same_rules(self.definition, openspiel_game)
        self.openspiel_game = openspiel_game
        self.name = name
        self.is_suit_blind = is_suit_blind
        self._cards = hands(self.definition.deck, self.definition.num_hole_cards)
        self._held = held_cards(self.definition.deck, self.definition.num_hole_cards)

    def _possible_hands(self, board: tuple[int, ...]) -> NDArray[np.intp]:
        return np.flatnonzero(self._held[:, list(board)].sum(axis=1) == 0)

    def _state_with(self, betting: BettingState, board: tuple[int, ...], hand: int) -> Any:
        """A state in which the player to act holds a hand, and the opponent the first cards that are left."""
        own = self._cards[hand].tolist()
        taken = {*own, *board}
        free = [card for card in range(self.definition.deck.size) if card not in taken][: len(own)]
        hole_cards = (own, free) if betting.actor == 0 else (free, own)
        return build_state(self.openspiel_game, betting, board, hole_cards)

    def _answer(
        self, betting: BettingState, possible: NDArray[np.intp], probabilities: Float64Array
    ) -> ActionProbabilities:
        """[possible hand][action by OpenSpiel's number] as an answer; a hand that cannot be held calls."""
        table = np.zeros((len(self._cards), probabilities.shape[1]))
        table[:, CALL_NUMBER] = 1.0
        table[possible] = probabilities
        if self.definition.is_limit:
            bounds = betting.raise_bounds()
            totals = [bounds[0]] if bounds else []
            columns = [LIMIT_RAISE_NUMBER] if bounds else []
        else:
            columns = totals = [
                number for number in range(CALL_NUMBER + 1, table.shape[1]) if betting.can_raise(number)
            ]
        return ActionProbabilities(
            fold=table[:, FOLD_NUMBER], call=table[:, CALL_NUMBER], raise_totals=totals, raises=table[:, columns]
        )


class PolicyAgent(_Agent):
    """An OpenSpiel policy, asked state by state; `openspiel_game` is the game that it was made for."""

    def __init__(
        self,
        game: str | GameDefinition,
        policy: Any,
        *,
        openspiel_game: Any = None,
        name: str = "openspiel",
        is_suit_blind: bool = False,
    ) -> None:
        if openspiel_game is None:
            openspiel_game = getattr(policy, "game", None)
        super().__init__(game, openspiel_game=openspiel_game, name=name, is_suit_blind=is_suit_blind)
        self._policy = policy

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does."""
        possible = self._possible_hands(board)
        probabilities = np.zeros((len(possible), self.openspiel_game.num_distinct_actions()))
        for row, hand in enumerate(possible.tolist()):
            dealt = self._state_with(state, board, hand)
            for action, probability in self._policy.action_probabilities(dealt, state.actor).items():
                probabilities[row, action] = probability
        return self._answer(state, possible, probabilities)


class TensorAgent(_Agent):
    """A function of information-state tensors, asked for all hands of a public state at once.

    `policy(tensors, legal)` gets one row per hand that can be held, as `state.information_state_tensor()` would be, and
    a mask of the actions that are legal here. It returns one row of probabilities per hand, over all actions of the
    game. Where relabelling suits changes nothing but the names of the hands, `is_suit_blind` saves most of the work.
    """

    def __init__(
        self,
        game: str | GameDefinition,
        policy: TensorPolicy,
        *,
        openspiel_game: Any = None,
        name: str = "tensors",
        is_suit_blind: bool = False,
    ) -> None:
        super().__init__(game, openspiel_game=openspiel_game, name=name, is_suit_blind=is_suit_blind)
        self._policy = policy

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does."""
        possible = self._possible_hands(board)
        dealt = self._state_with(state, board, int(possible[0]))
        legal = np.array(dealt.legal_actions_mask(), dtype=np.bool_)
        answer = np.asarray(self._policy(self._tensors(state, dealt, possible), legal), dtype=np.float64)
        if answer.shape != (len(possible), len(legal)):
            raise AgentError(
                f"`{self.name}` must return probabilities of shape {(len(possible), len(legal))}, one row per hand and "
                f"one column per action; got {answer.shape}"
            )
        return self._answer(state, possible, answer)

    def _tensors(self, state: BettingState, dealt: Any, possible: NDArray[np.intp]) -> Float64Array:
        """Of all hands: that of one of them, with the bits of the other hands in the place of its own."""
        tensors = np.tile(np.array(dealt.information_state_tensor(state.actor)), (len(possible), 1))
        private = slice(_NUM_PLAYERS, _NUM_PLAYERS + self.definition.deck.size)
        assert (tensors[0, private] == self._held[possible[0]]).all(), "the tensor has another layout"
        tensors[:, private] = self._held[possible]
        return tensors
