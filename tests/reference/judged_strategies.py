"""Strategies to be judged, and the same ones on a flat form that distinguishes all cards."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from errai.agents.agent import Agent, CheckedAgent, generator_at
from errai.cards.hands import hands, number_of_hand
from errai.cards.strength import board_strengths
from errai.games.acpc import parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.state import BettingState
from errai.trees.extensive_form import ExtensiveForm


class BlindBySeed:
    """Probabilities drawn for every betting sequence, some of them zero, whatever the cards."""

    name = "blind"
    is_card_blind = True

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        weights = np.maximum(generator_at(state, (), seed=self._seed).normal(size=3), 0.0)
        return answer(state, weights[:1], weights[1:2], weights[2:])


class BlindWithoutSaying(BlindBySeed):
    is_card_blind = False


class ByStrength:
    """Raises with strong hands; what is strong is drawn for every betting sequence. Folds with weak ones."""

    name = "by strength"
    is_suit_blind = True

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        definition = state.definition
        strengths = board_strengths(definition.deck, board, num_hole_cards=definition.num_hole_cards)
        possible = strengths[strengths >= 0]
        share = np.searchsorted(np.sort(possible), strengths) / len(possible)
        low, high = np.sort(generator_at(state, (), seed=self._seed).random(2))
        return answer(state, share < low, np.full(len(share), 0.1), share > high)


class ByStrengthWithoutSaying(ByStrength):
    is_suit_blind = False


def answer(state: BettingState, fold: np.ndarray, call: np.ndarray, raise_: np.ndarray) -> ActionProbabilities:
    """In proportion to these weights, where the actions are legal; calls where nothing has any weight."""
    weights = np.stack([fold * state.can_fold(), call, raise_ * state.can_raise()], axis=1).astype(np.float64)
    weights[weights.sum(axis=1) == 0.0, 1] = 1.0
    weights /= weights.sum(axis=1, keepdims=True)
    bounds = state.raise_bounds()
    return ActionProbabilities(
        fold=weights[:, 0],
        call=weights[:, 1],
        raise_totals=bounds[:1] if bounds else (),
        raises=weights[:, 2:] if bounds else (),
    )


def strategy_on_form(form: ExtensiveForm, definition: GameDefinition, agent: Agent) -> NDArray[np.float64]:
    """What `agent` does at every infoset of a form whose suits are not merged."""
    deck = definition.deck

    @cache
    def probabilities(board: str, betting: str) -> NDArray[np.float64]:
        """[hand of the deck][action]"""
        state = parse_betting(definition, betting)
        answer = CheckedAgent(agent).action_probabilities(state, tuple(deck.parse(board)))
        columns = [answer.fold] * state.can_fold() + [answer.call] + [answer.raises.sum(axis=1)] * state.can_raise()
        count = len(hands(deck, definition.num_hole_cards))
        return np.stack([np.broadcast_to(column, count) for column in columns], axis=1)

    strategy = form.uniform_strategy()
    for infoset, label in enumerate(form.infoset_labels):
        cards, _, betting = label.partition(":")
        hole, *board = cards.split("/")
        strategy[form.actions_of(infoset)] = probabilities("".join(board), betting)[number_of_hand(deck.parse(hole))]
    return strategy
