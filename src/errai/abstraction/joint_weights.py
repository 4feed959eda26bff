"""The joint weights of two players' buckets: all that matters of the cards in an abstract game with perfect recall.

For every pair of buckets of the last round: the weight of the deals in which the players have them, and the weight of
those that the first player wins minus those that it loses. Earlier rounds follow by adding up, since a bucket
determines those before it.

All boards are counted, or a part of them, drawn at equal steps along the order of all boards from a random start, each
as often as its class of relabellings is large. With a part of the boards the game is one in which no other board comes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.abstraction.bucket_table import BucketTable
from errai.cards.boards import canonical_boards
from errai.cards.strength import board_strengths
from errai.errors import InputError, SizeError
from errai.workers.pools import map_in_order

OnBoards = Callable[[int, int], None]
Hands = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]  # bucket, strength, a bit for every card

MOST_BUCKETS = 16_384  # of the last round; the weights then take 4 GB while they are counted
_BOARDS_AT_A_TIME = 128  # whose hands are looked up together
_HANDS_AT_A_TIME = 16_000_000  # that are counted together: the sums are written once for each


@dataclass(frozen=True)
class JointWeights:
    """Counts of all pairs of buckets of the last round, [own bucket][opponent's bucket]."""

    counts: tuple[int, ...]  # buckets of each round
    parents: tuple[NDArray[np.int32], ...]  # for each round after the first, the bucket before of each bucket
    weight: NDArray[np.int64]
    edge: NDArray[np.int64]
    num_boards: int  # that were counted
    is_exact: bool  # whether they are all boards


def joint_memory_bytes(num_buckets: int) -> int:
    """What counting takes, and handing the counts over to a solver."""
    return 2 * num_buckets**2 * (8 + 4 + 4)


def count_joint_weights(
    table: BucketTable,
    *,
    max_boards: int | None = None,
    seed: int = 0,
    num_threads: int = 1,
    on_boards: OnBoards = lambda done, of: None,
) -> JointWeights:
    """Count all boards, or so many that are drawn by `seed` where there are more."""
    if not table.perfect_recall:
        raise InputError(
            f"joint weights need perfect recall, which `{table.name}` does not have",
            hint="use a table such as `pr-10-phs`",
        )
    if table.counts[-1] > MOST_BUCKETS:
        raise SizeError(
            f"joint weights of {table.counts[-1]:,} buckets would take "
            f"{joint_memory_bytes(table.counts[-1]) / 1e9:.0f} GB",
            hint=f"use a table with at most {MOST_BUCKETS:,} buckets in the last round, or draw boards while solving",
        )
    boards, weights, is_exact = _boards(table, max_boards, seed)
    size = table.counts[-1]
    weight, edge = np.zeros((size, size), dtype=np.int64), np.zeros((size, size), dtype=np.int64)
    parents = [np.full(count, -1, dtype=np.int32) for count in table.counts[1:]]
    done = 0
    for buckets, strengths, cards in _hands_of_boards(table, boards, parents, num_threads):
        part = weights[done : done + len(buckets)]
        kernels.add_pair_counts(buckets, strengths, cards, part, num_threads, weight, edge)
        done += len(buckets)
        on_boards(done, len(boards))
    filled = tuple(_filled(of_round) for of_round in parents)
    return JointWeights(table.counts, filled, weight, edge, len(boards), is_exact)


def _boards(table: BucketTable, max_boards: int | None, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64], bool]:
    """Boards in the order in which they are dealt, and how often each counts."""
    sizes = [size for size in table.cards.num_board_cards if size]
    if not sizes:
        return np.empty((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64), True
    every = canonical_boards(table.cards.deck, sizes)
    if max_boards is None or max_boards >= len(every.cards):
        return every.cards, every.multiplicity, True
    ends = np.cumsum(every.multiplicity)
    steps = (np.arange(max_boards) + np.random.default_rng(seed).random()) * ends[-1] / max_boards
    chosen, weights = np.unique(np.searchsorted(ends, steps, side="right"), return_counts=True)
    return every.cards[chosen], weights.astype(np.int64), False


def _hands_of_boards(
    table: BucketTable, boards: NDArray[np.uint8], parents: list[NDArray[np.int32]], num_threads: int
) -> Iterator[Hands]:
    """The hands that each board leaves, sorted by bucket, many boards at a time.

    The bucket before each bucket is noted in `parents`.
    """
    parts: list[Hands] = []
    num_hands = done = 0
    some = [boards[first : first + _BOARDS_AT_A_TIME] for first in range(0, len(boards), _BOARDS_AT_A_TIME)]
    found = map_in_order(
        lambda part: _buckets_of_rounds(table, part), some, num_threads=num_threads, max_ahead=num_threads
    )
    for part, rounds in zip(some, found, strict=True):
        for index, (before, now) in enumerate(pairwise(rounds)):
            _note_parents(table, index, before, now, parents[index])
        parts.append(_sorted_hands(table, part, rounds[-1]))
        num_hands += parts[-1][0].size
        done += len(part)
        if num_hands >= _HANDS_AT_A_TIME or done == len(boards):
            buckets, strengths, cards = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
            yield buckets, strengths, cards
            parts, num_hands = [], 0


def _buckets_of_rounds(table: BucketTable, boards: NDArray[np.uint8]) -> list[NDArray[np.int32]]:
    """Of every round, [board][hand]; -1 where a hand shares a card with the board."""
    return [
        table.of_boards(round_index, np.ascontiguousarray(boards[:, :size]))
        for round_index, size in enumerate(table.cards.board_sizes)
    ]


def _sorted_hands(table: BucketTable, boards: NDArray[np.uint8], buckets: NDArray[np.int32]) -> Hands:
    held = np.bitwise_or.reduce(np.uint64(1) << table.cards.hands.astype(np.uint64), axis=1)
    strengths = board_strengths(table.cards.deck, boards, num_hole_cards=table.cards.num_hole_cards)
    num_left = int(np.count_nonzero(buckets[0] >= 0))  # the same on every board; the others are sorted to the front
    order = np.argsort(buckets, axis=1, kind="stable")[:, -num_left:]
    return np.take_along_axis(buckets, order, axis=1), np.take_along_axis(strengths, order, axis=1), held[order]


def _note_parents(
    table: BucketTable,
    round_index: int,
    before: NDArray[np.int32],
    now: NDArray[np.int32],
    parents: NDArray[np.int32],
) -> None:
    dealt = now >= 0
    is_new = parents[now[dealt]] < 0
    parents[now[dealt][is_new]] = before[dealt][is_new]
    if not np.array_equal(parents[now[dealt]], before[dealt]):
        raise InputError(f"`{table.name}` forgets in round {round_index + 1} a bucket of the round before")


def _filled(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """Buckets that did not occur get the bucket before of those in front of them."""
    known = np.maximum.accumulate(np.where(parents >= 0, np.arange(len(parents)), 0))
    return np.maximum(parents[known], 0)
