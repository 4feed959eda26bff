"""Exact best responses to a strategy of a whole game that is cut at the flop, and lies in sections of bytes.

As in a pass of the solver the first round's reach goes down to the flops, and their values come up; a best response
takes at its own decisions the best action, and reads only the opponent's numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.games.lane_arrays import LaneArray
from errai.games.public_tree import PublicTree
from errai.games.section_walk import NO_STEP, Arrays, Mode, walk_sections
from errai.games.whole_game import WholeGame

Float32Array = NDArray[np.float32]


class TopJudge:
    """The first round's part of judging as `player`: by a best response, or by the player's own strategy."""

    def __init__(
        self, game: WholeGame, strategy: tuple[LaneArray, LaneArray], *, player: int, mode: Mode = "best_response"
    ) -> None:
        self._game = game
        self._player = player
        root_reach = game.top.root_reach(1 - player)
        self._native: Any = kernels.TopPass(
            tree=game.top.native,
            mode=mode,
            player=player,
            own=strategy[player].values if mode == "evaluate" else None,
            opponent=strategy[1 - player].values,
            average=None,
            step=np.array(NO_STEP),
            reach=root_reach,
        )
        self._value = np.zeros_like(root_reach)

    def begin(self) -> Float32Array:
        """The opponent's reach at the flops, [hand][lane]."""
        next_reach = np.zeros(self._game.next_reach_shape(), dtype=np.float32)
        self._native.begin(next_reach=next_reach)
        return next_reach

    def add_flop(self, flop: int, value: Float32Array) -> None:
        """Add the values of a flop; the order decides the last bit."""
        self._native.add_child(child=flop, value=value)

    def end(self) -> float:
        """Chips a game that the player wins."""
        self._native.end(value=self._value)
        return self._game.top.expected_value(self._player, self._value)


def judge_flop(
    game: WholeGame,
    tree: PublicTree,
    arrays: Arrays,
    *,
    flop: int,
    player: int,
    next_reach: Float32Array,
    mode: Mode = "best_response",
    num_threads: int = 1,
) -> Float32Array:
    """The values of a flop's root hands, [hand][padded lane]."""
    reach = game.flop_reach(flop, next_reach)
    return walk_sections(tree, arrays, mode=mode, player=player, reach=reach, num_threads=num_threads).value
