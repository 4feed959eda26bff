"""Building a bucket table, round by round. Every round that is done is on the disk before the next one begins."""

import numpy as np

from errai.abstraction.bucket_table import BucketTable, RoundBuckets
from errai.abstraction.build_steps import BuildStep, OnProgress, ignore_progress
from errai.abstraction.checkpoints import Arrays, Checkpoints
from errai.abstraction.cluster_rounds import cluster_round
from errai.abstraction.percentile_rounds import percentile_round
from errai.abstraction.recipe import Recipe


def build_table(
    recipe: Recipe, checkpoints: Checkpoints, *, num_threads: int, on_progress: OnProgress = ignore_progress
) -> BucketTable:
    """Build a table, or continue from the checkpoints of a build that was interrupted."""
    rounds: tuple[RoundBuckets, ...] = ()
    for round_index in range(recipe.cards.num_rounds):
        step = BuildStep(recipe, round_index, rounds, checkpoints, num_threads, on_progress)
        name = f"round-{round_index}"
        stored = checkpoints.load(name)
        if stored is None:
            built = _build_round(step)
            checkpoints.save(name, _arrays(built))
        else:
            built = _round(step, stored)
        on_progress(round_index, "done", 1.0)
        rounds = (*rounds, built)
    return BucketTable(recipe.name, recipe.cards, recipe.perfect_recall, rounds)


def _build_round(step: BuildStep) -> RoundBuckets:
    if step.recipe.is_lossless(step.round_index):
        size = step.cards.num_hands(step.grouping)
        return RoundBuckets(step.num_buckets, step.grouping, np.arange(size, dtype=np.uint16))
    return percentile_round(step) if step.recipe.by_percentiles else cluster_round(step)


def _arrays(built: RoundBuckets) -> Arrays:
    arrays: dict[str, np.ndarray] = {"grouping": np.array(built.grouping), "labels": built.labels}
    return arrays if built.within is None else {**arrays, "within": built.within}


def _round(step: BuildStep, stored: Arrays) -> RoundBuckets:
    return RoundBuckets(step.num_buckets, tuple(stored["grouping"].tolist()), stored["labels"], stored.get("within"))
