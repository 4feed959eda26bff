"""CFR over a public tree, with all betting sequences of a board in the lanes of vectors.

1. The second player's regrets are updated, then the first player's, each in one pass over the tree: the opponent's
   reach goes down, values come up (`native/lanes/tree.hpp`).
2. In the pass that updates one player, the other player's strategy at that moment is added to its average.
"""

from typing import Any, Literal

from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import Variant
from errai.trees.lane_arrays import LaneArray, array_bytes, kernel_arrays, write_locks, zeros
from errai.trees.public_tree import PublicTree

Weights = tuple[LaneArray, LaneArray]

_RUNNERS = {
    "float32": kernels.LaneRunnerFloat32,
    "float64": kernels.LaneRunnerFloat64,
    "uint16": kernels.LaneRunnerUint16,
    "int16": kernels.LaneRunnerInt16,
}


class LaneSolver:
    """Regrets and averages of one tree. There is one array per player, in the layout of the tree."""

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
        if num_threads < 1:
            raise InputError(f"`num_threads` must be positive; got `{num_threads}`")
        self.tree = tree
        self.variant = variant
        self._steps = LaneSteps(variant, averaging_delay, planned_iterations)
        self.regrets = self._zeros()
        # A predictive variant does not play its regrets.
        self._weights = self._zeros() if variant.predictive else self.regrets
        self._average = self._zeros() if with_average else None
        for pair in (self.regrets, self._weights):  # where hands are locked, no iteration changes them
            write_locks(tree, pair)
        # The runner works on these arrays in place, and keeps them alive.
        self._runner = _RUNNERS[self.regrets[0].values.dtype.name](
            tree=tree.native,
            regrets=kernel_arrays(self.regrets),
            weights=kernel_arrays(self._weights),
            average=None if self._average is None else kernel_arrays(self._average),
            reach=(tree.root_reach(0), tree.root_reach(1)),
            simultaneous=updates == "simultaneous",
            num_threads=num_threads,
        )

    @staticmethod
    def estimate_memory_bytes(tree: PublicTree, *, variant: Variant, with_average: bool = True) -> int:
        """The memory that the arrays of a solver require."""
        return (1 + variant.predictive + with_average) * sum(array_bytes(tree, player) for player in (0, 1))

    @staticmethod
    def state_shapes(tree: PublicTree, *, variant: Variant, with_average: bool = True) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays that `state_arrays` of a solver returns."""
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
        """Make this many iterations."""
        self._runner.run([self._steps.next().native() for _ in range(iterations)])

    def current_strategy(self) -> Weights:
        """The strategy of the next iteration, not normalised: proportional to the positive parts."""
        return self._weights

    def average_strategy(self) -> Weights:
        """The average strategy so far, not normalised."""
        if self._average is None:
            raise InputError("this solver keeps no average strategy", hint="solve with the average, or use `current`")
        # A locked hand that never got here has no average yet.
        write_locks(self.tree, self._average)
        return self._average

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        kinds = {"regrets": self.regrets}
        if self.variant.predictive:
            kinds["weights"] = self._weights
        if self._average is not None:
            kinds["average"] = self.average_strategy()
        return {
            f"{kind}_{player}{suffix}": array
            for kind, pair in kinds.items()
            for player in (0, 1)
            for suffix, array in (("", pair[player].values), ("_scales", pair[player].scales))
            if array is not None
        }

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        own = self.state_arrays()
        for name, array in own.items():
            if name not in arrays or arrays[name].shape != array.shape:
                raise InputError(f"`{name}` must be an array of shape {array.shape}")
            array[:] = arrays[name]
        self._steps.go_to(iteration)

    def _zeros(self) -> Weights:
        # One type for all arrays of a solver: in 16 bits one of them is the sign's where regrets can be negative.
        first, second = (zeros(self.tree, player, signed=not self.variant.floor) for player in (0, 1))
        return first, second
