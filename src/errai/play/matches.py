"""Matches between two competitors, and their result: a mean with its interval.

1. The schedule says which cards a hand is played with and who sits where (see `errai.play.schedule`).
2. Each competitor is seated for one hand with random numbers of its own, so that every hand can be played again alone.
3. An observation is what the first competitor wins on a deal: in a duplicate match, the mean of its two hands.

Duplicate play saves hands because most of the luck of a deal is the same on both sides of it. To show how much it
saved, its interval is compared with the one that the same hands would give if each were a deal of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.evaluate.statistics import Estimate, estimate_mean
from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.play.hand_loop import HandWatcher, Player, play_hand
from errai.play.hand_start import HandStart
from errai.play.schedule import MatchSchedule
from errai.reports.match import MatchReport


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
    winnings_chips: NDArray[np.float64]  # of the first competitor, by the number of the hand
    rake_chips: NDArray[np.float64]  # what the house took

    @property
    def num_hands(self) -> int:
        return len(self.winnings_chips)

    @property
    def total_chips(self) -> tuple[float, float]:
        """What each competitor won over the match."""
        first, rake = float(self.winnings_chips.sum()), float(self.rake_chips.sum())
        return first, -first - rake

    def observations_mbb(self) -> NDArray[np.float64]:
        """What the first competitor won per hand, for each deal."""
        return self._by_deal_mbb(self.winnings_chips)

    def opponent_observations_mbb(self) -> NDArray[np.float64]:
        """What the second competitor won per hand, for each deal."""
        return self._by_deal_mbb(-self.winnings_chips - self.rake_chips)

    def estimate_mbb(self) -> Estimate:
        """What the first competitor wins per hand."""
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
        """How many times as many hands would be needed without it; None where that is not known."""
        with_it, without = self.estimate_mbb().standard_error, self.plain_estimate_mbb().standard_error
        if not self.schedule.is_duplicate or not 0 < with_it < float("inf"):
            return None
        return (without / with_it) ** 2

    def report(self, *, game: str, seconds: float = 0.0, hands_per_second: float = 0.0) -> MatchReport:
        """The result as plain data; `game` names the game or the spot."""
        return MatchReport(
            definition=self.definition,
            game=game,
            agents=self.names,
            seed=self.schedule.seed,
            duplicate=self.schedule.is_duplicate,
            hands=self.num_hands,
            wins_mbb=self.estimate_mbb(),
            by_seat_mbb=self.by_position_mbb(),
            plain_mbb=self.plain_estimate_mbb(),
            duplicate_saved=self.saved_by_duplicate(),
            winnings_chips=self.total_chips,
            seconds=seconds,
            hands_per_second=hands_per_second,
        )

    def _winnings_mbb(self) -> NDArray[np.float64]:
        return self.winnings_chips * (1000 / self.definition.unit_chips)

    def _by_deal_mbb(self, chips: NDArray[np.float64]) -> NDArray[np.float64]:
        mbb = chips * (1000 / self.definition.unit_chips)
        mean: NDArray[np.float64] = self.schedule.by_deal(mbb).mean(axis=1)
        return mean


def play_scheduled_hand(
    start: HandStart, competitors: tuple[Competitor, Competitor], schedule: MatchSchedule, hand_number: int
) -> PlayedHand:
    """One hand of a schedule, the same whichever hands were played before it."""
    deal = schedule.deal(start, hand_number)
    first, second = schedule.seat_of(hand_number, 0), schedule.seat_of(hand_number, 1)
    players = (
        competitors[first].sit_down(schedule.generator(hand_number, first)),
        competitors[second].sit_down(schedule.generator(hand_number, second)),
    )
    betting = play_hand(start.state, deal, players)
    for position, player in enumerate(players):
        if isinstance(player, HandWatcher):
            player.see_end(position, betting, deal)
    return PlayedHand(hand_number, deal, betting, (competitors[first].name, competitors[second].name))
