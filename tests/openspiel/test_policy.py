"""Strategies of ours judged by OpenSpiel."""

import random
from dataclasses import replace
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import nash_conv

import errai
from errai.games.showdown import payoffs_chips
from errai.openspiel.games import load_openspiel_game, read_definition
from errai.openspiel.states import build_state, read_state
from reference.openspiel import SMALL_FLOP_HOLDEM, SMALL_NOLIMIT, tabular

UNIVERSAL_LEDUC = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 1,"
    "maxRaises=2 2,numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1)"
)
GAMES = [
    errai.load_game("leduc"),
    errai.load_game("kuhn"),
    errai.load_game("flop-holdem"),
    errai.load_game("holdem.limit.2p"),
    SMALL_FLOP_HOLDEM,
    SMALL_NOLIMIT,
]


def name_of(definition: errai.GameDefinition) -> str:
    return definition.name


def test_openspiel_finds_our_exploitability_of_leduc() -> None:
    solution = errai.solve("leduc", iterations=100)
    policy = solution.to_openspiel()
    assert nash_conv(policy.game, policy) == pytest.approx(solution.exploitability().nash_conv_chips, abs=1e-9)


@pytest.mark.parametrize("game", [pyspiel.load_game(UNIVERSAL_LEDUC), None], ids=["universal", "leduc"])
def test_leduc_is_the_same_in_both_of_openspiels_games(game: Any) -> None:
    solution = errai.solve("leduc", iterations=20)
    policy = solution.to_openspiel(game)
    judged = pyspiel.nash_conv(policy.game, tabular(policy.game, policy.action_probabilities))
    assert judged == pytest.approx(solution.exploitability().nash_conv_chips, abs=1e-9)


@pytest.mark.parametrize("definition", [SMALL_FLOP_HOLDEM, SMALL_NOLIMIT], ids=name_of)
def test_openspiel_finds_our_exploitability_of_a_small_deck(definition: errai.GameDefinition) -> None:
    solution = errai.solve(definition, iterations=20)
    policy = solution.to_openspiel()
    judged = pyspiel.nash_conv(policy.game, tabular(policy.game, policy.action_probabilities))
    assert judged == pytest.approx(solution.exploitability().nash_conv_chips, abs=1e-9)


@pytest.mark.parametrize("definition", GAMES, ids=name_of)
def test_both_play_by_the_same_rules(definition: errai.GameDefinition) -> None:
    """Random hands: the same legal actions, the same player to act, the same payoffs; and the way back."""
    game = load_openspiel_game(definition)
    assert replace(read_definition(game), name=definition.name) == definition
    draws = random.Random(7)
    for _ in range(60):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                dealt = read_state(definition, state)
                assert dealt.betting.actor == state.current_player()
                assert len(dealt.betting.legal_actions()) == len(state.legal_actions())
                again = build_state(game, dealt.betting, dealt.board, dealt.hole_cards)
                assert again.history() == state.history()
            state.apply_action(draws.choice(state.legal_actions()))
        dealt = read_state(definition, state)
        board = dealt.board
        if dealt.betting.is_showdown:
            expected = payoffs_chips(dealt.betting, dealt.hole_cards, board)
        else:
            expected = payoffs_chips(dealt.betting, ((), ()), ())
        assert tuple(state.returns()) == expected


def test_a_game_with_other_rules_is_refused() -> None:
    solution = errai.solve("kuhn", iterations=5)
    with pytest.raises(errai.ErraiError, match=r"has other rules than `kuhn`"):
        solution.to_openspiel(pyspiel.load_game("leduc_poker"))
    with pytest.raises(errai.ErraiError, match=r"got `tic_tac_toe`"):
        solution.to_openspiel(pyspiel.load_game("tic_tac_toe"))


def test_games_that_openspiel_plays_by_other_rules_are_refused() -> None:
    with pytest.raises(errai.ErraiError, match="hands of three cards"):
        load_openspiel_game(errai.load_game("rhode-island"))


def test_a_spot_has_no_policy() -> None:
    spot = errai.Spot(errai.load_game("holdem.limit.2p"), board="Ks8s3d7h2c", betting="cc/cc/cc/")
    with pytest.raises(errai.ErraiError, match="is a spot"):
        errai.solve(spot, iterations=1).to_openspiel()
