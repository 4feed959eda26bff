"""Hand strength on a final board: the part of the opponents' hands that a hand beats, ties counting half.

Kernels count points, two for a win and one for a tie, so that strength = points / (2 * opponents). A histogram cuts
strengths into bars of equal width; a strength of 1 is in the last one. A strength on the border of two bars belongs to
the bar into which double precision puts it when strength is computed as equity is everywhere here, (1 + edge) / 2. With
50 bars this moves one strength of hold'em, 0.1, to the bar below, and the published distances come out to the last
digit; with exact fractions the distance of 44 and 66 would be 3.1005 instead of 3.1006.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.card_rounds import CardRounds
from errai.errors import InputError

DEFAULT_BARS = 50
_MOST_BARS = 1000


@dataclass(frozen=True)
class StrengthScale:
    """Points and strengths against `num_opponents` hands, each as likely as the others."""

    num_opponents: int

    @classmethod
    def of(cls, cards: CardRounds) -> "StrengthScale":
        left = cards.deck.size - cards.board_sizes[-1] - cards.num_hole_cards
        return cls(comb(left, cards.num_hole_cards))

    @property
    def most_points(self) -> int:
        return 2 * self.num_opponents

    def bar_of_points(self, num_bars: int, size: int) -> NDArray[np.uint16]:
        """The bar of each number of points; `size` entries, of which those that cannot occur are in the last bar."""
        verify_bars(num_bars)
        edge = np.arange(size) / self.num_opponents - 1.0
        bars = np.floor((1.0 + edge) / 2.0 * num_bars)
        return np.clip(bars, 0, num_bars - 1).astype(np.uint16)


def verify_bars(num_bars: int) -> None:
    if not 1 <= num_bars <= _MOST_BARS:
        raise InputError(f"a histogram has 1 to {_MOST_BARS} bars; got `{num_bars}`")


def earth_movers_distance(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """How far the mass of one histogram must be moved to make the other, in bars: the L1 distance of their sums."""
    return float(np.abs(np.cumsum(first - second)).sum())
