"""How often hands have each label in the last round, for each bucket of the round before.

A board of the round before stands for all its relabellings. It is labelled once for each board that can follow, for all
orders in which its cards can have been dealt.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.abstraction.bucket_table import find_buckets
from errai.abstraction.build_steps import BuildStep
from errai.abstraction.round_rows import RoundRows
from errai.workers.pools import map_in_order

LabelBoards = Callable[[NDArray[np.uint8]], NDArray[np.uint16]]

_NUM_PARTS = 64


@dataclass(frozen=True)
class _Following:
    """Boards of the last round that follow a board of the round before."""

    before: NDArray[np.uint8]
    boards: NDArray[np.uint8]
    weights: NDArray[np.uint64]


def joint_counts(step: BuildStep, label_boards: LabelBoards, num_labels: int, blocked: int) -> NDArray[np.uint64]:
    """The weights of all deals, shape (buckets before, labels); `label_boards` gives a row per board."""
    rows = RoundRows(step.cards, step.round_index - 1, num_threads=step.num_threads)
    following = list(_following(step, rows))

    def count(part: int) -> NDArray[np.uint64]:
        counts = np.zeros((step.num_parents, num_labels), dtype=np.uint64)
        for one in following[part::_NUM_PARTS]:
            buckets = _buckets_before(step, rows, one.before)
            kernels.add_joint_counts(buckets, label_boards(one.boards), one.weights, blocked, counts)
        return counts

    total = np.zeros((step.num_parents, num_labels), dtype=np.uint64)
    progress = step.progress("buckets before")
    results = map_in_order(count, range(_NUM_PARTS), num_threads=step.num_threads, max_ahead=step.num_threads)
    for done, counts in enumerate(results, start=1):
        total += counts
        progress(done, _NUM_PARTS)
    return total


def _following(step: BuildStep, rows: RoundRows) -> Iterator[_Following]:
    if rows.num_board_cards == 0:
        # No board before: those of the last round stand for their relabellings.
        for batch in step.rows().batches:
            yield _Following(rows.batches[0].boards[0], batch.boards, batch.weights.astype(np.uint64))
        return
    num_new = step.cards.num_board_cards[step.round_index]
    for batch in rows.batches:
        for board, weight in zip(batch.boards, batch.weights.tolist(), strict=True):
            left = np.setdiff1d(np.arange(step.cards.deck.size, dtype=np.uint8), board)
            new = np.array(list(combinations(left.tolist(), num_new)), dtype=np.uint8)
            boards = np.hstack((np.tile(board, (len(new), 1)), new))
            yield _Following(board, boards, np.full(len(new), weight, dtype=np.uint64))


def _buckets_before(step: BuildStep, rows: RoundRows, board: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The bucket of each hand for each order in which the board before can have been dealt; -1 where it is blocked."""
    every_hand = step.cards.hands
    possible = np.flatnonzero(~np.isin(every_hand, board).any(axis=1))
    cards = np.hstack((every_hand[possible], np.tile(board, (len(possible), 1))))
    buckets = np.full((len(rows.dealt_orders), len(every_hand)), -1, dtype=np.int32)
    for place, order in enumerate(rows.dealt_orders):
        dealt = rows.in_order(cards, order)
        buckets[place, possible] = find_buckets(step.cards, step.before, step.round_index - 1, dealt)
    return buckets
