"""CFR of an abstract game with sampled public cards: one board at a time, all hands and betting sequences at once.

On every board the second player is updated, then the first. The regrets of a bucket are summed over its hands on the
board, and added, with a floor if the variant has one, once per board. Threads share the betting sequences of the last
round; each has rows of its own, so that any number of threads gives the same bits.

Discounts and weights change with the iteration, not with the board: an iteration is a fixed number of boards, all of
which have the same weight. Boards are numbered, and each is drawn from the seed and its number alone, so that a run
that was stopped goes on as if it had not been.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.passes.bucket_pass import BucketedTree, update_on_board
from errai.solvers.bucket_solver import copy_arrays, discount, named_arrays, verify_bucket_variant
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import Variant
from errai.trees.bucket_layout import BucketLayout
from errai.trees.sampled_boards import SampledBoards


class SampledBucketSolver:
    """Regrets and averages of an abstract game."""

    def __init__(
        self,
        boards: SampledBoards,
        *,
        variant: Variant,
        seed: int = 0,
        boards_per_iteration: int = 100,
        dtype: type[np.floating[Any]] = np.float32,
        num_threads: int = 1,
    ) -> None:
        verify_bucket_variant(variant)
        self.layout = BucketLayout(boards.betting, boards.table.counts)
        self.variant = variant
        self.boards_per_iteration = boards_per_iteration
        self._boards = boards
        self._seed = seed
        self._num_threads = num_threads
        self._steps = LaneSteps(variant)
        self.regrets = self.layout.zeros(0, dtype), self.layout.zeros(1, dtype)
        self.average = self.layout.zeros(0, dtype), self.layout.zeros(1, dtype)
        num_hands = boards.num_hands
        reach = np.ones((num_hands, 1), dtype=dtype)
        self._reach = reach, reach

    @property
    def iteration(self) -> int:
        return self._steps.iteration

    @property
    def num_boards(self) -> int:
        """Boards seen so far."""
        return self.iteration * self.boards_per_iteration

    def run(self, iterations: int) -> None:
        """Make this many iterations."""
        for _ in range(iterations):
            first = self.num_boards
            step = self._steps.next()
            for player in (0, 1):
                for values in self.regrets[player]:
                    discount(values, step)
                for values in self.average[player]:
                    values *= step.average_decay
            on_board = step._replace(discount_positive=1.0, discount_negative=1.0, average_decay=1.0)
            for number in range(first, first + self.boards_per_iteration):
                board = self._boards.build(self._boards.draw(self._seed, number))
                tree = BucketedTree(board.native, board.buckets, self._reach)
                for player in (1, 0):
                    update_on_board(tree, self.regrets, self.average, player, on_board, num_threads=self._num_threads)

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        return named_arrays({"regrets": self.regrets, "average": self.average})

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        copy_arrays(arrays, self.state_arrays())
        self._steps.go_to(iteration)
