"""Values of hands at every public state of a spot, against a recursion that knows neither lanes nor classes."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import errai
from errai.cards.hands import hands
from errai.games.acpc import parse_betting
from errai.games.compatible_reach import compatible_reach
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.reports.state import StateReport
from errai.solutions.tree_query import query_tree
from errai.trees.betting_tree import build_betting_tree
from errai.trees.lane_arrays import LaneArray, set_node_values, zeros
from errai.trees.public_tree import Precision, PublicTree, build_public_tree
from reference.hand_values import Asker, HandValues

HOLDEM = load_game("holdem.limit.2p")
# Limit hold'em on a deck of aces, kings and queens, with one bet a round.
SMALL = replace(HOLDEM, name="small", num_ranks=3, max_raises=(1, 1, 1, 1))
Weights = tuple[LaneArray, LaneArray]


def random_weights(tree: PublicTree, *, seed: int) -> Weights:
    """Some actions are never taken, and at some infosets none has any weight."""
    generator = np.random.default_rng(seed)
    weights = zeros(tree, 0), zeros(tree, 1)
    for array in weights:
        array.values[:] = np.maximum(generator.normal(size=array.values.shape), 0.0)
    return weights


def ask(tree: PublicTree, weights: Weights, betting: str, board: str, num_threads: int = 1) -> StateReport:
    return query_tree(
        tree,
        weights,
        state=parse_betting(tree.definition, betting),
        board=tree.definition.deck.parse(board),
        with_values=True,
        num_threads=num_threads,
    )


def asker(tree: PublicTree, weights: Weights) -> Asker:
    @cache
    def probabilities(state: BettingState, board: tuple[int, ...]) -> NDArray[np.float64]:
        report = query_tree(tree, weights, state=state, board=board, with_values=False, num_threads=1)
        return np.nan_to_num(report.probabilities)

    return probabilities


def random_ranges(seed: int, *, by_ranks: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights of both players' hands; those by ranks are the same whatever the suits."""
    generator = np.random.default_rng(seed)
    if not by_ranks:
        first, second = generator.random((2, 66)) * (generator.random((2, 66)) < 0.7)
        return first, second
    ranks = hands(SMALL.deck, 2) // SMALL.deck.num_suits
    first, second = (weights[ranks.min(axis=1), ranks.max(axis=1)] for weights in generator.random((2, 3, 3)))
    return first, second


@pytest.mark.parametrize(("flop", "merge_suits", "num_boards"), [("AsKsQs", True, 15), ("AsKsQd", False, 72)], ids=str)
def test_every_hand_is_worth_what_all_cards_to_come_make_of_it(flop: str, merge_suits: bool, num_boards: int) -> None:
    tree = build_public_tree(
        SMALL,
        betting=build_betting_tree(parse_betting(SMALL, "rc/")),
        board=SMALL.deck.parse(flop),
        ranges=random_ranges(1, by_ranks=merge_suits),
        merge_suits=merge_suits,
    )
    assert len(tree.rounds[-1].boards) == num_boards
    weights = random_weights(tree, seed=1)
    probabilities = asker(tree, weights)
    for betting in ("rc/", "rc/c", "rc/r", "rc/cr", "rc/crc/", "rc/rc/c", "rc/cc/cr", "rc/crc/rc/", "rc/cc/rc/cr"):
        report = ask(tree, weights, betting, (flop + "QhAc")[: 2 * (2 + betting.count("/"))])
        for player in (0, 1):
            reach = report.reach[1 - player]
            beside = compatible_reach(SMALL, reach[:, None])[:, 0]
            for best_response, told in ((False, report.value_chips), (True, report.best_response_chips)):
                assert told is not None
                totals = HandValues(SMALL, probabilities, player, best_response).at(report.state, report.board, reach)
                is_told = ~np.isnan(told[player])
                assert is_told.sum() > 5
                expected = totals[is_told] / beside[is_told] + report.state.committed[player]
                np.testing.assert_allclose(told[player][is_told], expected, rtol=1e-9, atol=1e-9)
        if betting.count("/") < 2:  # the recursion below a flop takes seconds
            continue
        assert report.action_value_chips is not None
        actor = report.player
        reach = report.reach[1 - actor]
        by_action = HandValues(SMALL, probabilities, actor, False).by_action(report.state, report.board, reach).T
        is_told = ~np.isnan(report.action_value_chips[:, 0])
        beside = compatible_reach(SMALL, reach[:, None])[is_told]
        expected = by_action[is_told] / beside + report.state.committed[actor]
        np.testing.assert_allclose(report.action_value_chips[is_told], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("precision", ["float32", "float64", "uint16"])
def test_any_number_of_threads_gives_the_same_bits(precision: Precision) -> None:
    solution = errai.solve(SMALL, board="AsKsQd", betting="rc/", iterations=10, precision=precision)
    tree, weights = solution.plan.tree, solution.strategy_arrays()
    assert isinstance(tree, PublicTree)
    for betting in ("rc/c", "rc/r"):
        first, *others = (ask(tree, weights, betting, "AsKsQd", num_threads) for num_threads in (1, 2, 3))
        for other in others:
            np.testing.assert_array_equal(other.value_chips, first.value_chips)
            np.testing.assert_array_equal(other.best_response_chips, first.best_response_chips)
            np.testing.assert_array_equal(other.action_value_chips, first.action_value_chips)


def test_what_is_told_in_less_precision_is_the_value_of_the_same_strategy() -> None:
    spot = Spot(HOLDEM, "rc/cc/", "Ks8s3d7h", "22+,A2s+,KTs+", "55+,ATs+,KQ:0.5")
    single, double = (
        build_public_tree(
            HOLDEM,
            betting=build_betting_tree(spot.root),
            board=spot.board_cards,
            ranges=spot.weights,
            precision=precision,
        )
        for precision in ("float32", "float64")
    )
    weights = random_weights(single, seed=2)
    first, second = (LaneArray(array.values.astype(np.float64)) for array in weights)
    for betting, board in (("rc/cc/", "Ks8s3d7h"), ("rc/cc/cr", "Ks8s3d7h"), ("rc/cc/rrc/c", "Ks8s3d7hKd")):
        ours, theirs = ask(single, weights, betting, board), ask(double, (first, second), betting, board)
        assert ours.value_chips is not None
        assert theirs.value_chips is not None
        assert ours.best_response_chips is not None
        assert theirs.best_response_chips is not None
        np.testing.assert_allclose(ours.value_chips, theirs.value_chips, atol=0.002)
        np.testing.assert_allclose(ours.best_response_chips, theirs.best_response_chips, atol=0.002)


def test_a_hand_that_meets_nobody_has_no_value() -> None:
    tree = build_public_tree(
        SMALL, betting=build_betting_tree(parse_betting(SMALL, "rc/")), board=SMALL.deck.parse("AsKsQd")
    )
    weights = zeros(tree, 0), zeros(tree, 1)
    # The first player always checks.
    root = np.zeros((tree.rounds[0].boards[0].hands[0].num_hands, 2, 1))
    root[:, 0] = 1
    set_node_values(tree, weights[0], root, round_index=0, board_index=0, node_index=0)
    report = ask(tree, weights, "rc/r", "AsKsQd")
    assert report.value_chips is not None
    assert np.isnan(report.value_chips[1]).all()
    assert not np.isnan(report.value_chips[0]).all()
