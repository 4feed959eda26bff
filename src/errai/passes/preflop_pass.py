"""The first round's part of a pass over a whole game that is cut at the flop (`native/streamed.cpp`).

The opponent's reach goes down to the flops; whoever does the flops gives back their values, which go up.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.passes.section_pass import NO_STEP, Mode
from errai.trees.whole_game import WholeGame

Float32Array = NDArray[np.float32]


class PreflopPass:
    """One pass for `player`, from the root or a node of the betting on; what it updates, it changes in place."""

    def __init__(
        self,
        game: WholeGame,
        *,
        mode: Mode,
        player: int,
        own: Float32Array | None,
        opponent: Float32Array,
        average: Float32Array | None = None,
        step: Sequence[float] = NO_STEP,
        node: int = 0,
        reach: Float32Array | None = None,  # of the opponent at the node, [hand][padded lane]; without, all hands
    ) -> None:
        self._shape = game.next_reach_shape()
        root = game.top.rounds[0]
        reach = game.top.root_reach(1 - player) if reach is None else reach
        assert reach.shape == (root.boards[0].num_hands, root.padded_lanes)
        assert 0 <= node < len(root.betting.nodes)
        self._native: Any = kernels.TopPass(
            tree=game.top.native,
            mode=mode,
            player=player,
            own=own,
            opponent=opponent,
            average=average,
            step=np.array(step, dtype=np.float64),
            reach=reach,
            node=node,
        )
        self._value = np.zeros_like(reach)

    def begin(self) -> Float32Array:
        """The opponent's reach at the flops, [hand][lane]."""
        next_reach = np.zeros(self._shape, dtype=np.float32)
        self._native.begin(next_reach=next_reach)
        return next_reach

    def add_flop(self, flop: int, value: Float32Array) -> None:
        """Add the values of a flop; the order decides the last bit."""
        self._native.add_child(child=flop, value=value)

    def end(self) -> NDArray[Any]:
        """Go up to the root; the value of every root hand, [hand][lane]."""
        self._native.end(value=self._value)
        return self._value
