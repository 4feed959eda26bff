"""Deals in batches, played by somebody who only counts them."""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import pytest

from errai.errors import InputError
from errai.play.batches import Batch, DealGoal, play_to_goal, run_here


@dataclass(frozen=True)
class Numbers:
    """The numbers of the deals that were played."""

    deals: tuple[int, ...] = ()

    @property
    def num_deals(self) -> int:
        return len(self.deals)

    def joined(self, later: "Numbers") -> "Numbers":
        return Numbers(self.deals + later.deals)


def count() -> Callable[[Batch], Numbers]:
    return lambda batch: Numbers(tuple(range(batch.first, batch.first + batch.num_deals)))


def narrowing(played: Numbers) -> float:
    return 1000 / math.sqrt(played.num_deals)


@pytest.mark.parametrize("num_before", [0, 1, 50, 119, 120])
def test_every_deal_is_played_once_wherever_a_run_begins(num_before: int) -> None:
    start = Numbers(tuple(range(num_before)))
    played = play_to_goal(DealGoal(120), start, count, half_width_mbb=narrowing, run=run_here)
    assert played == Numbers(tuple(range(120)))


def test_batches_end_at_the_same_deals_wherever_a_run_begins() -> None:
    goal = DealGoal(120)
    assert list(goal.batches(0)) == [(0, 50), (50, 50), (100, 20)]
    assert list(goal.batches(70)) == [(70, 30), (100, 20)]


@pytest.mark.parametrize("num_before", [0, 70, 540])
def test_it_stops_at_the_first_batch_that_is_narrow_enough(num_before: int) -> None:
    start = Numbers(tuple(range(num_before)))
    goal = DealGoal(10_000, until_mbb=42.0)  # 1000 / sqrt(567) is 42.0
    assert play_to_goal(goal, start, count, half_width_mbb=narrowing, run=run_here).num_deals == 600


def test_few_deals_are_never_narrow_enough() -> None:
    goal = DealGoal(10_000, until_mbb=1e9)
    assert play_to_goal(goal, Numbers(), count, half_width_mbb=narrowing, run=run_here).num_deals == 500


def test_whoever_plays_is_told_when_it_is_enough() -> None:
    was_closed = False

    def run(
        make_play: Callable[[], Callable[[Batch], Numbers]], batches: Sequence[Batch]
    ) -> Generator[Numbers, None, None]:
        nonlocal was_closed
        try:
            yield from map(make_play(), batches)
        finally:
            was_closed = True

    seen: list[int] = []

    def should_stop(played: Numbers) -> bool:
        assert not was_closed
        seen.append(played.num_deals)
        return played.num_deals == 150

    goal = DealGoal(1000)
    played = play_to_goal(goal, Numbers(), count, half_width_mbb=narrowing, run=run, should_stop=should_stop)
    assert played.num_deals == 150
    assert seen == [50, 100, 150]
    assert was_closed


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"num_deals": 0}, "at least 1 deal must be played; got 0"),
        ({"num_deals": 1, "until_mbb": 0.0}, "an interval must be wider than 0 mbb; got 0"),
    ],
)
def test_goals_that_make_no_sense_are_refused(goal: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DealGoal(**goal)
