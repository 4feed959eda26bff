"""The features of one hand, exactly: E[HS], E[HS^2], the histogram of its strength at the showdown, and OCHS.

HS is the strength on a final board against an opponent who holds any hand; expectations are over every way to deal the
rest of the board. OCHS is the equity against an opponent who holds any hand of a cluster.

Before the flop, one board of each class up to a relabelling of suits stands for all, weighted (`first_round_counts`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.opponent_clusters import NO_CLUSTER
from errai.abstraction.showdowns import Showdowns
from errai.cards.boards import canonical_boards
from errai.cards.equity import edge_against_each
from errai.cards.hands import number_of_hand
from errai.workers.pools import map_in_order

_BOARDS_AT_ONCE = 2048


@dataclass(frozen=True)
class HandStrength:
    """The features of a hand."""

    ehs: float
    ehs2: float
    histogram: NDArray[np.float64]  # the probability of each bar
    ochs: NDArray[np.float64]  # the equity against each cluster; NaN where the opponent can hold none of its hands


def hand_strength(
    cards: CardRounds,
    hole_cards: Sequence[int],
    board: Sequence[int],
    *,
    num_bars: int,
    clusters: NDArray[np.uint8],
    num_threads: int = 1,
) -> HandStrength:
    """The features of `hole_cards` on `board`, which may be empty."""
    showdowns = Showdowns(cards)
    counts = _points_counts(showdowns, hole_cards, board, num_threads)
    total, most = int(counts.sum()), showdowns.scale.most_points
    # Whole numbers, so that the only rounding is the last division.
    points = [int(count) * number for number, count in enumerate(counts)]
    squares = sum(number * product for number, product in enumerate(points))
    bars = showdowns.scale.bar_of_points(num_bars, len(counts))
    return HandStrength(
        ehs=sum(points) / (most * total),
        ehs2=squares / (most**2 * total),
        histogram=np.bincount(bars, weights=counts.astype(np.float64), minlength=num_bars) / total,
        ochs=_cluster_equities(cards, hole_cards, board, clusters),
    )


@lru_cache(maxsize=4)
def first_round_counts(cards: CardRounds, num_threads: int) -> NDArray[np.uint64]:
    """How often each canonical hand has each number of points, over all boards that the game can deal. Read-only."""
    showdowns = Showdowns(cards)
    classes = cards.indexer((cards.num_hole_cards,)).index(cards.hands).astype(np.uint32)
    if not cards.board_sizes[-1]:
        return showdowns.distribution(np.empty((1, 0), dtype=np.uint8), np.ones(1, dtype=np.uint64), classes)
    boards = canonical_boards(cards.deck, [cards.board_sizes[-1]])
    weights = boards.multiplicity.astype(np.uint64)

    def count(first: int) -> NDArray[np.uint64]:
        block = slice(first, first + _BOARDS_AT_ONCE)
        return showdowns.distribution(np.ascontiguousarray(boards.cards[block]), weights[block], classes)

    starts = range(0, len(weights), _BOARDS_AT_ONCE)
    total = np.zeros((int(classes.max()) + 1, showdowns.num_points), dtype=np.uint64)
    for counts in map_in_order(count, starts, num_threads=num_threads, max_ahead=num_threads):
        total += counts
    total.flags.writeable = False
    return total


def _points_counts(
    showdowns: Showdowns, hole_cards: Sequence[int], board: Sequence[int], num_threads: int
) -> NDArray[np.uint64]:
    cards = showdowns.cards
    if not board:
        index = cards.indexer((cards.num_hole_cards,)).index(np.array([sorted(hole_cards)], dtype=np.uint8))
        row: NDArray[np.uint64] = first_round_counts(cards, num_threads)[int(index[0])]
        return row
    left = [card for card in range(cards.deck.size) if card not in (*board, *hole_cards)]
    dealt = list(combinations(left, cards.board_sizes[-1] - len(board)))
    boards = np.array([(*board, *more) for more in dealt], dtype=np.uint8)
    column = showdowns.points(boards)[:, number_of_hand(hole_cards)]
    return np.bincount(column, minlength=showdowns.num_points).astype(np.uint64)


def _cluster_equities(
    cards: CardRounds, hole_cards: Sequence[int], board: Sequence[int], clusters: NDArray[np.uint8]
) -> NDArray[np.float64]:
    edge = edge_against_each(cards.deck, hole_cards, board, num_board_cards=cards.board_sizes[-1])
    possible = ~np.isin(cards.hands, [*hole_cards, *board]).any(axis=1) & (clusters != NO_CLUSTER)
    num_clusters = int(clusters[clusters != NO_CLUSTER].max()) + 1
    sums = np.bincount(clusters[possible], weights=edge[possible], minlength=num_clusters)
    counts = np.bincount(clusters[possible], minlength=num_clusters)
    with np.errstate(invalid="ignore"):
        equities: NDArray[np.float64] = (1.0 + sums / counts) / 2.0
    return equities
