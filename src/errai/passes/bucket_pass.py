"""Passes over a tree whose strategies have one row per bucket of hands (`native/lanes/bucket_source.hpp`).

An update sums the regrets of a player's buckets, and what the opponent's strategy adds to its average, over all hands
and boards; the caller applies its rule to the sums. Boards below the root are dealt out to a fixed number of sums,
which are then added in order, so that any number of threads gives the same bits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.passes.section_pass import Mode
from errai.passes.step import Step
from errai.trees.bucket_layout import BucketArray, BucketArrays
from errai.trees.large_arrays import large_zeros

NUM_SUMS = 8  # more would take more memory, fewer would leave cores idle


@dataclass(frozen=True)
class BucketedTree:
    """A tree for the kernels and the buckets of its hands."""

    native: kernels.LaneTree
    buckets: kernels.TreeBuckets
    reach: tuple[NDArray[Any], NDArray[Any]]  # of both players at the root, [hand][padded lane]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.reach[0].dtype


@dataclass(frozen=True)
class Sums:
    """The result of an update, and the value of every hand of the player at the root, [hand][padded lane]."""

    regrets: BucketArray
    average: BucketArray  # of the opponent; empty where it was not wanted
    value: NDArray[Any]


def judge_buckets(
    tree: BucketedTree,
    weights: BucketArrays,
    player: int,
    *,
    best_response: bool,
    num_threads: int = 1,
) -> NDArray[Any]:
    """The value of every root hand of `player`, [hand][padded lane], by a best response or by its own weights."""
    value = np.zeros(tree.reach[player].shape, dtype=tree.dtype)
    kernels.judge_buckets(
        tree=tree.native,
        buckets=tree.buckets,
        request=kernels.PassRequest(
            mode="best_response" if best_response else "evaluate", player=player, num_threads=num_threads
        ),
        own=None if best_response else list(weights[player]),
        opponent=list(weights[1 - player]),
        opponent_reach=tree.reach[1 - player],
        value=value,
    )
    return value


def sum_over_boards(
    tree: BucketedTree, weights: BucketArrays, player: int, *, with_average: bool, num_threads: int = 1
) -> Sums:
    """The regrets of `player` on all boards, and what the opponent's strategy adds to its average."""
    of_regrets = [_zeros_like(weights[player]) for _ in range(NUM_SUMS)]
    of_average = [_zeros_like(weights[1 - player]) if with_average else None for _ in range(NUM_SUMS)]
    step = Step(floor=False, average_weight=1.0 if with_average else 0.0)
    value = _sum(
        tree, weights, _Request("update", player, step, num_threads), list(zip(of_regrets, of_average, strict=True))
    )
    return Sums(_added(of_regrets), _added([sums for sums in of_average if sums is not None]), value)


def keep_best_response(
    tree: BucketedTree, weights: BucketArrays, player: int, *, num_threads: int = 1
) -> tuple[BucketArray, NDArray[Any]]:
    """Make the weights of `player`, who has a bucket per hand, a best response to the opponent's.

    What the opponent's strategy adds to its average comes back, and the value of every root hand of `player`.
    """
    of_average = [_zeros_like(weights[1 - player]) for _ in range(NUM_SUMS)]
    request = _Request("best_response", player, Step(average_weight=1.0), num_threads)
    value = _sum(tree, weights, request, [(None, average) for average in of_average])
    return _added(of_average), value


@dataclass(frozen=True)
class ResponseSums:
    """The result of an update against a best response."""

    regrets: BucketArray
    average: BucketArray
    values: tuple[NDArray[Any], NDArray[Any]]  # of every root hand of each player, [hand][padded lane]


def update_against_response(
    tree: BucketedTree, weights: BucketArray, player: int, responses: Sequence[BucketArray]
) -> ResponseSums:
    """The regrets of `player` against a best response of the other, and what its strategy adds to its average.

    The hands of the other are numbered anew on each board of the second round (`tree_buckets`). There are as many
    threads as `responses`, each of which has room for the response on one such board.
    """
    of_regrets, of_average = ([_zeros_like(weights) for _ in range(NUM_SUMS)] for _ in range(2))
    values = np.zeros(tree.reach[0].shape, dtype=tree.dtype), np.zeros(tree.reach[1].shape, dtype=tree.dtype)
    kernels.update_against_response(
        tree=tree.native,
        buckets=tree.buckets,
        request=kernels.PassRequest(
            mode="update",
            player=player,
            step=Step(floor=False, average_weight=1.0).native(),
            num_threads=len(responses),
        ),
        weights=list(weights),
        responses=[list(response) for response in responses],
        targets=_targets(tree, list(zip(of_regrets, of_average, strict=True))),
        reach=list(tree.reach),
        value=list(values),
    )
    return ResponseSums(_added(of_regrets), _added(of_average), values)


def update_on_board(
    tree: BucketedTree,
    regrets: BucketArrays,
    average: BucketArrays | None,
    player: int,
    step: Step,
    *,
    num_threads: int = 1,
) -> NDArray[Any]:
    """Add the regrets of a tree of one board to those of `player`, and the opponent's strategy to its average.

    With a floor, regrets stop at 0 after all hands of a bucket are added.
    """
    target = regrets[player], None if average is None else average[1 - player]
    return _sum(tree, regrets, _Request("update", player, step, num_threads), [target])


@dataclass(frozen=True)
class _Request:
    mode: Mode
    player: int
    step: Step
    num_threads: int


def _sum(
    tree: BucketedTree,
    weights: BucketArrays,
    request: _Request,
    targets: Sequence[tuple[BucketArray | None, BucketArray | None]],
) -> NDArray[Any]:
    player = request.player
    value = np.zeros(tree.reach[player].shape, dtype=tree.dtype)
    kernels.sum_buckets(
        tree=tree.native,
        buckets=tree.buckets,
        request=kernels.PassRequest(
            mode=request.mode, player=player, step=request.step.native(), num_threads=request.num_threads
        ),
        own=list(weights[player]),
        opponent=list(weights[1 - player]),
        targets=_targets(tree, targets),
        opponent_reach=tree.reach[1 - player],
        value=value,
    )
    return value


def _targets(tree: BucketedTree, pairs: Sequence[tuple[BucketArray | None, BucketArray | None]]) -> list[Any]:
    """Of regrets and average."""
    kind: Any = kernels.BucketTargetsFloat64 if tree.dtype == np.float64 else kernels.BucketTargetsFloat32
    return [
        kind(
            regrets=None if regrets is None else list(regrets),
            average=None if average is None else list(average),
        )
        for regrets, average in pairs
    ]


def _zeros_like(array: BucketArray) -> BucketArray:
    return tuple(large_zeros(len(values), values.dtype) for values in array)


def _added(sums: Sequence[BucketArray]) -> BucketArray:
    """Their sum, in the first of them; nothing if there is none."""
    if not sums:
        return ()
    for further in sums[1:]:
        for values, added in zip(sums[0], further, strict=True):
            values += added
    return sums[0]
