"""CFR-BR: an abstract player that learns against a best response in the real game (Johanson et al., AAAI 2012).

Ordinary CFR of an abstract game finds an equilibrium of that game, which may be far from the least exploitable strategy
that its buckets can express. Here, for each seat on its own, an iteration

1. computes the best response of the other seat in the real game to the player's current strategy, and
2. updates the regrets of the player's buckets against it.

The player's average strategy approaches the least exploitable one of the abstraction.
"""

from typing import Any

from numpy.typing import NDArray

from errai.passes.bucket_pass import BucketedTree, keep_best_response, sum_over_boards
from errai.solvers.bucket_solver import (
    AbstractGame,
    add_average,
    add_regrets,
    copy_arrays,
    named_arrays,
    verify_bucket_variant,
)
from errai.solvers.variants import Variant
from errai.trees.bucket_layout import BucketArray, BucketArrays


class CfrBrSolver:
    """Regrets and averages of both seats. The response to a seat takes as much memory as all its hands' strategy."""

    def __init__(self, game: AbstractGame, *, variant: Variant, averaging_delay: int = 0, num_threads: int = 1) -> None:
        verify_bucket_variant(variant)
        self.game = game
        self.layout = game.layout
        self.variant = variant
        self.iteration = 0
        self._averaging_delay = averaging_delay
        self._num_threads = num_threads
        dtype = game.tree.dtype
        self.regrets = self.layout.zeros(0, dtype), self.layout.zeros(1, dtype)
        self.average = self.layout.zeros(0, dtype), self.layout.zeros(1, dtype)
        self._trees = (
            game.bucketed_tree(is_abstract=(True, False)),
            game.bucketed_tree(is_abstract=(False, True)),
        )

    def run(self, iterations: int) -> None:
        """Make this many iterations of both seats."""
        for _ in range(iterations):
            self.iteration += 1
            for player in (1, 0):
                self._update(player, self._trees[player])

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        return named_arrays({"regrets": self.regrets, "average": self.average})

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        copy_arrays(arrays, self.state_arrays())
        self.iteration = iteration

    def _update(self, player: int, tree: BucketedTree) -> None:
        step = self.variant.step(self.iteration, averaging_delay=self._averaging_delay)
        weights = self._against(player, self._response(1 - player))
        played, _ = keep_best_response(tree, weights, 1 - player, num_threads=self._num_threads)
        if step.average_weight > 0:
            add_average(self.average[player], played, step)
        sums = sum_over_boards(tree, weights, player, with_average=False, num_threads=self._num_threads)
        add_regrets(self.regrets[player], sums.regrets, step)

    def _against(self, player: int, response: BucketArray) -> BucketArrays:
        return (self.regrets[0], response) if player == 0 else (response, self.regrets[1])

    def _response(self, player: int) -> BucketArray:
        """Room for a strategy of every hand of a player."""
        tree = self.game.tree
        counts = tuple(tree_round.num_hands(player) for tree_round in tree.rounds)
        return type(self.layout)(tree.betting, counts).zeros(player, tree.dtype)
