"""Rounds whose buckets are clusters of k-means.

Before the last round they are KE, histograms of strength by the earth mover's distance; in the last one KO, OCHS by L2.

The hands of a round are never held all at once: their features are computed again, board by board, for each pass.

    1. Draw a sample of the hands, by their weights, and cluster it: k-means++, restarts.
    2. Move the centroids to the means of all hands, a few times.
    3. Label all hands.

With several splits, each cluster is clustered again, from 1. With perfect recall, hands are clustered within each
bucket of the round before. Where that takes too many labels, as on the river of hold'em (2.4 billion hands with the
order of their boards), all hands are first clustered finely, into cells; then the cells are clustered within each
bucket before, weighted by how often they occur in it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import Labels, RoundBuckets, smallest_labels
from errai.abstraction.build_steps import BuildStep
from errai.abstraction.joint_counts import joint_counts
from errai.abstraction.kmeans import Clusters, Finder, Metric, Points, Restarts, Sample, Sums, cluster_sample
from errai.abstraction.opponent_clusters import default_clusters
from errai.abstraction.recipe import Recipe
from errai.abstraction.round_rows import Batch, Rows
from errai.abstraction.showdowns import BLOCKED
from errai.abstraction.strength_scale import DEFAULT_BARS

_SAMPLE_PER_CENTROID = 50
_LEAST_SAMPLE, _MOST_SAMPLE = 200_000, 500_000
NUM_RESTARTS = 3
NUM_FULL_STEPS = 2
_MOST_LABELS = 200_000_000
NUM_CELLS = 4000


def cluster_round(step: BuildStep, *, most_labels: int = _MOST_LABELS, num_cells: int = NUM_CELLS) -> RoundBuckets:
    """The buckets of a round."""
    splits = step.recipe.splits[step.round_index]
    if needs_cells(step.recipe, step.round_index, most_labels):
        return _round_of_cells(step, num_cells)
    labels = _RoundClusters(step, nested=True).build(splits)
    return RoundBuckets(step.num_buckets, step.grouping, smallest_labels(labels, step.num_buckets))


def needs_cells(recipe: Recipe, round_index: int, most_labels: int = _MOST_LABELS) -> bool:
    """Whether labels for hands as dealt would be too many."""
    is_nested = recipe.perfect_recall and round_index > 0
    return is_nested and recipe.cards.num_hands(recipe.cards.dealt(round_index)) > most_labels


def sample_size(num_centroids: int) -> int:
    """How many hands are drawn to place so many centroids."""
    return min(max(_SAMPLE_PER_CENTROID * num_centroids, _LEAST_SAMPLE), _MOST_SAMPLE)


@dataclass(frozen=True)
class _Hands:
    """The hands of a batch: their features, and for each order of dealing their numbers and their groups."""

    points: Points
    weights: NDArray[np.float64]
    groups: list[NDArray[np.uint32]]
    dealt: list[NDArray[np.uint8]]


class _RoundClusters:
    """The clusters of a round; `nested` in the buckets of the round before, if the recipe says so."""

    def __init__(self, step: BuildStep, *, nested: bool) -> None:
        self._step = step
        self._rows = step.rows()
        self._has_parents = nested and step.has_parents
        self._num_parents = step.num_parents if self._has_parents else 1
        self._metric: Metric = "l2" if step.is_last else "l1"
        self._clusters = default_clusters(step.cards)
        self.levels: list[Clusters] = []

    @property
    def _orders(self) -> tuple[tuple[int, ...], ...]:
        return self._rows.dealt_orders if self._has_parents else (tuple(range(self._rows.num_board_cards)),)

    def build(self, splits: tuple[int, ...]) -> Labels:
        """The cluster of every canonical hand, numbered within the clusters of earlier splits."""
        sample: Sample | None = None
        for level, size in enumerate(splits):
            last_step = self._load(level)
            if last_step < 0:
                sample = self._draw(level, size) if sample is None or level else sample
                self._step.on_progress(self._step.round_index, f"k-means of {len(sample.points):,} hands", 0.0)
                self.levels.append(
                    cluster_sample(
                        sample,
                        num_groups=self._num_groups,
                        size=size,
                        metric=self._metric,
                        restarts=Restarts(NUM_RESTARTS, self._step.recipe.seed, self._step.num_threads),
                    )
                )
                self._save(level, 0)
            for number in range(max(last_step, 0) + 1, NUM_FULL_STEPS + 1):
                self._move_centroids(number)
                self._save(level, number)
        return self._label()

    @property
    def _num_groups(self) -> int:
        return len(self.levels[-1].centroids) if self.levels else self._num_parents

    def _features(self, rows: Rows, batch: Batch) -> Points:
        if self._step.is_last:
            return self._rows.cluster_strengths(rows, batch, self._clusters)
        return self._rows.histograms(rows, batch, DEFAULT_BARS)

    def _hands(self, batch: Batch) -> _Hands:
        rows = self._rows.rows(batch)
        dealt = [self._rows.in_order(rows.cards, order) for order in self._orders]
        if self._has_parents:
            groups = [self._step.parents(cards) for cards in dealt]
        else:
            groups = [np.zeros(len(cards), dtype=np.uint32) for cards in dealt]
        return _Hands(self._features(rows, batch), rows.weights, groups, dealt)

    def _descend(self, finders: list[Finder], points: Points, groups: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The groups of points after the levels whose finders are given."""
        for finder in finders:
            groups, _ = finder.nearest(points, groups)
        return groups

    def _draw(self, level: int, size: int) -> Sample:
        rate = sample_size(size * self._num_groups) / (self._rows.total_weight * len(self._orders))
        finders = [clusters.finder() for clusters in self.levels]
        seed = (self._step.recipe.seed, self._step.round_index, level)

        def draw(batch: Batch) -> Sample:
            hands = self._hands(batch)
            random = np.random.default_rng((*seed, batch.number))
            parts = []
            for groups in hands.groups:
                chance = np.minimum(hands.weights * rate, 1.0)
                taken = random.random(len(chance)) < chance
                points = np.ascontiguousarray(hands.points[taken])
                # What was less likely to be taken stands for more hands.
                weights = hands.weights[taken] / chance[taken]
                parts.append(Sample(points, weights, self._descend(finders, points, groups[taken])))
            return Sample.join(parts)

        return Sample.join(self._rows.for_each(draw, self._step.progress("sample")))

    def _move_centroids(self, number: int) -> None:
        """One step of k-means on all hands, for the last level."""
        finders = [clusters.finder() for clusters in self.levels]
        clusters = self.levels[-1]

        def add(batch: Batch) -> Sums:
            hands = self._hands(batch)
            sums = Sums.empty(clusters)
            for groups in hands.groups:
                before = self._descend(finders[:-1], hands.points, groups)
                labels, distances = finders[-1].nearest(hands.points, before)
                sums.add_points(hands.points, labels, distances, hands.weights)
            return sums

        total = Sums.empty(clusters)
        name = f"k-means of all hands, step {number} of {NUM_FULL_STEPS}"
        for sums in self._rows.for_each(add, self._step.progress(name)):
            total.add(sums)
        self.levels[-1] = total.means(clusters)

    def _label(self) -> Labels:
        cards, step = self._step.cards, self._step
        grouping = cards.dealt(step.round_index) if self._has_parents else cards.unordered(step.round_index)
        indexer = cards.indexer(grouping)
        finders = [clusters.finder() for clusters in self.levels]
        labels = smallest_labels(np.zeros(cards.num_hands(grouping), dtype=np.uint8), self._num_groups)

        def label(batch: Batch) -> None:
            hands = self._hands(batch)
            for groups, dealt in zip(hands.groups, hands.dealt, strict=True):
                labels[indexer.index(dealt)] = self._descend(finders, hands.points, groups)

        for _ in self._rows.for_each(label, step.progress("labels")):
            pass
        return labels

    def _step_name(self, level: int, number: int) -> str:
        kind = "nested" if self._has_parents else "clusters"
        return f"round-{self._step.round_index}-{kind}-{level}-step-{number}"

    def _load(self, level: int) -> int:
        """Load the centroids of a level from the last step that is done; its number, or -1."""
        for number in range(NUM_FULL_STEPS, -1, -1):
            stored = self._step.checkpoints.load(self._step_name(level, number))
            if stored is not None:
                self.levels.append(Clusters(self._metric, stored["centroids"], self._num_groups))
                return number
        return -1

    def _save(self, level: int, number: int) -> None:
        self._step.checkpoints.save(self._step_name(level, number), {"centroids": self.levels[level].centroids})


def _round_of_cells(step: BuildStep, num_cells: int) -> RoundBuckets:
    rows = step.rows()
    builder = _RoundClusters(step, nested=False)
    name = f"round-{step.round_index}-cells"
    stored = step.checkpoints.load(name)
    if stored is None:
        labels = builder.build((num_cells,))
        stored = {"labels": labels, "centroids": builder.levels[-1].centroids}
        step.checkpoints.save(name, stored)
    labels, centroids = stored["labels"], stored["centroids"]

    def label_boards(boards: NDArray[np.uint8]) -> NDArray[np.uint16]:
        batch = Batch(0, boards, np.ones(len(boards), dtype=np.int64))
        found = rows.rows(batch)
        cells = np.full((len(boards), len(step.cards.hands)), BLOCKED, dtype=np.uint16)
        cells[found.boards, found.hands] = labels[rows.unordered_index(found.cards)]
        return cells

    counts = joint_counts(step, label_boards, len(centroids), BLOCKED)
    parents, cells = np.nonzero(counts)
    weights = counts[parents, cells].astype(np.float64)
    points, groups = np.ascontiguousarray(centroids[cells]), parents.astype(np.uint32)
    num_groups = step.num_parents
    every_parent = np.repeat(np.arange(num_groups, dtype=np.uint32), len(centroids))
    every_cell = np.tile(centroids, (num_groups, 1))
    within = every_parent
    for size in step.recipe.splits[step.round_index]:
        clusters = cluster_sample(
            Sample(points, weights, groups),
            num_groups=num_groups,
            size=size,
            metric="l2",
            restarts=Restarts(NUM_RESTARTS, step.recipe.seed, step.num_threads),
        )
        finder = clusters.finder()
        groups, _ = finder.nearest(points, groups)
        within, _ = finder.nearest(every_cell, within)
        num_groups *= size
    return RoundBuckets(
        step.num_buckets,
        step.cards.unordered(step.round_index),
        labels,
        smallest_labels(within.reshape(step.num_parents, len(centroids)), step.num_buckets),
    )
