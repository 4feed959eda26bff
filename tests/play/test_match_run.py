from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from errai.agents.agent import AgentPlayer
from errai.agents.loading import load_agent
from errai.games.library import load_game
from errai.games.played_hand import PlayedHand
from errai.play.batches import DealGoal
from errai.play.match_run import RoundRobin, play_match, run_round_robin
from errai.play.matches import Competitor
from errai.play.schedule import MatchSchedule
from errai.workers.local_runner import LocalRunner

LEDUC = load_game("leduc")
NAMES = ("seed=1", "random", "seed=2")


def competitors(names: Sequence[str]) -> list[Competitor]:
    return [Competitor(name, partial(AgentPlayer, load_agent(name, LEDUC))) for name in names]


def round_robin(num_hands: int, *, names: tuple[str, ...] = NAMES, is_duplicate: bool = True) -> RoundRobin:
    return RoundRobin(LEDUC, MatchSchedule(num_hands, 5, is_duplicate), names)


MAKE = partial(competitors, NAMES)


@pytest.mark.parametrize("is_duplicate", [False, True], ids=["plain", "duplicate"])
def test_the_numbers_do_not_depend_on_the_number_of_workers(is_duplicate: bool) -> None:
    games = round_robin(460, is_duplicate=is_duplicate)
    alone = run_round_robin(games, MAKE)
    together = run_round_robin(games, MAKE, run=LocalRunner(2).run)
    assert alone.chips.shape == (460, 3)
    assert np.array_equal(alone.chips, together.chips)


def test_a_tournament_is_its_matches_played_alone() -> None:
    games = round_robin(60)
    results = games.results(run_round_robin(games, MAKE))
    first, second, third = competitors(NAMES)
    pairs = [(first, second), (first, third), (second, third)]
    for result, pair in zip(results, pairs, strict=True):
        alone = play_match(LEDUC, pair, games.schedule)
        assert result.names == alone.names
        assert np.array_equal(result.winnings_chips, alone.winnings_chips)


def test_one_that_was_stopped_and_resumed_is_one_that_was_not() -> None:
    games = round_robin(660)
    whole = run_round_robin(games, MAKE)
    part = run_round_robin(games, MAKE, should_stop=lambda played: played.num_deals >= 100)
    assert part.num_deals == 100
    shorter = run_round_robin(round_robin(240), MAKE, start=part)
    assert shorter.num_hands == 240
    resumed = run_round_robin(games, MAKE, start=shorter)
    assert np.array_equal(resumed.chips, whole.chips)


def test_what_was_played_of_a_schedule_is_a_schedule_of_fewer_hands() -> None:
    games = round_robin(600)
    part = run_round_robin(games, MAKE, should_stop=lambda played: played.num_deals >= 50)
    results = games.results(part)
    assert {result.schedule for result in results} == {replace(games.schedule, num_hands=100)}
    assert [result.estimate_mbb().count for result in results] == [50, 50, 50]


def test_it_stops_when_every_interval_is_narrow_enough() -> None:
    games = round_robin(100_000)
    goal = DealGoal(games.schedule.num_deals, until_mbb=110)
    played = run_round_robin(games, MAKE, goal)
    assert games.half_width_mbb(played) <= 110
    assert 500 < played.num_deals < 50_000
    before = replace(played, chips=played.chips[:-100])
    assert games.half_width_mbb(before) > 110


def test_hands_are_told_in_order_from_several_workers_too() -> None:
    games = round_robin(240, names=NAMES[:2])
    make = partial(competitors, NAMES[:2])
    alone: list[PlayedHand] = []
    together: list[PlayedHand] = []
    run_round_robin(games, make, on_hand=alone.append)
    run_round_robin(games, make, on_hand=together.append, run=LocalRunner(2).run)
    assert [hand.number for hand in alone] == list(range(240))
    assert alone == together
