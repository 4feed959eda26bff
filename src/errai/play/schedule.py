"""Which cards each hand of a match is played with, and who sits where.

Both are settled before a match begins, by the number of the hand alone. The seats (0 and 1, which stay the same over a
match) change places with every deal, as at the ACPC's dealer. In a duplicate match every deal is played again with the
seats swapped: at once, so that a match can stop or continue after any deal; or, at a dealer, whose players could
remember the cards, after all deals were played once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError, whole_number
from errai.games.played_hand import Deal
from errai.play.hand_start import ACTIONS, HandStart, random_stream


@dataclass(frozen=True)
class MatchSchedule:
    """How many hands are played with which cards, and who sits where; fewer hands are the beginning of more."""

    num_hands: int
    seed: int
    is_duplicate: bool = False

    def __post_init__(self) -> None:
        if self.num_hands < 1:
            raise InputError(f"a match has at least 1 hand; got {self.num_hands}")
        if self.is_duplicate and self.num_hands % 2:
            raise InputError(
                f"a duplicate match plays every deal twice; got an odd number of hands, {self.num_hands}",
                hint=f"for example {self.num_hands + 1}",
            )
        object.__setattr__(self, "seed", whole_number("seed", self.seed, least=0))

    @property
    def hands_per_deal(self) -> int:
        return 2 if self.is_duplicate else 1

    @property
    def num_deals(self) -> int:
        return self.num_hands // self.hands_per_deal

    def deal_number(self, hand_number: int) -> int:
        return hand_number // self.hands_per_deal

    def is_replay(self, hand_number: int) -> bool:
        """Whether the deal of a hand was played before."""
        return hand_number % self.hands_per_deal == 1

    def by_deal(self, values: NDArray[Any]) -> NDArray[Any]:
        """What is known of every hand, in the shape [deal][hand of the deal]."""
        return values.reshape(self.num_deals, self.hands_per_deal)

    def seat_of(self, hand_number: int, player: int) -> int:
        """The seat that plays as `player` (0 is the big blind in hold'em) in a hand."""
        return (player + self.deal_number(hand_number) + self.is_replay(hand_number)) % 2

    def position_of(self, hand_number: int, seat: int) -> int:
        """Which player a seat is in a hand."""
        return int(self.seat_of(hand_number, 0) != seat)

    def deal(self, start: HandStart, hand_number: int) -> Deal:
        """The cards of a hand; they depend on the seed and the number of the deal alone."""
        return start.deal(seed=self.seed, number=self.deal_number(hand_number))

    def generator(self, hand_number: int, seat: int) -> np.random.Generator:
        """The randomness of one seat in one hand."""
        return random_stream(self.seed, ACTIONS, hand_number, seat)


class DealerSchedule(MatchSchedule):
    """A schedule whose second half repeats the deals of the first half."""

    def deal_number(self, hand_number: int) -> int:
        return hand_number % self.num_deals

    def is_replay(self, hand_number: int) -> bool:
        return hand_number >= self.num_deals

    def by_deal(self, values: NDArray[Any]) -> NDArray[Any]:
        return values.reshape(self.hands_per_deal, self.num_deals).T
