"""Matches between two competitors, and what they tell: a mean with its interval.

1. The schedule says which cards a hand is played with and who sits where (see `errai.play.schedule`).
2. Each competitor is seated for one hand with random numbers of its own, so that every hand can be played again alone.
3. An observation is what the first competitor wins on a deal: of a duplicate match, the mean of its two hands.

Duplicate play saves hands because most of the luck of a deal is the same on both sides of it. How much it saved is told
by comparing with the interval that the same hands would give if each were a deal of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.evaluate.statistics import Estimate, estimate_mean
from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.state import Action, BettingState, initial_state
from errai.play.schedule import MatchSchedule


class Player(Protocol):
    """Somebody who sits at the table for a hand."""

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        """A legal action."""


@dataclass(frozen=True)
class Competitor:
    """A name, and a way to be seated for one hand with random numbers of its own."""

    name: str
    sit_down: Callable[[np.random.Generator], Player]


@dataclass(frozen=True, eq=False)
class MatchResult:
    """What the first of two competitors won, hand by hand."""

    definition: GameDefinition
    schedule: MatchSchedule
    names: tuple[str, str]
    winnings_chips: NDArray[np.int64]  # of the first competitor, by the number of the hand

    @property
    def num_hands(self) -> int:
        return len(self.winnings_chips)

    @property
    def total_chips(self) -> int:
        """What the first competitor won over the match."""
        return int(self.winnings_chips.sum())

    def observations_mbb(self) -> NDArray[np.float64]:
        """What the first competitor won on each deal, a hand."""
        mean: NDArray[np.float64] = self.schedule.by_deal(self._winnings_mbb()).mean(axis=1)
        return mean

    def estimate_mbb(self) -> Estimate:
        """What the first competitor wins a hand."""
        return estimate_mean(self.observations_mbb())

    def plain_estimate_mbb(self) -> Estimate:
        """The same, if every hand had been a deal of its own."""
        return estimate_mean(self._winnings_mbb())

    def by_position_mbb(self) -> tuple[Estimate | None, Estimate | None]:
        """The same as player 0 and as player 1 (in hold'em the big blind and the dealer); None where never played."""
        positions = np.array([self.schedule.position_of(hand, 0) for hand in range(self.num_hands)])
        winnings = self._winnings_mbb()
        first, second = (
            estimate_mean(winnings[positions == position]) if np.any(positions == position) else None
            for position in (0, 1)
        )
        return first, second

    def saved_by_duplicate(self) -> float | None:
        """How many times as many hands would be needed without it; None where that cannot be told."""
        with_it, without = self.estimate_mbb().standard_error, self.plain_estimate_mbb().standard_error
        if not self.schedule.is_duplicate or not 0 < with_it < float("inf"):
            return None
        return (without / with_it) ** 2

    def _winnings_mbb(self) -> NDArray[np.float64]:
        return self.winnings_chips.astype(np.float64) * (1000 / self.definition.unit_chips)


def play_hand(
    definition: GameDefinition,
    competitors: tuple[Competitor, Competitor],
    schedule: MatchSchedule,
    hand_number: int,
) -> PlayedHand:
    """One hand of a schedule, the same whichever hands were played before it."""
    deal = schedule.deal(definition, hand_number)
    seats = (schedule.seat_of(hand_number, 0), schedule.seat_of(hand_number, 1))
    players = [competitors[seat].sit_down(schedule.generator(hand_number, seat)) for seat in seats]
    betting = initial_state(definition)
    while betting.actor is not None:
        actor = betting.actor
        betting = betting.apply(players[actor].act(betting, deal.board_at(betting), deal.hole_cards[actor]))
    return PlayedHand(hand_number, deal, betting, (competitors[seats[0]].name, competitors[seats[1]].name))
