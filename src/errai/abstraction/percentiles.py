"""Buckets by percentiles: hands in the order of a feature, cut into parts of equal weight.

Hands with the same feature are never cut apart: they go where the middle of their weight lies. Parts are split again by
the next feature, within each part. So a bucket may hold more or less than its share, or nothing, where many hands have
the same feature; on the river of hold'em there are only 1,981 strengths.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.integer]


def split_by_percentiles(feature: Integers, weights: Integers, count: int) -> NDArray[np.int64]:
    """The part of each hand, 0 to `count` - 1, ascending with the feature."""
    order = np.argsort(feature, kind="stable")
    ascending = feature[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = ascending[1:] != ascending[:-1]
    starts = np.flatnonzero(is_first)
    tied = np.add.reduceat(weights[order].astype(np.int64), starts) if len(order) else np.empty(0, dtype=np.int64)
    before = np.cumsum(tied) - tied
    # Features without weight above all others would lie beyond the last part.
    parts = np.minimum((2 * before + tied) * count // max(2 * int(tied.sum()), 1), count - 1)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = parts[np.cumsum(is_first) - 1]
    return found


def nested_percentiles(
    features: Sequence[Integers],
    weights: Integers,
    groups: Integers,
    splits: Sequence[int],
    *,
    rows: Integers | None = None,
) -> Integers:
    """Split the hands of each group by the features in turn; the result numbers parts within parts within groups.

    `features` have an entry for each of `rows`; without `rows`, for each hand.
    """
    for level, count in enumerate(splits):
        feature = features[level % len(features)]
        num_groups = int(groups.max(initial=0)) + 1
        dtype = np.min_scalar_type(num_groups * count)
        split = np.empty(len(groups), dtype=dtype)
        # A stable sort of 16-bit numbers is a radix sort.
        order = np.argsort(groups.astype(np.min_scalar_type(num_groups)), kind="stable")
        ends = np.cumsum(np.bincount(groups, minlength=num_groups))
        for group, (start, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
            members = order[start:end]
            values = feature[members if rows is None else rows[members]]
            split[members] = group * count + split_by_percentiles(values, weights[members], count)
        groups = split
    return groups
