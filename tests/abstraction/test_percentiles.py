import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.abstraction.percentiles import nested_percentiles, split_by_percentiles
from errai.abstraction.recipe import two_steps


def test_parts_have_equal_weight_where_features_differ() -> None:
    random = np.random.default_rng(1)
    feature, weights = random.permutation(1000), np.full(1000, 3)
    parts = split_by_percentiles(feature, weights, 10)
    assert np.bincount(parts).tolist() == [100] * 10
    assert np.all(np.diff(parts[np.argsort(feature)]) >= 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=40), st.integers(1, 6))
def test_a_hand_is_in_the_part_in_which_the_middle_of_its_equals_lies(hands: list[tuple[int, int]], count: int) -> None:
    feature, weights = (np.array([hand[i] for hand in hands], dtype=np.int64) for i in (0, 1))
    parts = split_by_percentiles(feature, weights, count)
    total = weights.sum()
    for value, part in zip(feature.tolist(), parts.tolist(), strict=True):
        below, equal = weights[feature < value].sum(), weights[feature == value].sum()
        middle = (below + equal / 2) / total if total else 0.0
        assert part == min(int(np.floor(middle * count + 1e-12)), count - 1)


def test_parts_are_split_again_within_groups() -> None:
    random = np.random.default_rng(2)
    first, second = random.permutation(400), random.permutation(400)
    groups = random.integers(0, 3, 400).astype(np.uint16)
    weights = random.integers(1, 5, 400)
    parts = nested_percentiles((first, second), weights, groups, (4, 2))
    coarse = nested_percentiles((first, second), weights, groups, (4,))
    assert np.array_equal(parts // 2, coarse)
    assert np.array_equal(coarse // 4, groups)
    for group in range(3):
        members = np.flatnonzero(groups == group)
        assert np.array_equal(coarse[members] % 4, split_by_percentiles(first[members], weights[members], 4))
    for bucket in range(12):
        members = np.flatnonzero(coarse == bucket)
        assert np.array_equal(parts[members] % 2, split_by_percentiles(second[members], weights[members], 2))


def test_rows_share_features() -> None:
    feature = np.array([5, 1, 3])
    rows = np.array([0, 0, 1, 2, 2])
    shared = nested_percentiles((feature,), np.ones(5, dtype=int), np.zeros(5, dtype=int), (2,), rows=rows)
    alone = nested_percentiles((feature[rows],), np.ones(5, dtype=int), np.zeros(5, dtype=int), (2,))
    assert np.array_equal(shared, alone)


@pytest.mark.parametrize(("count", "steps"), [(10, (5, 2)), (9000, (150, 60)), (570, (38, 15)), (5, (5,)), (1, (1,))])
def test_a_number_of_buckets_is_split_in_two_steps(count: int, steps: tuple[int, ...]) -> None:
    assert two_steps(count) == steps
