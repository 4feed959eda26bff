"""CFR of an abstract game with perfect recall, without sampling: every iteration takes all deals into account.

The tree has a bucket where others have a hand (`trees/joint_tree.py`), so that an iteration is one of the lane engine:
the second player's regrets are updated, then the first player's, and in the pass that updates one player the other's
strategy is added to its average.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.solvers.bucket_solver import copy_arrays, named_arrays, verify_bucket_variant
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import Variant
from errai.trees.bucket_layout import BucketArrays
from errai.trees.joint_tree import JointTree

FlatArrays = tuple[NDArray[Any], NDArray[Any]]  # of both players, all rounds one after the other


class DenseSolver:
    """Regrets and averages of an abstract game."""

    def __init__(self, tree: JointTree, *, variant: Variant, averaging_delay: int = 0, num_threads: int = 1) -> None:
        verify_bucket_variant(variant)
        self.tree = tree
        self.layout = tree.layout
        self.variant = variant
        self._steps = LaneSteps(variant, averaging_delay)
        self._regrets = tree.zeros(0), tree.zeros(1)
        self.flat_average = tree.zeros(0), tree.zeros(1)
        self.regrets = self._rounds(self._regrets)
        self.average = self._rounds(self.flat_average)
        reach = tree.root_reach()
        runner: Any = kernels.LaneRunnerFloat64 if tree.dtype == np.float64 else kernels.LaneRunnerFloat32
        # The runner works on these arrays in place, and keeps them alive.
        self._runner = runner(
            tree=tree.native,
            regrets=[(values, None) for values in self._regrets],
            weights=[(values, None) for values in self._regrets],
            average=[(values, None) for values in self.flat_average],
            reach=(reach, reach),
            simultaneous=False,
            num_threads=num_threads,
        )

    @property
    def iteration(self) -> int:
        return self._steps.iteration

    def run(self, iterations: int) -> None:
        """Make this many iterations."""
        for _ in range(iterations):
            self._runner.run([self._steps.next().native()])

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        return named_arrays({"regrets": self.regrets, "average": self.average})

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        copy_arrays(arrays, self.state_arrays())
        self._steps.go_to(iteration)

    def _rounds(self, arrays: FlatArrays) -> BucketArrays:
        return self.tree.rounds(0, arrays[0]), self.tree.rounds(1, arrays[1])
