"""Rounds whose buckets are percentiles of E[HS^2] and E[HS] (PHS).

Before the last round, both features of every hand are summed over all boards to come, and hands are sorted. In the last
round the strength of a hand is one number, so it is enough to know how often each number of points occurs: within each
bucket of the round before, with perfect recall, otherwise over all hands.
"""

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import RoundBuckets, smallest_labels
from errai.abstraction.build_steps import BuildStep
from errai.abstraction.hand_strength import first_round_counts
from errai.abstraction.joint_counts import joint_counts
from errai.abstraction.percentiles import nested_percentiles
from errai.abstraction.round_rows import Batch, RoundRows
from errai.abstraction.showdowns import BLOCKED
from errai.cards.boards import num_relabellings
from errai.workers.pools import map_in_order

_HANDS_AT_ONCE = 200_000


def percentile_round(step: BuildStep) -> RoundBuckets:
    """The buckets of a round."""
    return _last_round(step) if step.is_last else _earlier_round(step)


def _earlier_round(step: BuildStep) -> RoundBuckets:
    points, squares = _feature_sums(step.rows(), step)
    weights, parents, unordered = _canonical_hands(step)
    labels = nested_percentiles(
        (squares, points), weights, parents, step.recipe.splits[step.round_index], rows=unordered
    )
    return RoundBuckets(step.num_buckets, step.grouping, smallest_labels(labels, step.num_buckets))


def _feature_sums(rows: RoundRows, step: BuildStep) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The sums of points and of their squares of every canonical hand, whichever round its board's cards came in."""
    size = step.cards.num_hands(step.cards.unordered(step.round_index))
    points, squares = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint64)

    def add(batch: Batch) -> None:
        found, rollouts = rows.rows(batch), rows.roll_out(batch)
        index = rows.unordered_index(found.cards)
        points[index] = rollouts.points[found.boards, found.hands]
        squares[index] = rollouts.squares[found.boards, found.hands]

    for _ in rows.for_each(add, step.progress("features")):
        pass
    return points, squares


def _canonical_hands(step: BuildStep) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint32]]:
    """Of every canonical hand: its number of deals, its bucket before, and its number with an unordered board."""
    indexer = step.cards.indexer(step.grouping)
    last = len(step.grouping) - 1
    size = indexer.size(last)
    weights = np.empty(size, dtype=np.uint8)
    parents = np.empty(size, dtype=np.uint16)
    unordered = np.empty(size, dtype=np.uint32)
    other = step.cards.indexer(step.cards.unordered(step.round_index))

    def fill(first: int) -> None:
        block = slice(first, min(first + _HANDS_AT_ONCE, size))
        cards = indexer.unindex(np.arange(block.start, block.stop, dtype=np.uint64), last)
        weights[block] = num_relabellings(step.cards.deck, cards, step.grouping)
        parents[block] = step.parents(cards)
        unordered[block] = other.index(cards)

    starts = range(0, size, _HANDS_AT_ONCE)
    progress = step.progress("hands")
    for done, _ in enumerate(
        map_in_order(fill, starts, num_threads=step.num_threads, max_ahead=step.num_threads), start=1
    ):
        progress(done, len(starts))
    return weights, parents, unordered


def _last_round(step: BuildStep) -> RoundBuckets:
    rows = step.rows()
    if step.has_parents:
        counts = joint_counts(step, rows.showdowns.points, rows.showdowns.num_points, BLOCKED)
    else:
        counts = first_round_counts(step.cards, step.num_threads).sum(axis=0, dtype=np.uint64)[np.newaxis]
    num_parents, num_points = counts.shape
    parents, points = np.divmod(np.arange(counts.size), num_points)
    splits = step.recipe.splits[step.round_index]
    buckets = nested_percentiles((points,), counts.ravel().astype(np.int64), parents, splits)
    within = smallest_labels(buckets.reshape(num_parents, num_points), step.num_buckets)
    grouping = step.cards.unordered(step.round_index)
    # With perfect recall the label is the number of points, and its bucket depends on the bucket before.
    bucket_of = np.arange(num_points, dtype=np.uint16) if step.has_parents else within[0]
    labels = np.empty(step.cards.num_hands(grouping), dtype=bucket_of.dtype)

    def label(batch: Batch) -> None:
        found = rows.rows(batch)
        points = rows.showdowns.points(batch.boards)[found.boards, found.hands]
        labels[rows.unordered_index(found.cards)] = bucket_of[points]

    for _ in rows.for_each(label, step.progress("labels")):
        pass
    return RoundBuckets(step.num_buckets, grouping, labels, within if step.has_parents else None)
