"""Policies of OpenSpiel judged by us: state by state, and in batches."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

import errai
from errai.games.state import BettingState, initial_state
from errai.openspiel.games import load_openspiel_game
from errai.openspiel.states import build_state
from reference.openspiel import SMALL_FLOP_HOLDEM, tabular

Network = Callable[[NDArray[np.float64], NDArray[np.bool_]], NDArray[np.float64]]


def random_network(game: Any, *, scale: float) -> Network:
    """The softmax of a random linear function of the tensor; with scale 0, all legal actions equally often."""
    weights = scale * np.random.default_rng(1).normal(size=(game.information_state_tensor_size(), 3))

    def network(tensors: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
        scores = np.where(legal, np.exp(tensors @ weights), 0.0)
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    return network


@pytest.mark.parametrize("scale", [0.0, 1.0], ids=["uniform", "random"])
@pytest.mark.parametrize("definition", [errai.load_game("leduc"), SMALL_FLOP_HOLDEM], ids=lambda game: game.name)
def test_a_batch_policy_is_as_exploitable_as_openspiel_finds(definition: errai.GameDefinition, scale: float) -> None:
    game = load_openspiel_game(definition)
    network = random_network(game, scale=scale)

    def of_state(state: Any) -> dict[int, float]:
        tensors = np.array([state.information_state_tensor()])
        (row,) = network(tensors, np.array(state.legal_actions_mask(), dtype=np.bool_))
        return {action: row[action] for action in state.legal_actions()}

    ours = errai.exploitability(definition, errai.TensorAgent(definition, network))
    assert ours.nash_conv_chips == pytest.approx(pyspiel.nash_conv(game, tabular(game, of_state)), abs=1e-9)


@pytest.mark.slow
def test_uniform_play_in_all_of_flop_holdem_is_as_exploitable_in_batches_as_without_cards() -> None:
    """The card-blind judge never asks about a hand or a board; the batch interface is asked on all 1,755 flops."""
    network = random_network(load_openspiel_game(errai.load_game("flop-holdem")), scale=0.0)
    agent = errai.TensorAgent("flop-holdem", network, is_suit_blind=True)
    judged = errai.exploitability("flop-holdem", agent).exploitability_mbb
    assert judged == pytest.approx(errai.exploitability("flop-holdem", "random").exploitability_mbb, abs=1e-6)
    assert judged == pytest.approx(1488.026353, abs=1e-6)


def test_uniform_play_in_leduc_has_the_published_nash_conv() -> None:
    game = pyspiel.load_game("leduc_poker")
    judged = errai.exploitability("leduc", errai.PolicyAgent("leduc", UniformRandomPolicy(game)))
    # 4.7472 chips, as OpenSpiel's own tests have it.
    assert judged.nash_conv_chips == pytest.approx(4.7472, abs=5e-5)


def test_a_policy_is_judged_state_by_state() -> None:
    game = pyspiel.load_game("leduc_poker")
    policy = TabularPolicy(game)
    draws = np.random.default_rng(3).random(policy.action_probability_array.shape) * policy.legal_actions_mask
    policy.action_probability_array = draws / draws.sum(axis=1, keepdims=True)
    ours = errai.exploitability("leduc", errai.PolicyAgent("leduc", policy))
    theirs = pyspiel.nash_conv(game, tabular(game, policy.action_probabilities))
    assert ours.nash_conv_chips == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("betting", [(), ("r",), ("c",), ("r", "c"), ("r", "c", "c", "r")])
def test_the_rows_are_the_tensors_of_openspiels_own_states(betting: tuple[str, ...]) -> None:
    definition = errai.load_game("flop-holdem")
    game = load_openspiel_game(definition)
    state: BettingState = initial_state(definition)
    for action in betting:
        state = state.apply_raise() if action == "r" else state.apply_call()
    board = definition.deck.parse("Ks8d2d") if state.round else ()
    seen: list[NDArray[np.float64]] = []

    def remember(tensors: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
        seen.append(tensors)
        return np.tile(legal / legal.sum(), (len(tensors), 1))

    errai.TensorAgent(definition, remember).action_probabilities(state, board)
    (tensors,) = seen
    possible = [cards for cards in errai.hands(definition.deck, 2).tolist() if not {*cards} & {*board}]
    assert len(tensors) == len(possible)
    for row in range(0, len(possible), 101):
        own = possible[row]
        other = next(cards for cards in possible if not {*cards} & {*own})
        hole_cards = (own, other) if state.actor == 0 else (other, own)
        dealt = build_state(game, state, board, hole_cards)
        np.testing.assert_array_equal(tensors[row], dealt.information_state_tensor())


def test_an_answer_of_another_shape_is_named() -> None:
    agent = errai.TensorAgent("leduc", lambda tensors, legal: np.ones(3))
    with pytest.raises(errai.ErraiError, match=r"must return probabilities of shape \(6, 3\).* got \(3,\)"):
        errai.exploitability("leduc", agent)
