from functools import partial

import numpy as np
import pytest

from errai.agents.agent import AgentPlayer
from errai.agents.loading import load_agent
from errai.errors import InputError
from errai.games.library import load_game
from errai.play.matches import Competitor, MatchResult
from errai.play.schedule import MatchSchedule
from errai.play.tournaments import Tournament, play_tournament

LIMIT = load_game("holdem.limit.2p")


def match(first: str, second: str, *winnings_chips: int) -> MatchResult:
    """A match in which the first one won this much on each deal."""
    schedule = MatchSchedule(len(winnings_chips), 1)
    won = np.array(winnings_chips, dtype=np.float64)
    return MatchResult(LIMIT, schedule, (first, second), won, np.zeros(len(won)))


# `shark` beats everybody a little; `bully` loses to it, but wins far more from `fish`.
TOURNAMENT = Tournament(
    ["fish", "bully", "shark"],
    [
        match("fish", "bully", -50, -70, -60, -60),
        match("fish", "shark", -10, -10, -5, -15),
        match("bully", "shark", -8, -12, -10, -10),
    ],
)


def test_bankroll_ranks_by_the_mean_over_opponents() -> None:
    standings = TOURNAMENT.bankroll()
    assert [standing.name for standing in standings] == ["bully", "shark", "fish"]
    assert [standing.mean_mbb.mean for standing in standings] == [2500.0, 1000.0, -3500.0]


def test_instant_runoff_removes_the_worst_until_one_is_left() -> None:
    rounds = TOURNAMENT.instant_runoff()
    assert [[standing.name for standing in standings] for standings in rounds] == [
        ["bully", "shark", "fish"],
        ["shark", "bully"],
    ]
    assert rounds[1][0].mean_mbb.mean == 1000.0


def test_the_interval_of_a_mean_over_opponents_is_that_of_its_deals() -> None:
    fish = TOURNAMENT.bankroll()[-1]
    by_deal = np.array([(-50 - 10) / 2, (-70 - 10) / 2, (-60 - 5) / 2, (-60 - 15) / 2]) * 100
    assert fish.mean_mbb.standard_error == pytest.approx(by_deal.std(ddof=1) / 2)
    assert fish.mean_mbb.count == 4


def test_the_lead_over_the_next_has_the_interval_of_the_differences() -> None:
    shark, bully = TOURNAMENT.instant_runoff()[1]
    assert shark.lead_mbb is not None
    # Head to head, one wins what the other loses: the lead is twice the mean, and so is its error.
    assert shark.lead_mbb.mean == 2 * shark.mean_mbb.mean
    assert shark.lead_mbb.standard_error == pytest.approx(2 * shark.mean_mbb.standard_error)
    assert bully.lead_mbb is None


def test_what_one_wins_the_other_loses() -> None:
    for name in TOURNAMENT.names:
        for other in set(TOURNAMENT.names) - {name}:
            won, lost = TOURNAMENT.result_mbb(name, other), TOURNAMENT.result_mbb(other, name)
            assert (won.mean, won.standard_error) == (-lost.mean, lost.standard_error)


def test_everybody_plays_everybody_on_the_same_deals() -> None:
    names = ("always-raise", "always-fold", "always-call")
    competitors = [Competitor(name, partial(AgentPlayer, load_agent(name, LIMIT))) for name in names]
    tournament = play_tournament(LIMIT, competitors, MatchSchedule(20, 1, is_duplicate=True))
    assert [result.names for result in tournament.matches] == [
        ("always-raise", "always-fold"),
        ("always-raise", "always-call"),
        ("always-fold", "always-call"),
    ]
    assert tournament.result_mbb("always-raise", "always-fold").mean == 750.0
    assert len({result.schedule for result in tournament.matches}) == 1


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b", "a"]])
def test_competitors_need_names_of_their_own(names: list[str]) -> None:
    competitors = [Competitor(name, partial(AgentPlayer, load_agent("always-call", LIMIT))) for name in names]
    with pytest.raises(InputError, match=r"^a tournament needs two or more competitors of different names; got `"):
        play_tournament(LIMIT, competitors, MatchSchedule(2, 1))
