"""What building a table takes, estimated before it begins.

Time is that of passes over the hands of final boards, which is measured here in a moment, and of work for each row (a
hand on a board), each canonical hand and each comparison with centroids. Those took the times below on the machine that
they were measured on; they are scaled by how fast a pass over a board of hold'em is here.
"""

from dataclasses import dataclass
from math import prod
from time import process_time

import numpy as np

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.cluster_rounds import NUM_CELLS, NUM_FULL_STEPS, NUM_RESTARTS, needs_cells, sample_size
from errai.abstraction.recipe import Recipe
from errai.abstraction.round_rows import RoundRows
from errai.abstraction.showdowns import Showdowns
from errai.cards.deck import Deck

_HOLDEM = CardRounds(Deck(13, 4), 2, (0, 3, 1, 1))
_BOARDS_MEASURED = 300

# Seconds, measured on one core of a server.
_BOARD = 22e-6  # a pass over a board of hold'em
_ROW = 0.25e-6  # index a hand on a board
_HISTOGRAM = 1.8e-6  # make the cumulative histogram of a row
_HAND = 0.9e-6  # weigh and sort a canonical hand
_NEAREST = 0.06e-6  # find the nearest of k centroids: this times k to the power of
_NEAREST_POWER = 0.43
_STEPS = 20  # of k-means on a sample

_BATCH_BYTES_PER_ROW = 1500
_BASE_BYTES = 150_000_000
_SAMPLE_BYTES_PER_POINT = 800
_SORT_BYTES_PER_HAND = 25


@dataclass(frozen=True)
class BuildCost:
    """Estimates for a whole table."""

    core_seconds: float
    memory_bytes: int
    canonical_hands: tuple[int, ...]  # that get a label, by round


@dataclass(frozen=True)
class _RoundCost:
    boards: float = 0.0  # passes over final boards
    seconds: float = 0.0  # of all other work, on the machine that it was measured on
    bytes: float = 0.0  # beside the labels


def estimate_build(recipe: Recipe, *, num_threads: int) -> BuildCost:
    """The time on one core, and the memory."""
    cards = recipe.cards
    rounds = range(cards.num_rounds)
    rows = [RoundRows(cards, index, num_threads=num_threads) for index in rounds]
    hands = tuple(_num_labels(recipe, index) for index in rounds)
    costs = [_round_cost(recipe, rows, index) for index in rounds]
    boards = rows[-1].num_boards + sum(cost.boards for cost in costs)
    speed = _seconds_per_board(_HOLDEM) / _BOARD
    return BuildCost(
        core_seconds=boards * _seconds_per_board(cards) + speed * sum(cost.seconds for cost in costs),
        memory_bytes=int(
            2 * sum(hands)
            + max(cost.bytes for cost in costs)
            + _BASE_BYTES
            + num_threads * _BATCH_BYTES_PER_ROW * max(one.num_rows / len(one.batches) for one in rows)
        ),
        canonical_hands=hands,
    )


def _round_cost(recipe: Recipe, rows: list[RoundRows], index: int) -> _RoundCost:
    if recipe.is_lossless(index):
        return _RoundCost()
    return _percentile_cost(recipe, rows, index) if recipe.by_percentiles else _cluster_cost(recipe, rows, index)


def _percentile_cost(recipe: Recipe, rows: list[RoundRows], index: int) -> _RoundCost:
    now = rows[index]
    if index < len(rows) - 1:
        num_hands = _num_labels(recipe, index)
        features = 16 * now.cards.num_hands(now.cards.unordered(index))
        return _RoundCost(
            now.num_showdown_boards,
            _ROW * now.num_rows + _HAND * num_hands,
            features + _SORT_BYTES_PER_HAND * num_hands,
        )
    joint = _joint_cost(rows[index - 1]) if recipe.perfect_recall and index else _RoundCost()
    return _RoundCost(now.num_boards + joint.boards, _ROW * now.num_rows + joint.seconds)


def _joint_cost(before: RoundRows) -> _RoundCost:
    rows = before.num_rows * len(before.dealt_orders)
    return _RoundCost(before.num_showdown_boards, _ROW * rows + 2e-9 * rows * before.num_final_boards)


def _cluster_cost(recipe: Recipe, rows: list[RoundRows], index: int) -> _RoundCost:
    now, splits = rows[index], recipe.splits[index]
    has_parents = recipe.perfect_recall and index > 0
    cells = needs_cells(recipe, index)
    joint = _joint_cost(rows[index - 1]) if cells else _RoundCost()
    sizes = (NUM_CELLS,) if cells else splits
    orders = len(now.dealt_orders) if has_parents and not cells else 1
    num_passes = len(sizes) * (1 + NUM_FULL_STEPS) + 1
    nearest = max(_NEAREST * size**_NEAREST_POWER for size in sizes)
    row = _ROW + orders * (nearest + (_ROW if has_parents and not cells else 0.0))
    if index < len(rows) - 1:
        row += _HISTOGRAM
    sample = sample_size(prod(sizes) * (recipe.num_buckets(index - 1) if has_parents and not cells else 1))
    return _RoundCost(
        num_passes * now.num_showdown_boards + joint.boards,
        num_passes * row * now.num_rows + joint.seconds + sample * _STEPS * NUM_RESTARTS * nearest,
        sample * _SAMPLE_BYTES_PER_POINT,
    )


def _num_labels(recipe: Recipe, index: int) -> int:
    cards = recipe.cards
    by_points = recipe.by_percentiles and index == cards.num_rounds - 1
    has_parents = recipe.perfect_recall and index > 0
    is_dealt = has_parents and not by_points and not needs_cells(recipe, index)
    return cards.num_hands(cards.dealt(index) if is_dealt else cards.unordered(index))


def _seconds_per_board(cards: CardRounds) -> float:
    random = np.random.default_rng(0)
    order = random.random((_BOARDS_MEASURED, cards.deck.size)).argsort(axis=1)
    boards = np.ascontiguousarray(order[:, : cards.board_sizes[-1]].astype(np.uint8))
    showdowns = Showdowns(cards)
    began = process_time()
    showdowns.points(boards)
    return (process_time() - began) / _BOARDS_MEASURED
