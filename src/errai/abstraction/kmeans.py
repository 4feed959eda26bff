"""k-means within groups of points: k-means++ and restarts on a sample, then a few steps on all points.

The distance is L1 (of cumulative histograms it is the earth mover's distance) or L2; a centroid is the mean of its
points in both cases. The cost is the weighted sum of squared distances. Random numbers come from a seed, and sums are
added in a fixed order, so that the result does not depend on the number of threads.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.workers.pools import map_in_order

Metric = Literal["l1", "l2"]
Points = NDArray[np.float32]
Labels = NDArray[np.uint32]

_MOST_STEPS = 25
_LEAST_GAIN = 1e-3  # of the cost, by which a step must improve for another one to follow


@dataclass(frozen=True)
class Clusters:
    """Centroids, `size` per group, the groups one after the other."""

    metric: Metric
    centroids: Points
    num_groups: int

    @property
    def size(self) -> int:
        return len(self.centroids) // self.num_groups

    def finder(self) -> "Finder":
        return Finder(self)


class Finder:
    """Finds the nearest centroid."""

    def __init__(self, clusters: Clusters) -> None:
        self._kernel = kernels.Centroids(clusters.metric == "l1", clusters.centroids, clusters.num_groups)

    def nearest(self, points: Points, groups: Labels) -> tuple[Labels, NDArray[np.float32]]:
        """For each point the row of the nearest centroid of its group, and its distance."""
        labels, distances = np.empty(len(points), dtype=np.uint32), np.empty(len(points), dtype=np.float32)
        self._kernel.find(points, groups, labels, distances)
        return labels, distances


@dataclass
class Sums:
    """The weighted sums of the points of each centroid."""

    sums: NDArray[np.float64]
    totals: NDArray[np.float64]
    cost: float = 0.0

    @classmethod
    def empty(cls, clusters: Clusters) -> "Sums":
        return cls(np.zeros(clusters.centroids.shape), np.zeros(len(clusters.centroids)))

    def add_points(
        self, points: Points, labels: Labels, distances: NDArray[np.float32], weights: NDArray[np.float64]
    ) -> None:
        kernels.add_to_sums(points, labels, weights, self.sums, self.totals)
        self.cost += float(weights @ np.square(distances, dtype=np.float64))

    def add(self, other: "Sums") -> None:
        self.sums += other.sums
        self.totals += other.totals
        self.cost += other.cost

    def means(self, before: Clusters) -> Clusters:
        """The mean of each centroid's points; a centroid without points stays where it was."""
        has_points = self.totals > 0
        centroids = before.centroids.copy()
        centroids[has_points] = (self.sums[has_points] / self.totals[has_points, np.newaxis]).astype(np.float32)
        return Clusters(before.metric, centroids, before.num_groups)


@dataclass(frozen=True)
class Sample:
    """Points of all groups, with their weights."""

    points: Points
    weights: NDArray[np.float64]
    groups: Labels

    @classmethod
    def join(cls, parts: Iterable["Sample"]) -> "Sample":
        every = list(parts)
        return cls(
            np.concatenate([part.points for part in every]),
            np.concatenate([part.weights for part in every]),
            np.concatenate([part.groups for part in every]),
        )


@dataclass(frozen=True)
class Restarts:
    """How often k-means is begun anew, with which random numbers, and on how many threads."""

    number: int
    seed: int
    num_threads: int


def cluster_sample(sample: Sample, *, num_groups: int, size: int, metric: Metric, restarts: Restarts) -> Clusters:
    """`size` centroids for each group, the best of all restarts. A group without points gets those of all points."""
    order = np.argsort(sample.groups, kind="stable")
    ends = np.cumsum(np.bincount(sample.groups, minlength=num_groups)).tolist()
    starts = [0, *ends[:-1]]

    def run(task: tuple[int, int]) -> tuple[Points, float]:
        group, restart = task
        members = order[starts[group] : ends[group]] if ends[group] > starts[group] else order
        random = np.random.default_rng((restarts.seed, group, restart))
        return _cluster(np.ascontiguousarray(sample.points[members]), sample.weights[members], size, metric, random)

    tasks = list(product(range(num_groups), range(restarts.number)))
    runs = list(map_in_order(run, tasks, num_threads=restarts.num_threads, max_ahead=restarts.num_threads))
    best = [
        min(runs[first : first + restarts.number], key=lambda run: run[1])[0]
        for first in range(0, len(runs), restarts.number)
    ]
    return Clusters(metric, np.concatenate(best), num_groups)


def _cluster(
    points: Points, weights: NDArray[np.float64], size: int, metric: Metric, random: np.random.Generator
) -> tuple[Points, float]:
    """The centroids of one group, and their cost."""
    seeds = kernels.choose_seeds(metric == "l1", points, weights, random.random(size))
    # Where there are fewer different points than centroids, the last one is repeated; it gets no points.
    chosen = np.concatenate((seeds, np.repeat(seeds[-1:], size - len(seeds))))
    clusters = Clusters(metric, np.ascontiguousarray(points[chosen]), 1)
    groups = np.zeros(len(points), dtype=np.uint32)
    best, best_cost = clusters, np.inf
    for _ in range(_MOST_STEPS):
        labels, distances = clusters.finder().nearest(points, groups)
        sums = Sums.empty(clusters)
        sums.add_points(points, labels, distances, weights)
        gain = best_cost - sums.cost
        if gain > 0:
            best, best_cost = clusters, sums.cost
        if not gain > _LEAST_GAIN * sums.cost:
            break
        clusters = sums.means(clusters)
        _move_idle(clusters, sums, points, weights * np.square(distances, dtype=np.float64))
    return best.centroids, best_cost


def _move_idle(clusters: Clusters, sums: Sums, points: Points, costs: NDArray[np.float64]) -> None:
    """Put centroids without points on the points that cost most."""
    idle = np.flatnonzero(sums.totals == 0)
    if len(idle):
        costly = np.argsort(-costs, kind="stable")[: len(idle)]
        costly = costly[costs[costly] > 0]
        clusters.centroids[idle[: len(costly)]] = points[costly]
