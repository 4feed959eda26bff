"""All hands of a round, board by board, with their features.

One board of each class up to a relabelling of suits stands for all of them, weighted by their number; its hands are
rows. A canonical hand can have several rows on such a board. Together they have its weight: the number of its deals.
Boards are unordered; `dealt_orders` are the ways in which their cards can have come.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.hand_strength import first_round_counts
from errai.abstraction.showdowns import ONE, Rollouts, Showdowns
from errai.cards.boards import canonical_boards
from errai.workers.pools import map_in_order

Result = TypeVar("Result")
Progress = Callable[[int, int], None]

_ROWS_AT_ONCE = 100_000
_SHOWDOWNS_AT_ONCE = 10_000_000  # a batch should take about a second at most


@dataclass(frozen=True)
class Batch:
    """Boards that are worked on together."""

    number: int
    boards: NDArray[np.uint8]
    weights: NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """Hands on boards that share no card with them."""

    boards: NDArray[np.intp]  # which board of the batch
    hands: NDArray[np.intp]  # which hand
    cards: NDArray[np.uint8]  # hole cards, then the board
    weights: NDArray[np.float64]


class RoundRows:
    """The hands of a round."""

    def __init__(self, cards: CardRounds, round_index: int, *, num_threads: int) -> None:
        self.cards = cards
        self.round_index = round_index
        self.num_threads = num_threads
        self.showdowns = Showdowns(cards)
        self.num_board_cards = cards.board_sizes[round_index]
        self.num_dealt = cards.board_sizes[-1] - self.num_board_cards

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        if self.num_board_cards:
            canonical = canonical_boards(self.cards.deck, [self.num_board_cards])
            boards, weights = canonical.cards, canonical.multiplicity
        else:
            boards, weights = np.empty((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64)
        showdowns = self.showdowns.num_hands * (self.num_final_boards if self.num_board_cards else 1)
        size = max(1, min(_ROWS_AT_ONCE // self.showdowns.num_hands, _SHOWDOWNS_AT_ONCE // showdowns))
        return tuple(
            Batch(number, np.ascontiguousarray(boards[first : first + size]), weights[first : first + size])
            for number, first in enumerate(range(0, len(boards), size))
        )

    @property
    def num_final_boards(self) -> int:
        """In how many ways the rest of a board is dealt."""
        return comb(self.cards.deck.size - self.num_board_cards, self.num_dealt)

    @cached_property
    def num_boards(self) -> int:
        return sum(len(batch.boards) for batch in self.batches)

    @property
    def num_showdown_boards(self) -> int:
        """How many final boards a pass over all rows visits; before any board, those of `first_round_counts` serve."""
        return self.num_boards * self.num_final_boards if self.num_board_cards else 0

    @cached_property
    def num_rows(self) -> int:
        left = self.cards.deck.size - self.num_board_cards
        return self.num_boards * comb(left, self.cards.num_hole_cards)

    @cached_property
    def total_weight(self) -> float:
        left = self.cards.deck.size - self.num_board_cards
        return float(sum(int(batch.weights.sum()) for batch in self.batches) * comb(left, self.cards.num_hole_cards))

    @cached_property
    def dealt_orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders of a board's columns, one for each way to deal its cards over the rounds."""
        return tuple(_orders(tuple(range(self.num_board_cards)), self.cards.num_board_cards[: self.round_index + 1]))

    def in_order(self, rows: NDArray[np.uint8], order: tuple[int, ...]) -> NDArray[np.uint8]:
        """The cards of rows with the board in one of the `dealt_orders`."""
        hole = self.cards.num_hole_cards
        return rows[:, [*range(hole), *(hole + column for column in order)]]

    def rows(self, batch: Batch) -> Rows:
        every_hand = self.cards.hands
        blocked = (every_hand[np.newaxis, :, :, np.newaxis] == batch.boards[:, np.newaxis, np.newaxis, :]).any((2, 3))
        boards, hands = np.nonzero(~blocked)
        cards = np.hstack((every_hand[hands], batch.boards[boards]))
        return Rows(boards, hands, cards, batch.weights[boards].astype(np.float64))

    def unordered_index(self, rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
        return self.cards.indexer(self.cards.unordered(self.round_index)).index(rows)

    def for_each(self, work: Callable[[Batch], Result], on_progress: Progress) -> Generator[Result, None, None]:
        """The results of all batches, in their order."""
        results = map_in_order(work, self.batches, num_threads=self.num_threads, max_ahead=self.num_threads)
        for done, result in enumerate(results, start=1):
            yield result
            on_progress(done, len(self.batches))

    def roll_out(self, batch: Batch, num_bars: int = 0) -> Rollouts:
        """Sums over the final boards of every board and hand."""
        if self.num_board_cards or not self.num_dealt:
            return self.showdowns.roll_out(batch.boards, num_bars=num_bars)
        return self._first_round_rollouts(num_bars)

    def histograms(self, rows: Rows, batch: Batch, num_bars: int) -> NDArray[np.float32]:
        """The cumulative histogram of each row, without the last bar, which is always 1."""
        counts = self.roll_out(batch, num_bars).histograms[rows.boards, rows.hands]
        sums = np.cumsum(counts, axis=1, dtype=np.int64)
        return np.ascontiguousarray((sums[:, :-1] / sums[:, -1:]).astype(np.float32))

    def cluster_strengths(self, rows: Rows, batch: Batch, clusters: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The strength of each row against each cluster, on final boards only."""
        strengths = self.showdowns.cluster_strengths(batch.boards, clusters)[rows.boards, rows.hands]
        return np.ascontiguousarray(strengths.astype(np.float32) / np.float32(ONE))

    def _first_round_rollouts(self, num_bars: int) -> Rollouts:
        """From the boards of a final round up to a relabelling of suits: far fewer than all boards."""
        cards, showdowns = self.cards, self.showdowns
        counts = first_round_counts(cards, self.num_threads).astype(np.int64)
        classes = cards.indexer(cards.unordered(0)).index(cards.hands).astype(np.int64)
        # All hands of a class were counted together.
        counts //= np.bincount(classes)[:, np.newaxis]
        points = np.arange(showdowns.num_points, dtype=np.int64)
        bar_of = showdowns.scale.bar_of_points(max(num_bars, 1), showdowns.num_points)
        bars = np.arange(max(num_bars, 1))
        histograms = (counts @ (bar_of[:, np.newaxis] == bars)).astype(np.uint32)
        return Rollouts(
            (counts @ points)[classes].astype(np.uint64)[np.newaxis],
            (counts @ points**2)[classes].astype(np.uint64)[np.newaxis],
            histograms[classes][np.newaxis, :, :num_bars],
        )


def _orders(columns: tuple[int, ...], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not sizes:
        return [()]
    return [
        (*first, *rest)
        for first in combinations(columns, sizes[0])
        for rest in _orders(tuple(column for column in columns if column not in first), sizes[1:])
    ]
