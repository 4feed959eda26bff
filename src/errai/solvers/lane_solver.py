"""CFR over a limit game's public tree, with all betting sequences of a board in the lanes of vectors.

1. The second player's regrets are updated, then the first player's, each in one pass over the tree: the opponent's
   reach goes down, values come up (`native/lanes.hpp`).
2. In the pass that updates one player, the other one's strategy of that moment is added to its average.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import Variant
from errai.trees.lane_arrays import LaneArray, array_bytes, kernel_arrays, zeros
from errai.trees.public_tree import PublicTree

Weights = tuple[LaneArray, LaneArray]


class LaneSolver:
    """Regrets and averages of one tree. Arrays are one a player, in the layout of the tree."""

    def __init__(
        self,
        tree: PublicTree,
        *,
        variant: Variant,
        updates: Literal["alternating", "simultaneous"] = "alternating",
        averaging_delay: int = 0,
        planned_iterations: int | None = None,
        with_average: bool = True,
        num_threads: int = 1,
    ) -> None:
        if averaging_delay < 0:
            raise InputError(f"`averaging_delay` must not be negative; got `{averaging_delay}`")
        if tree.precision == "uint16" and not variant.floor:
            raise InputError(
                f"16 bits keep no negative regrets, which `{variant.name}` has", hint="use `float32`, or a `+` variant"
            )
        if num_threads < 1:
            raise InputError(f"`num_threads` must be positive; got `{num_threads}`")
        self.tree = tree
        self.variant = variant
        self._steps = LaneSteps(variant, averaging_delay, planned_iterations)
        self.regrets = self._zeros()
        # A predictive variant plays something else than its regrets.
        self._weights = self._zeros() if variant.predictive else self.regrets
        self._average = self._zeros() if with_average else None
        # The runner works on these arrays in place; they must live as long as it does.
        self._reach = (tree.root_reach(0), tree.root_reach(1))
        self._runner = getattr(kernels, f"LaneRunner_{tree.precision}")(
            tree=tree.native,
            regrets=kernel_arrays(self.regrets),
            weights=kernel_arrays(self._weights),
            average=None if self._average is None else kernel_arrays(self._average),
            reach=self._reach,
            simultaneous=updates == "simultaneous",
            num_threads=num_threads,
        )

    @staticmethod
    def estimate_memory_bytes(tree: PublicTree, *, variant: Variant, with_average: bool = True) -> int:
        """What the arrays of a solver will take."""
        return (1 + variant.predictive + with_average) * sum(array_bytes(tree, player) for player in (0, 1))

    @staticmethod
    def state_shapes(tree: PublicTree, *, variant: Variant, with_average: bool = True) -> dict[str, tuple[int, ...]]:
        """The shapes of what `state_arrays` of a solver will give."""
        kinds = ["regrets"] + ["weights"] * variant.predictive + ["average"] * with_average
        sizes = {"": tree.num_values} | ({"_scales": tree.num_scales} if tree.precision == "uint16" else {})
        return {
            f"{kind}_{player}{suffix}": (size[player],)
            for kind in kinds
            for player in (0, 1)
            for suffix, size in sizes.items()
        }

    @property
    def memory_bytes(self) -> int:
        return sum(array.nbytes for array in self.state_arrays().values())

    @property
    def iteration(self) -> int:
        return self._steps.iteration

    @property
    def num_infosets(self) -> int:
        return self.tree.num_infosets

    def run(self, iterations: int) -> None:
        """Make so many iterations."""
        steps = np.array([self._steps.next() for _ in range(iterations)], dtype=np.float64).reshape(-1, 8)
        self._runner.run(steps)

    def current_strategy(self) -> Weights:
        """What the players would play next, not normalised: in proportion to the positive parts."""
        return self._weights

    def average_strategy(self) -> Weights:
        """The average strategy so far, not normalised."""
        if self._average is None:
            raise InputError("this solver keeps no average strategy", hint="solve with the average, or use `current`")
        return self._average

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be kept to go on later."""
        kinds = {"regrets": self.regrets}
        if self.variant.predictive:
            kinds["weights"] = self._weights
        if self._average is not None:
            kinds["average"] = self._average
        return {
            f"{kind}_{player}{suffix}": array
            for kind, pair in kinds.items()
            for player in (0, 1)
            for suffix, array in (("", pair[player].values), ("_scales", pair[player].scales))
            if array is not None
        }

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Go on from what `state_arrays` gave after `iteration` iterations."""
        own = self.state_arrays()
        for name, array in own.items():
            if name not in arrays or arrays[name].shape != array.shape:
                raise InputError(f"`{name}` must be an array of shape {array.shape}")
            array[:] = arrays[name]
        self._steps.go_to(iteration)

    def _zeros(self) -> Weights:
        return zeros(self.tree, 0), zeros(self.tree, 1)
