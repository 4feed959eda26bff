"""What local best response wins, no best response wins less: with the exact one beside it, in whole limit games."""

import pytest

import errai
from errai.agents.baselines import BASELINES
from errai.agents.loading import load_agent
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.play.bet_sets import parse_bets
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_observations import Observations
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse

# Of the 95 % interval's half width. Chance would break it once in 16,000 comparisons; the seed is fixed.
_HALF_WIDTHS = 2

# With one size of raise, a clipped raise is a raise.
AGENTS = [name for name in BASELINES if name != "call-or-clipped-raise"]


def play(definition: GameDefinition, agent: str, num_deals: int) -> Observations:
    response = LocalBestResponse(definition, parse_bets("fcpa"), frozenset(range(definition.num_rounds)))
    return run_local_best_response(response, lambda: load_agent(agent, definition), RunGoal(num_deals))


def assert_below(game: str, agent: str, *, num_deals: int) -> None:
    definition = load_game(game)
    observed = play(definition, agent, num_deals)
    exact = errai.exploitability(definition, load_agent(agent, definition).agent)
    for seat in (0, 1):
        estimate = observed.estimate_of_seat_mbb(Estimator.AIVAT, seat)
        assert estimate.mean - _HALF_WIDTHS * estimate.half_width <= exact.best_response_mbb[seat] + 1e-9
        assert estimate.half_width < 0.5 * max(exact.best_response_mbb), "so wide that it says nothing"


@pytest.mark.parametrize("agent", [*AGENTS, "seed=3"])
def test_in_leduc(agent: str) -> None:
    assert_below("leduc", agent, num_deals=400)


@pytest.mark.parametrize("agent", AGENTS)
def test_in_a_game_with_four_rounds(agent: str) -> None:
    assert_below("royal", agent, num_deals=100)


def test_against_a_calling_station_in_leduc_it_wins_what_the_best_response_wins() -> None:
    # Every raise is called and nobody else raises, so what a raise adds depends on the edge alone: looking one action
    # ahead is enough.
    estimate = play(load_game("leduc"), "always-call", 1000).estimate_mbb(Estimator.AIVAT)
    exact = errai.exploitability("leduc", "call=1").exploitability_mbb
    assert abs(estimate.mean - exact) <= _HALF_WIDTHS * estimate.half_width + 1e-9
