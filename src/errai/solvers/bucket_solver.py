"""CFR of an abstract game on all boards at once: for games whose boards are few enough to walk in every iteration.

As in `lane_solver.py`, the second player is updated first, and in the pass that updates one player the other's strategy
is added to its average. The regrets of a bucket are summed over all its hands and boards before the rule of the variant
is applied, so a floor takes effect once per iteration.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.passes.bucket_pass import BucketedTree, sum_over_boards
from errai.passes.step import Step
from errai.solvers.variants import Variant
from errai.trees.bucket_layout import BucketArray, BucketArrays, BucketLayout, HandBuckets, tree_buckets
from errai.trees.public_tree import PublicTree


@dataclass(frozen=True)
class AbstractGame:
    """A tree of all boards, whose suits are merged only where `can_merge_suits` says so, and a table of buckets."""

    tree: PublicTree
    table: HandBuckets

    @property
    def layout(self) -> BucketLayout:
        return BucketLayout(self.tree.betting, self.table.counts)

    def bucketed_tree(self, *, is_abstract: tuple[bool, bool] = (True, True)) -> BucketedTree:
        """The tree with the buckets of its hands; a player who is not abstract has a bucket per hand."""
        first, second = (self.table if own else None for own in is_abstract)
        reach = self.tree.root_reach(0), self.tree.root_reach(1)
        return BucketedTree(self.tree.native, tree_buckets(self.tree, (first, second)), reach)


class BucketSolver:
    """Regrets and averages of an abstract game."""

    def __init__(self, game: AbstractGame, *, variant: Variant, averaging_delay: int = 0, num_threads: int = 1) -> None:
        verify_bucket_variant(variant)
        self.game = game
        self.layout = game.layout
        self.variant = variant
        self.iteration = 0
        self._averaging_delay = averaging_delay
        self._num_threads = num_threads
        self._tree = game.bucketed_tree()
        self.regrets = self._zeros()
        self.average = self._zeros()

    def run(self, iterations: int) -> None:
        """Make this many iterations."""
        for _ in range(iterations):
            self.iteration += 1
            step = self.variant.step(self.iteration, averaging_delay=self._averaging_delay)
            for player in (1, 0):
                sums = sum_over_boards(
                    self._tree,
                    self.regrets,
                    player,
                    with_average=step.average_weight > 0,
                    num_threads=self._num_threads,
                )
                add_regrets(self.regrets[player], sums.regrets, step)
                if sums.average:
                    add_average(self.average[1 - player], sums.average, step)

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        return named_arrays({"regrets": self.regrets, "average": self.average})

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        copy_arrays(arrays, self.state_arrays())
        self.iteration = iteration

    def _zeros(self) -> BucketArrays:
        dtype = self.game.tree.dtype
        return self.layout.zeros(0, dtype), self.layout.zeros(1, dtype)


def verify_bucket_variant(variant: Variant) -> None:
    """Raise an `InputError` for a variant that needs the regrets of single hands, or a planned end."""
    if variant.predictive or variant.final_exponents is not None:
        raise InputError(
            f"abstract games are not solved by `{variant.name}`", hint="use `cfr`, `cfr+`, `lcfr`, `dcfr` or `dcfr+`"
        )


def add_regrets(regrets: BucketArray, sums: BucketArray, step: Step) -> None:
    """The rule of `variants.py`, in place."""
    for values, added in zip(regrets, sums, strict=True):
        discount(values, step)
        values += added
        if step.floor:
            np.maximum(values, 0, out=values)


def discount(values: NDArray[Any], step: Step) -> None:
    """Discount regrets in place."""
    if step.discount_positive == step.discount_negative:
        if step.discount_positive != 1:
            values *= step.discount_positive
    else:
        values *= np.where(values > 0, step.discount_positive, step.discount_negative).astype(values.dtype)


def add_average(average: BucketArray, sums: BucketArray, step: Step) -> None:
    """The rule of `variants.py`, in place."""
    for values, added in zip(average, sums, strict=True):
        values *= step.average_decay
        values += step.average_weight * added


def named_arrays(pairs: dict[str, BucketArrays]) -> dict[str, NDArray[Any]]:
    """One name per array: `regrets_0_2` are those of player 0 in the third round."""
    return {
        f"{kind}_{player}_{round_index}": values
        for kind, pair in pairs.items()
        for player, array in enumerate(pair)
        for round_index, values in enumerate(array)
    }


def copy_arrays(arrays: dict[str, NDArray[Any]], own: dict[str, NDArray[Any]]) -> None:
    """Set a solver's arrays to those that were saved."""
    for name, array in own.items():
        if name not in arrays or arrays[name].shape != array.shape:
            raise InputError(f"`{name}` must be an array of shape {array.shape}")
        array[:] = arrays[name]
