"""Exact best responses to a strategy of a whole game that is cut at the flop, and lies in sections of bytes.

As in a pass of the solver the first round's reach goes down to the flops, and their values come up; a best response
takes at its own decisions the best action, and reads only the opponent's numbers.
"""

import numpy as np
from numpy.typing import NDArray

from errai.passes.preflop_pass import PreflopPass
from errai.passes.section_pass import Arrays, pass_over_sections
from errai.trees.lane_arrays import LaneArray
from errai.trees.public_tree import PublicTree
from errai.trees.whole_game import WholeGame

Float32Array = NDArray[np.float32]


def judge_top(game: WholeGame, strategy: tuple[LaneArray, LaneArray], *, player: int) -> PreflopPass:
    """The first round's part of a best response as `player`."""
    return PreflopPass(game, mode="best_response", player=player, own=None, opponent=strategy[1 - player].values)


def judge_flop(
    game: WholeGame,
    tree: PublicTree,
    arrays: Arrays,
    *,
    flop: int,
    player: int,
    next_reach: Float32Array,
    num_threads: int = 1,
) -> Float32Array:
    """The values of a flop's root hands, [hand][padded lane]."""
    reach = game.flop_reach(flop, next_reach)
    return pass_over_sections(
        tree, arrays, mode="best_response", player=player, reach=reach, num_threads=num_threads
    ).value
