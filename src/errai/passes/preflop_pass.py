"""The first round's part of a pass over a whole game that is cut at the flop (`PreflopPass` of the kernels).

The opponent's reach goes down to the flops. The caller computes the flops and adds their values, which go up.
"""

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.passes.section_pass import Mode, RootNode, flat_action_values, pass_start, verify_reach
from errai.passes.step import Step
from errai.trees.whole_game import WholeGame, first_round_values

Float32Array = NDArray[np.float32]
_NO_UPDATE = Step()


class PreflopPass:
    """One pass for `player`, from the root or a node of its betting on; an update changes its arrays in place."""

    def __init__(
        self,
        game: WholeGame,
        *,
        mode: Mode,
        player: int,
        own: Float32Array | None,
        opponent: Float32Array,
        average: Float32Array | None = None,
        step: Step = _NO_UPDATE,
        node: RootNode | None = None,
        reach: Float32Array | None = None,  # of the opponent at the node, [hand][padded lane]; default: all hands
    ) -> None:
        reach = np.asarray(game.top.root_reach(1 - player), dtype=np.float32) if reach is None else reach
        verify_reach(game.top, reach, node)
        for name, array, owner in (
            ("own", own, player),
            ("opponent", opponent, 1 - player),
            ("average", average, 1 - player),
        ):
            size = first_round_values(game.top, owner)
            if array is not None and (array.shape != (size,) or array.dtype != np.float32):
                raise InputError(
                    f"`{name}` must be {size} values of type `float32`; "
                    f"got shape {array.shape} and type `{array.dtype}`"
                )
        self._shape = game.next_reach_shape()
        self._native = kernels.PreflopPass(
            tree=game.top.native,
            request=kernels.PassRequest(mode=mode, player=player, step=step.native(), start=pass_start(node)),
            own=own,
            opponent=opponent,
            average=average,
            reach=reach,
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

    def end(self, *, action_values: Float32Array | None = None) -> Float32Array:
        """Go up to the root; the value of every root hand, [hand][lane].

        `action_values`, [action][hand][lane], is set to the value of each action of a node where the player acts.
        """
        self._native.end(value=self._value, action_values=flat_action_values(action_values))
        return self._value
