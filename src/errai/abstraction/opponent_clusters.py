"""Clusters of the opponent's hands: OCHS, opponent cluster hand strength, is what a hand wins against each of them.

The eight clusters of Johanson, Burch, Valenzano and Bowling (AAMAS 2013) are groups of hands that win about equally
often; 8 is the strongest. Rows are the first rank, columns the second; above the diagonal the hand is suited.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.card_rounds import CardRounds
from errai.cards.deck import RANK_NAMES
from errai.cards.ranges import parse_range
from errai.errors import InputError

# A hand in no cluster.
NO_CLUSTER = 255
_MOST_CLUSTERS = 64

_CHART = """
4 1 1 1 1 1 2 2 2 4 4 4 6
1 6 1 1 1 1 2 2 3 4 4 6 6
1 1 6 1 1 2 2 2 3 4 4 6 6
1 1 1 6 3 3 3 3 3 4 4 6 6
1 1 1 1 7 3 3 3 3 4 5 6 6
1 1 1 2 3 7 3 3 5 5 5 6 7
1 1 2 2 3 3 8 3 5 5 5 6 7
2 2 2 2 3 3 3 8 5 5 5 7 7
2 2 2 2 3 3 3 5 8 5 7 7 7
2 2 4 4 4 4 5 5 5 8 7 7 7
4 4 4 4 4 4 5 5 5 5 8 7 7
4 4 4 6 6 6 6 6 7 7 7 8 7
6 6 6 6 6 6 6 7 7 7 7 7 8
"""


def default_clusters(cards: CardRounds) -> NDArray[np.uint8]:
    """The cluster of every hand, weakest first and numbered from 0 without gaps.

    A smaller deck keeps the clusters of its ranks. With one hole card, every rank is a cluster.
    """
    ranks, suits = np.divmod(cards.hands, np.uint8(cards.deck.num_suits))
    if cards.num_hole_cards == 1:
        chosen = ranks[:, 0].astype(np.int64)
    else:
        chart = np.array([line.split() for line in _CHART.split("\n") if line], dtype=np.int64)
        lowest = len(RANK_NAMES) - cards.deck.num_ranks
        # Cards of a hand ascend, so the first has the lower rank; suited hands are above the diagonal.
        low, high = ranks[:, 0].astype(np.int64) + lowest, ranks[:, 1].astype(np.int64) + lowest
        chosen = np.where(suits[:, 0] == suits[:, 1], chart[low, high], chart[high, low])
    return np.unique(chosen, return_inverse=True)[1].astype(np.uint8)


def clusters_of_ranges(cards: CardRounds, ranges: Sequence[str]) -> NDArray[np.uint8]:
    """Clusters of the user's own, one per range, such as `QQ+,AKs`; a hand is in at most one of them."""
    if cards.num_hole_cards != 2:
        raise InputError("clusters given as ranges need a game with two hole cards")
    if not 1 <= len(ranges) <= _MOST_CLUSTERS:
        raise InputError(f"there are 1 to {_MOST_CLUSTERS} clusters; got {len(ranges)}")
    clusters = np.full(len(cards.hands), NO_CLUSTER, dtype=np.uint8)
    for number, text in enumerate(ranges):
        named = parse_range(text, cards.deck) > 0
        if np.any(taken := named & (clusters != NO_CLUSTER)):
            hand = cards.deck.text(cards.hands[np.flatnonzero(taken)[0]][::-1].tolist())
            raise InputError(f"a hand is in one cluster only; `{hand}` is in `{text}` and in another")
        clusters[named] = number
    return clusters
