"""Points of all hands on final boards, and on boards to which more cards are dealt: the kernels with their shapes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.strength_scale import StrengthScale

BLOCKED = 2**16 - 1  # the points of a hand that shares a card with the board
ONE = 2**16 - 1  # the strength 1 against a cluster, as the kernel counts it


@dataclass(frozen=True)
class Rollouts:
    """Sums over every way to deal the rest of the board, per board and hand."""

    points: NDArray[np.uint64]  # [board, hand]
    squares: NDArray[np.uint64]  # of the points
    histograms: NDArray[np.uint32]  # [board, hand, bar]


class Showdowns:
    """Showdowns of a game, over all hands at once."""

    def __init__(self, cards: CardRounds) -> None:
        self.cards = cards
        self.scale = StrengthScale.of(cards)
        self._kernel = kernels.Showdowns(cards.hands, cards.deck.size, cards.deck.num_suits)

    @property
    def num_hands(self) -> int:
        return len(self.cards.hands)

    @cached_property
    def num_points(self) -> int:
        """The size of a table by points; the kernel asks for room for two per hand."""
        return 2 * self.num_hands + 1

    def points(self, boards: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The points of every hand on each final board; `BLOCKED` where it shares a card with the board."""
        points = np.empty((len(boards), self.num_hands), dtype=np.uint16)
        self._kernel.points(boards, points)
        return points

    def cluster_strengths(self, boards: NDArray[np.uint8], clusters: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """What each hand wins against each cluster on each final board, shape (boards, hands, clusters), in `ONE`ths.

        Rows of hands that share a card with the board are zero.
        """
        num_clusters = int(clusters.max()) + 1
        strengths = np.zeros((len(boards) * self.num_hands, num_clusters), dtype=np.uint16)
        self._kernel.cluster_strengths(boards, clusters, ONE, strengths)
        return strengths.reshape(len(boards), self.num_hands, num_clusters)

    def roll_out(self, boards: NDArray[np.uint8], *, num_bars: int = 0) -> Rollouts:
        """Deal the rest of each board in all possible ways; without bars there are no histograms."""
        shape = (len(boards), self.num_hands)
        points, squares = np.zeros(shape, dtype=np.uint64), np.zeros(shape, dtype=np.uint64)
        histograms = np.zeros((len(boards) * self.num_hands, num_bars), dtype=np.uint32)
        bar_of = self.scale.bar_of_points(max(num_bars, 1), self.num_points)
        num_dealt = self.cards.board_sizes[-1] - boards.shape[1]
        self._kernel.roll_out(boards, num_dealt, points, squares, bar_of, histograms)
        return Rollouts(points, squares, histograms.reshape(*shape, num_bars))

    def distribution(
        self, boards: NDArray[np.uint8], weights: NDArray[np.uint64], classes: NDArray[np.uint32]
    ) -> NDArray[np.uint64]:
        """How often the hands of each class have each number of points on final boards, shape (classes, points)."""
        counts = np.zeros((int(classes.max()) + 1, self.num_points), dtype=np.uint64)
        self._kernel.add_distribution(boards, weights, classes, counts)
        return counts
