"""Which method is used when none is named."""

from dataclasses import replace
from typing import Any

import pytest

from errai.games.library import load_game
from errai.solutions.solution import Solution
from errai.solutions.solve import solve

ISLAND = load_game("rhode-island")  # 3,937,128 infosets


def solved(game: Any, **settings: Any) -> Solution:
    return solve(game, should_stop=lambda: True, **settings)


def chosen(game: Any, **settings: Any) -> tuple[str, str]:
    method = solved(game, **settings).method
    return method.algorithm, method.precision


def test_large_limit_games_are_solved_with_discounts_in_single_precision() -> None:
    assert chosen(ISLAND) == ("dcfr+", "float32")


def test_small_games_keep_cfr_plus_in_double_precision() -> None:
    assert chosen("leduc") == ("cfr+", "float64")
    assert chosen(replace(ISLAND, num_ranks=5)) == ("cfr+", "float64")


def test_no_limit_spots_are_solved_with_discounts_of_negative_regrets() -> None:
    river = {"board": "2s3h4d6c7c", "pot": 20, "stack": 10, "range_bb": "AA,QQ", "range_dealer": "KK", "bets": "a"}
    method = solved("holdem.nolimit.2p", **river).method
    assert (method.algorithm, method.precision) == ("dcfr", "float32")
    assert method.describe() == "dcfr, alpha 1.4, beta 0.2, gamma 5"
    assert solved("holdem.nolimit.2p", gamma=3, **river).method.describe() == "dcfr, alpha 1.4, beta 0.2, gamma 3"
    assert chosen("holdem.nolimit.2p", precision="uint16", **river) == ("dcfr", "uint16")
    assert chosen("holdem.limit.2p", board="Ks8s3d7h2c", betting="rc/cc/cc/") == ("dcfr+", "float32")


def test_a_named_algorithm_is_computed_in_double_precision() -> None:
    assert chosen(ISLAND, algorithm="cfr+") == ("cfr+", "float64")


def test_a_large_game_that_lanes_cannot_play_keeps_the_method_of_the_flat_engine() -> None:
    stacked = replace(ISLAND, num_ranks=6, num_suits=2, max_raises=(1, 2, 1), stacks=(1000, 1000))
    assert chosen(stacked, engine="flat") == ("cfr+", "float64")
    assert chosen("leduc", sampling="external") == ("cfr", "float64")


def test_only_the_strategy_of_the_goal_is_measured_in_a_large_game() -> None:
    solution = solve(ISLAND, iterations=1)
    assert [point.current_mbb for point in solution.trace] == [None]
    assert solution.trace[0].average_mbb is not None


@pytest.mark.slow
def test_limit_flop_holdem_is_solved_below_1_mbb_within_250_iterations() -> None:
    # figures.md, section 8; about a minute on two cores.
    solution = solve("flop-holdem", target_mbb=1)
    assert solution.iteration <= 250
    assert solution.plan.num_infosets == 72_061_704
    assert solution.exploitability().exploitability_mbb < 1
    low, high = solution.exploitability().value_bounds_chips  # for the big blind, who pays the dealer
    assert 53.5 <= -high / 100 * 1000 < -low / 100 * 1000 <= 55.5
