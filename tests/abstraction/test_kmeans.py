import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from errai._native import kernels
from errai.abstraction.kmeans import Clusters, Metric, Restarts, Sample, Sums, cluster_sample


def distances(points: NDArray[np.float32], centroids: NDArray[np.float32], metric: Metric) -> NDArray[np.float64]:
    """Every distance, the obvious way."""
    difference = points[:, np.newaxis, :].astype(np.float64) - centroids[np.newaxis, :, :]
    found: NDArray[np.float64] = (
        np.abs(difference).sum(axis=2) if metric == "l1" else np.sqrt((difference**2).sum(axis=2))
    )
    return found


def blobs(seed: int, count: int, dimensions: int) -> NDArray[np.float32]:
    """Points around a few places, some of them equal."""
    random = np.random.default_rng(seed)
    places = random.random((7, dimensions))
    points = places[random.integers(0, 7, count)] + random.integers(-2, 3, (count, dimensions)) * 0.01
    return np.ascontiguousarray(points.astype(np.float32))


@settings(deadline=None)
@given(
    seed=st.integers(0, 1000),
    metric=st.sampled_from(["l1", "l2"]),
    dimensions=st.sampled_from([1, 3, 8, 49]),
    num_groups=st.sampled_from([1, 3]),
    size=st.sampled_from([1, 5, 8, 40]),
)
def test_the_nearest_centroid_of_the_group_is_found(
    seed: int, metric: Metric, dimensions: int, num_groups: int, size: int
) -> None:
    random = np.random.default_rng(seed)
    points, centroids = blobs(seed, 60, dimensions), blobs(seed + 1, num_groups * size, dimensions)
    groups = random.integers(0, num_groups, len(points)).astype(np.uint32)
    labels, found = Clusters(metric, centroids, num_groups).finder().nearest(points, groups)
    every = distances(points, centroids, metric)
    every[np.arange(num_groups * size)[np.newaxis, :] // size != groups[:, np.newaxis]] = np.inf
    # In single precision, a sum of 49 terms is off by less than 1e-5.
    np.testing.assert_allclose(found, every.min(axis=1), atol=1e-5)
    np.testing.assert_allclose(every[np.arange(len(points)), labels], every.min(axis=1), atol=1e-5)


def test_of_equally_near_centroids_the_first_counts() -> None:
    centroids = np.array([[1.0], [3.0], [1.0]], dtype=np.float32)
    labels, _ = (
        Clusters("l1", centroids, 1)
        .finder()
        .nearest(np.array([[1.0], [2.0]], dtype=np.float32), np.zeros(2, dtype=np.uint32))
    )
    assert labels.tolist() == [0, 0]


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_seeds_are_drawn_by_weight_and_squared_distance(metric: Metric) -> None:
    """The obvious way, with the points in the order of their sums, in which the kernel goes through them."""
    points = blobs(5, 600, 4)
    random = np.random.default_rng(6)
    weights, uniforms = random.integers(1, 5, 600).astype(float), random.random(12)
    seeds = kernels.choose_seeds(metric == "l1", points, weights, uniforms).tolist()
    order = np.argsort(points.sum(axis=1, dtype=np.float32), kind="stable")
    chances, nearest = weights[order].copy(), np.full(600, np.inf)
    expected = []
    for uniform in uniforms:
        place = int(np.searchsorted(np.cumsum(chances), uniform * chances.sum(), side="right"))
        expected.append(int(order[place]))
        nearest = np.minimum(nearest, distances(points[order], points[order[place : place + 1]], metric)[:, 0])
        chances = weights[order] * nearest**2
    assert seeds == expected


def test_no_more_seeds_than_different_points() -> None:
    points = np.array([[0.0], [1.0], [0.0], [1.0]], dtype=np.float32)
    seeds = kernels.choose_seeds(True, points, np.ones(4), np.array([0.1, 0.9, 0.5, 0.5]))
    assert len(seeds) == 2


def test_sums_make_weighted_means_and_idle_centroids_stay() -> None:
    clusters = Clusters("l2", np.array([[0.0], [9.0], [5.0]], dtype=np.float32), 1)
    sums = Sums.empty(clusters)
    points = np.array([[1.0], [2.0], [8.0]], dtype=np.float32)
    labels, found = clusters.finder().nearest(points, np.zeros(3, dtype=np.uint32))
    sums.add_points(points, labels, found, np.array([1.0, 3.0, 2.0]))
    assert sums.means(clusters).centroids.tolist() == [[1.75], [8.0], [5.0]]
    assert sums.cost == 1 * 1 + 3 * 4 + 2 * 1


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_separate_places_become_clusters_within_their_groups(metric: Metric) -> None:
    random = np.random.default_rng(3)
    places = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]])
    true = random.integers(0, 4, 400)
    points = np.ascontiguousarray((places[true] + 0.01 * random.random((400, 2))).astype(np.float32))
    sample = Sample(points, np.ones(400), (true // 2).astype(np.uint32))
    clusters = cluster_sample(sample, num_groups=2, size=2, metric=metric, restarts=Restarts(3, 0, 2))
    labels, _ = clusters.finder().nearest(points, sample.groups)
    assert len(set(zip(true.tolist(), labels.tolist(), strict=True))) == 4
    again = cluster_sample(sample, num_groups=2, size=2, metric=metric, restarts=Restarts(3, 0, 2))
    assert np.array_equal(clusters.centroids, again.centroids)
