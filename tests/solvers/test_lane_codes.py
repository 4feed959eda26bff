"""Values of 16 bits against rounding them in NumPy, one tile at a time (`native/lanes/packed.hpp`)."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from errai._native import kernels
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solvers.lane_solver import LaneSolver, Weights
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import build_betting_tree, build_betting_trees
from errai.trees.lane_arrays import node_values
from errai.trees.public_tree import Precision, PublicTree, build_public_tree


def rounded_in_16_bits(values: NDArray[np.float64], *, signed: bool) -> NDArray[np.float64]:
    """[hand][action][lane], with one scale for 32 hands of a lane: the power of two that leaves no bit unused."""
    rounded = np.zeros_like(values)
    for first in range(0, len(values), kernels.LANE_TILE):
        for lane in range(values.shape[2]):
            tile = values[first : first + kernels.LANE_TILE, :, lane]
            if not tile.any():
                continue
            _, exponent = np.frexp(np.abs(tile).max())  # the largest lies below 2 ** exponent
            scale = 2.0 ** (exponent - (15 if signed else 16))
            if signed and np.rint(np.abs(tile).max() / scale) == 2**15:
                scale *= 2
            codes = np.rint(tile / scale) if signed else np.minimum(np.floor(tile / scale + 0.5), 2**16 - 1)
            rounded[first : first + kernels.LANE_TILE, :, lane] = codes * scale
    return rounded


def river_of_lanes(precision: Precision, num_lanes: int) -> PublicTree:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/cc/")
    roots = tuple(replace(root, committed=(chips, chips)) for chips in range(20, 20 + 10 * num_lanes, 10))
    board = game.deck.parse("Td9d6hQc2s")
    return build_public_tree(game, betting=build_betting_trees(roots), board=board, precision=precision)


def river_of_many_sizes(precision: Precision) -> PublicTree:
    spot = Spot(
        load_game("holdem.nolimit.2p"), pot=100, stack=500, board="Td9d6hQc2s", bets="river 33%,75%,150% / 60%,120%"
    )
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips, rake=spot.rake_rule)
    return build_public_tree(
        spot.definition, betting=betting, board=spot.board_cards, ranges=spot.weights, precision=precision
    )


# Blocks of one lane, of vectors of 8 and of 16; and nodes of two to five actions.
TREES = {
    "one lane": lambda precision: river_of_lanes(precision, 1),
    "6 lanes of 8": lambda precision: river_of_lanes(precision, 6),
    "12 lanes of 16": lambda precision: river_of_lanes(precision, 12),
    "many sizes": river_of_many_sizes,
}


@pytest.mark.parametrize("algorithm", ["dcfr", "dcfr+", "pcfr+"])
@pytest.mark.parametrize("name", TREES)
def test_16_bits_hold_the_rounded_floats_after_one_iteration(name: str, algorithm: str) -> None:
    variant = find_variant(algorithm)
    in_floats, in_codes = (LaneSolver(TREES[name](precision), variant=variant) for precision in ("float32", "uint16"))
    for solver in (in_floats, in_codes):
        solver.run(1)
    # The second player's regrets come first, and with them the first player's average: until then nothing was rounded.
    rounded: dict[int, list[tuple[Weights, Weights]]] = {
        0: [(in_floats.average_strategy(), in_codes.average_strategy())],
        1: [(in_floats.regrets, in_codes.regrets), (in_floats.current_strategy(), in_codes.current_strategy())],
    }
    nodes = in_floats.tree.rounds[0].groups[0].shape.nodes
    for node_index, node in enumerate(nodes):
        for floats, codes in rounded[node.player]:
            place = {"round_index": 0, "board_index": 0, "node_index": node_index}
            exact = node_values(in_floats.tree, floats[node.player], **place)
            assert exact.any()
            np.testing.assert_array_equal(
                node_values(in_codes.tree, codes[node.player], **place),
                rounded_in_16_bits(exact, signed=not variant.floor),
            )
    assert {node.num_actions for node in nodes} >= ({2, 4} if name == "many sizes" else {2, 3})
