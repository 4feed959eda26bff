from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errai.agents.loading import load_agent
from errai.errors import AgentError, InputError
from errai.games.library import load_game
from errai.play.bet_sets import parse_bets
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_observations import Observations
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from errai.workers.local_runner import LocalRunner

LEDUC = load_game("leduc")
RESPONSE = LocalBestResponse(LEDUC, parse_bets("fcpa"), frozenset({0, 1}))
MAKE_AGENT = partial(load_agent, "random", LEDUC)


def equal(first: Observations, second: Observations) -> bool:
    return np.array_equal(first.chips, second.chips) and np.array_equal(first.last_round, second.last_round)


def test_the_numbers_do_not_depend_on_the_number_of_workers() -> None:
    goal = RunGoal(230, seed=5)
    alone = run_local_best_response(RESPONSE, MAKE_AGENT, goal)
    together = run_local_best_response(RESPONSE, MAKE_AGENT, goal, run=LocalRunner(2).run)
    assert alone.num_deals == 230
    assert equal(alone, together)


def test_a_run_that_was_stopped_and_resumed_is_one_that_was_not() -> None:
    goal = RunGoal(330, seed=5)
    whole = run_local_best_response(RESPONSE, MAKE_AGENT, goal)
    part = run_local_best_response(RESPONSE, MAKE_AGENT, goal, should_stop=lambda done: done.num_deals >= 100)
    assert part.num_deals == 100
    shorter = run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(120, seed=5), start=part)
    assert shorter.num_deals == 120
    assert equal(run_local_best_response(RESPONSE, MAKE_AGENT, goal, start=shorter), whole)


def test_it_stops_where_the_interval_is_narrow_enough_wherever_it_was_resumed() -> None:
    until = RunGoal(100_000, seed=5, until_mbb=200)
    whole = run_local_best_response(RESPONSE, MAKE_AGENT, until)
    assert whole.estimate_mbb(Estimator.AIVAT).half_width <= 200
    assert 500 <= whole.num_deals < 100_000
    before = Observations(whole.unit_chips, whole.chips[:-50], whole.last_round[:-50])
    assert not until.is_reached(before, until.half_width_mbb)
    started = run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(120, seed=5))
    assert equal(run_local_best_response(RESPONSE, MAKE_AGENT, until, start=started), whole)


def test_other_seeds_are_other_hands() -> None:
    first, second = (run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(50, seed=seed)) for seed in (1, 2))
    assert not equal(first, second)


def test_a_finished_run_is_not_played_on() -> None:
    done = run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(60))
    assert run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(50), start=done) is done


def test_what_an_agent_does_wrong_is_told_from_a_worker_too(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("class Bot:\n    def action_probabilities(self, state, board):\n        return 7\n")
    make_agent = partial(load_agent, f"{path}:Bot", LEDUC)
    for num_workers in (1, 2):
        with pytest.raises(AgentError, match="agent `Bot` answered with a `int` instead of `ActionProbabilities`"):
            run_local_best_response(RESPONSE, make_agent, RunGoal(60), run=LocalRunner(num_workers).run)


def test_the_round_of_the_last_action_shares_out_the_mean() -> None:
    done = run_local_best_response(RESPONSE, MAKE_AGENT, RunGoal(200))
    shares, parts = zip(*(done.share_of_round_mbb(Estimator.AIVAT, round) for round in (0, 1)), strict=True)
    assert sum(shares) == pytest.approx(1.0)
    assert min(shares) > 0.1
    assert sum(parts) == pytest.approx(done.estimate_mbb(Estimator.AIVAT).mean)


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"num_deals": 0}, "at least 1 deal must be played; got 0"),
        ({"num_deals": 1, "seed": -1}, "`seed` must not be negative; got `-1`"),
        ({"num_deals": 1, "until_mbb": 0.0}, "wider than 0 mbb; got 0"),
    ],
)
def test_goals_that_make_no_sense_are_refused(goal: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RunGoal(**goal)
