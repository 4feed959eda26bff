"""The buckets of each round as a picture: how the strength at the showdown is distributed in each of them."""

from pathlib import Path

import numpy as np

from errai.abstraction.table_sample import TableSample
from errai.cli.render.picture import new_figure, save_figure

_BARS = 50
_MOST_LINES = 200  # of one picture; where there are more buckets, neighbours share a line


def plot_buckets(path: Path, sample: TableSample) -> None:
    """A line per bucket, from the weakest up to the strongest, with the density of its strengths."""
    num_rounds = sample.table.cards.num_rounds
    figure = new_figure(4 * num_rounds, 4.5)
    for round_index in range(num_rounds):
        axes = figure.add_subplot(1, num_rounds, round_index + 1)
        buckets = sample.buckets(round_index)
        ranked = [found.bucket for found in sample.describe(round_index, num_examples=0)]
        num_lines = min(len(ranked), _MOST_LINES)
        line_of = np.zeros(sample.table.counts[round_index], dtype=np.int64)
        line_of[ranked] = np.arange(len(ranked)) * num_lines // len(ranked)
        bars = np.minimum((sample.strengths * _BARS).astype(np.int64), _BARS - 1)
        counts = np.zeros((num_lines, _BARS))
        np.add.at(counts, (line_of[buckets], bars), 1.0)
        density = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        axes.imshow(
            density,
            origin="lower",
            aspect="auto",
            extent=(0, 1, 0, len(ranked)),
            cmap="magma",
            vmax=max(float(np.quantile(density, 0.99)), 1e-9),
            interpolation="nearest",
        )
        axes.set_title(f"round {round_index}: {sample.table.counts[round_index]:,} buckets")
        axes.set_xlabel("strength at the showdown")
        if round_index == 0:
            axes.set_ylabel("buckets, the strongest on top")
    figure.suptitle(f"{sample.table.name}, {len(sample.deals):,} deals")
    save_figure(figure, path)
