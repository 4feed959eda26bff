"""Many hands of a match, or of all matches of a tournament, in batches (see `errai.play.batches`).

Every two competitors play a match, all on the same deals. A batch is played by all of them before the next one begins,
so wherever a tournament is stopped, everybody has played the same deals.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.spot import Spot
from errai.play.batches import Batch, DealGoal, MakePlay, RunBatches, play_to_goal, run_here
from errai.play.hand_start import HandStart
from errai.play.matches import Competitor, MatchResult, play_scheduled_hand
from errai.play.schedule import MatchSchedule

MakeCompetitors = Callable[[], Sequence[Competitor]]


@dataclass(frozen=True, eq=False)
class Winnings:
    """What the first competitor of each match won, hand by hand from the first."""

    hands_per_deal: int
    chips: NDArray[np.float64]  # [hand][match]
    rake_chips: NDArray[np.float64]  # what the house took, [hand][match]
    hands: tuple[PlayedHand, ...] = ()  # as they were played, where that was asked for

    @property
    def num_hands(self) -> int:
        """Of each match."""
        return len(self.chips)

    @property
    def num_deals(self) -> int:
        return self.num_hands // self.hands_per_deal

    def joined(self, later: "Winnings") -> "Winnings":
        """All deals of both."""
        rake = np.concatenate((self.rake_chips, later.rake_chips))
        return Winnings(self.hands_per_deal, np.concatenate((self.chips, later.chips)), rake)


@dataclass(frozen=True)
class RoundRobin:
    """Everybody plays everybody on the deals of one schedule; of two competitors, that is a match."""

    definition: GameDefinition
    schedule: MatchSchedule
    names: tuple[str, ...]
    spot: Spot | None = None  # where every hand begins; None for the start of the game

    @cached_property
    def start(self) -> HandStart:
        return HandStart(self.definition, self.spot)

    @property
    def num_matches(self) -> int:
        return len(self.names) * (len(self.names) - 1) // 2

    def none_played(self) -> Winnings:
        """The state before the first hand."""
        none = np.empty((0, self.num_matches))
        return Winnings(self.schedule.hands_per_deal, none, none)

    def results(self, winnings: Winnings) -> list[MatchResult]:
        """The matches, as far as they were played."""
        played = replace(self.schedule, num_hands=winnings.num_hands)
        pairs = combinations(self.names, 2)
        return [
            MatchResult(self.definition, played, pair, winnings.chips[:, i], winnings.rake_chips[:, i])
            for i, pair in enumerate(pairs)
        ]

    def half_width_mbb(self, winnings: Winnings) -> float:
        """Of the 95 % interval that is the widest."""
        return max(result.estimate_mbb().half_width for result in self.results(winnings))

    def play_batch(self, competitors: Sequence[Competitor], batch: Batch, *, with_hands: bool) -> Winnings:
        """Play the deals of a batch in all matches."""
        first = batch.first * self.schedule.hands_per_deal
        num_hands = batch.num_deals * self.schedule.hands_per_deal
        chips, rake = np.empty((2, num_hands, self.num_matches))
        hands: list[PlayedHand] = []
        for row, hand_number in enumerate(range(first, first + num_hands)):
            position = self.schedule.position_of(hand_number, 0)
            for match, pair in enumerate(combinations(competitors, 2)):
                hand = play_scheduled_hand(self.start, pair, self.schedule, hand_number)
                chips[row, match] = hand.payoffs_chips[position]
                rake[row, match] = -sum(hand.payoffs_chips)
                if with_hands:
                    hands.append(hand)
        return Winnings(self.schedule.hands_per_deal, chips, rake, tuple(hands))


def run_round_robin(
    games: RoundRobin,
    make_competitors: MakeCompetitors,
    goal: DealGoal | None = None,
    *,
    start: Winnings | None = None,
    run: RunBatches[Winnings] = run_here,
    should_stop: Callable[[Winnings], bool] | None = None,
    on_hand: Callable[[PlayedHand], None] | None = None,
) -> Winnings:
    """Play until the goal (without one, the whole schedule) is reached, or until `should_stop` answers True.

    Every worker of `run` makes competitors of its own. `on_hand` gets all hands in order.
    """

    def run_and_pass_on(make_play: MakePlay[Winnings], batches: Sequence[Batch]) -> Generator[Winnings, None, None]:
        with closing(run(make_play, batches)) as results:
            for played in results:
                for hand in played.hands:
                    assert on_hand is not None
                    on_hand(hand)
                yield played

    return play_to_goal(
        goal or DealGoal(games.schedule.num_deals),
        start or games.none_played(),
        partial(_make_play, games, make_competitors, with_hands=on_hand is not None),
        half_width_mbb=games.half_width_mbb,
        run=run_and_pass_on,
        should_stop=should_stop,
    )


def play_match(
    definition: GameDefinition,
    competitors: tuple[Competitor, Competitor],
    schedule: MatchSchedule,
    *,
    on_hand: Callable[[PlayedHand], None] | None = None,
) -> MatchResult:
    """Play every hand of a match in this process, in order."""
    games = RoundRobin(definition, schedule, (competitors[0].name, competitors[1].name))
    (result,) = games.results(run_round_robin(games, lambda: competitors, on_hand=on_hand))
    return result


def _make_play(
    games: RoundRobin, make_competitors: MakeCompetitors, *, with_hands: bool
) -> Callable[[Batch], Winnings]:
    return partial(games.play_batch, make_competitors(), with_hands=with_hands)
