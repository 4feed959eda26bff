"""The kernel of endings against its obvious twin, on hard boards."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai._native import kernels
from errai.games.acpc import parse_betting
from errai.games.definition_text import parse_definition
from errai.games.library import load_game
from errai.trees.betting_tree import build_betting_tree
from errai.trees.public_tree import Precision, PublicTree, build_public_tree
from reference.terminals import evaluate_endings

LANES = 16
SMALL = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 1 1
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = 0 {board}
END GAMEDEF"""


def small_tree(*, suits: int, ranks: int, hole: int, board: int, merge_suits: bool) -> PublicTree:
    text = SMALL.format(suits=suits, ranks=ranks, hole=hole, board=board)
    return build_public_tree(parse_definition(text, name="small", source="test"), merge_suits=merge_suits)


def river_tree(board: str, precision: Precision = "float64") -> PublicTree:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/cc/")
    return build_public_tree(game, betting=build_betting_tree(root), board=game.deck.parse(board), precision=precision)


def assert_kernel_equals_twin(
    tree: PublicTree,
    board_index: int,
    kind: str,
    generator: np.random.Generator,
    *,
    dtype: type[np.floating[Any]] = np.float64,
    tolerance: float = 1e-10,
) -> None:
    num_hands = tree.rounds[-1].boards[board_index].hands[0].num_hands
    # Half of the reach is zero, as in play.
    fold, show = (
        np.where(generator.random((num_hands, LANES)) < 0.5, 0, generator.random((num_hands, LANES))).astype(dtype)
        for _ in range(2)
    )
    folded, committed = (generator.integers(1, 50, LANES).astype(dtype) for _ in range(2))
    expected = evaluate_endings(tree, board_index, kind, fold, show, folded, committed)
    got_fold, got_show = fold.copy(), show.copy()
    kernels.evaluate_endings(tree.native, board_index, kind, got_fold, got_show, folded, committed)
    np.testing.assert_allclose(got_fold, expected[0], rtol=tolerance, atol=tolerance * num_hands * 50)
    if kind in ("showdown", "own"):
        np.testing.assert_allclose(got_show, expected[1], rtol=tolerance, atol=tolerance * num_hands * 50)


@settings(deadline=None, max_examples=60)
@given(
    suits=st.integers(1, 4),
    ranks=st.integers(2, 4),
    hole=st.integers(1, 2),
    board=st.integers(1, 3),
    merge_suits=st.booleans(),
    kind=st.sampled_from(["fold", "showdown", "own", "opponent"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_endings_equal_the_sum_over_pairs_on_small_decks(
    suits: int, ranks: int, hole: int, board: int, merge_suits: bool, kind: str, seed: int
) -> None:
    if suits * ranks < 2 * hole + board:
        return
    tree = small_tree(suits=suits, ranks=ranks, hole=hole, board=board, merge_suits=merge_suits)
    generator = np.random.default_rng(seed)
    board_index = int(generator.integers(len(tree.rounds[-1].boards)))
    assert_kernel_equals_twin(tree, board_index, kind, generator)


@pytest.mark.parametrize("kind", ["own", "opponent"])
@pytest.mark.parametrize("board", ["AsKsQsJsTs", "7c7d7h7sAc"])
def test_endings_equal_the_sum_over_pairs_on_boards_that_play(board: str, kind: str) -> None:
    assert_kernel_equals_twin(river_tree(board), 0, kind, np.random.default_rng(7))


def test_single_precision_stays_within_its_rounding() -> None:
    tree = river_tree("9s8s7s2d2c", "float32")
    assert_kernel_equals_twin(tree, 0, "own", np.random.default_rng(3), dtype=np.float32, tolerance=2e-6)
