"""An abstract game with perfect recall as a tree for the lane kernels, with buckets in place of hands.

Every round has one board, whose hands are the buckets. What the cards decide is in two matrices per round: for own
bucket h and the opponent's o, the chance of o given h, and the same with the sign of the showdown that follows. The
endings of a round are then products of a matrix with columns of reach (`native/lanes/pair_weights.hpp`).

Values of a bucket are means over its deals, times the number of buckets of its round, as those of a hand are sums over
the opponent's hands. From a round to the one before, `up_weight` is the chance of a bucket given the one before.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.trees.betting_tree import BettingTree
from errai.trees.bucket_layout import BucketArray, BucketLayout
from errai.trees.lane_tree import kernel_block, kernel_shape
from errai.trees.large_arrays import large_zeros
from errai.trees.tree_rounds import TreeRound, cut_lanes


class PairCounts(Protocol):
    """The weights of all pairs of buckets of the last round; `errai.abstraction` counts them."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each round has."""

    @property
    def parents(self) -> tuple[NDArray[np.int32], ...]:
        """For each round after the first, the bucket before of each bucket: in ascending order."""

    @property
    def weight(self) -> NDArray[np.signedinteger[Any]]:
        """[own bucket][opponent's bucket]"""

    @property
    def edge(self) -> NDArray[np.signedinteger[Any]]:
        """The weight of the deals that are won minus that of those that are lost."""


@dataclass(frozen=True)
class JointTree:
    """A tree of buckets; `build_joint_tree` makes it."""

    definition: GameDefinition
    layout: BucketLayout
    native: kernels.LaneTree
    dtype: type[np.floating[Any]]
    root_chances: NDArray[np.float64]  # of each bucket of the first round
    padded_lanes: int  # of the first round

    def root_reach(self) -> NDArray[np.floating[Any]]:
        """Of either player, [bucket][padded lane]."""
        return np.ones((len(self.root_chances), self.padded_lanes), dtype=self.dtype)

    def expected_value(self, value: NDArray[np.floating[Any]]) -> float:
        """Chips per game, when the buckets of the first round have these values, [bucket][lane]."""
        return float(self.root_chances @ value[:, 0].astype(np.float64)) / len(self.root_chances)

    def zeros(self, player: int) -> NDArray[np.floating[Any]]:
        """The values of all rounds of a player, one round after the other."""
        return large_zeros(self.native.num_values[player], self.dtype)

    def rounds(self, player: int, values: NDArray[np.floating[Any]]) -> BucketArray:
        """The values of each round, in place. The unused ones at the end of a round are the first of the next."""
        first, rounds = 0, []
        for size in self.layout.sizes(player):
            rounds.append(values[first : first + size])
            first += size - kernels.LANE_SPARE
        return tuple(rounds)


def build_joint_tree(
    definition: GameDefinition,
    betting: BettingTree,
    joint: PairCounts,
    *,
    dtype: type[np.floating[Any]] = np.float32,
) -> JointTree:
    """The tree of a whole abstract game."""
    if betting.rake is not None:
        raise InputError("joint weights know no rake")
    if any(np.any(np.diff(of_round) < 0) for of_round in joint.parents):
        raise InputError("the buckets of a round must be in the order of the buckets before")
    weights, edges = _of_rounds(joint, joint.weight), _of_rounds(joint, joint.edge)
    chances = [weight.sum(axis=1) / joint.weight.sum() for weight in weights]
    rounds = [TreeRound(street, (), cut_lanes(street)) for street in betting.streets]
    tree = kernels.LaneTree(num_hole=1)
    for index, (of_street, below) in enumerate(zip(rounds, [*rounds[1:], None], strict=True)):
        count = joint.counts[index]
        hands = _hand_list(joint, chances, index)
        tree.add_round(
            kernels.LaneRound(
                is_last=below is None,
                shapes=[kernel_shape(group.shape) for group in of_street.groups],
                blocks=[
                    kernel_block(of_street.groups[block.group], block, below, betting) for block in of_street.blocks
                ],
                boards=[
                    kernels.Board(
                        num_hands=[count, count],
                        first_child=0,
                        num_children=0 if below is None else 1,
                        first_group=0,
                        num_groups=1,
                        num_orbits=1,
                    )
                ],
                hands=(hands, hands),
            )
        )
        tree.add_pair_weights(
            index, _given_own(weights[index], weights[index], dtype), _given_own(edges[index], weights[index], dtype)
        )
    layout = BucketLayout(betting, joint.counts)
    return JointTree(definition, layout, tree, dtype, chances[0], rounds[0].padded_lanes)


def _of_rounds(joint: PairCounts, last: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The matrix of every round: that of the last one, added up over the buckets that follow each bucket."""
    rounds = [last]
    for count, of_round in zip(reversed(joint.counts[:-1]), reversed(joint.parents), strict=True):
        ends = np.searchsorted(of_round, np.arange(count + 1))
        spans = [slice(begin, end) for begin, end in pairwise(ends.tolist())]
        rows = np.stack([rounds[0][span].sum(axis=0) for span in spans])
        rounds.insert(0, np.stack([rows[:, span].sum(axis=1) for span in spans], axis=1))
    return rounds


def _hand_list(joint: PairCounts, chances: list[NDArray[np.float64]], index: int) -> kernels.HandList:
    count = joint.counts[index]
    parent = np.zeros(count, dtype=np.int32)
    up = np.ones(count)
    if index:
        parent = np.ascontiguousarray(joint.parents[index - 1], dtype=np.int32)
        before = chances[index - 1][parent]
        up = np.divide(chances[index], before, out=np.zeros(count), where=before > 0)
        up *= joint.counts[index - 1] / count
    return kernels.HandList(
        parent_hand=parent,
        orbit=np.zeros(count, dtype=np.uint8),
        class_weight=np.ones(count),
        orbit_weight=np.ones(count),
        up_weight=up,
        group_end=np.array([count], dtype=np.int32),
        opponent_hand=np.arange(count, dtype=np.int32),
    )


def _given_own(
    values: NDArray[np.int64], weight: NDArray[np.int64], dtype: type[np.floating[Any]]
) -> NDArray[np.floating[Any]]:
    """Each row divided by the weight of its bucket, times the number of buckets."""
    scaled = np.empty(values.shape, dtype=dtype)
    for row, (own, of_pairs) in enumerate(zip(values, weight, strict=True)):
        scaled[row] = own * (len(values) / max(int(of_pairs.sum()), 1))
    return scaled
