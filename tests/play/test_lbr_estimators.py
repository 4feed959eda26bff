"""The three estimates of a hand of local best response, where the truth is known."""

import numpy as np
import pytest

from errai.agents.agent import CheckedAgent
from errai.agents.loading import load_agent
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState
from errai.games.strategies import ExploitedStrategy
from errai.play.bet_sets import parse_bets
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_observations import Observations
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from reference.local_best_response import exact_value_chips

LEDUC = load_game("leduc")
NO_LIMIT = load_game("holdem.nolimit.2p")

# No limit and unequal stacks, so that an all-in is not always matched whole.
UNEQUAL = GameDefinition(
    name="unequal",
    is_limit=False,
    blinds=(2, 1),
    first_player=(1, 0),
    num_suits=2,
    num_ranks=3,
    num_hole_cards=1,
    num_board_cards=(0, 1),
    stacks=(14, 9),
)


class Estimating:
    """Tells that it calls half the time, and folds a little more often than that."""

    name = "estimating"

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        return self._with_fold(state, np.linspace(0.2, 0.8, 6))

    def played_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        return self._with_fold(state, np.linspace(0.3, 0.1, 6))

    def _with_fold(self, state: BettingState, fold: np.ndarray) -> ActionProbabilities:
        return ActionProbabilities(fold=fold, call=1 - fold) if state.can_fold() else ActionProbabilities(call=1.0)


def observe(
    strategy: ExploitedStrategy,
    definition: GameDefinition,
    *,
    bets: str = "fcpa",
    rounds: set[int] | None = None,
    num_deals: int = 1000,
    seed: int = 1,
) -> Observations:
    active = frozenset(range(definition.num_rounds) if rounds is None else rounds)
    response = LocalBestResponse(definition, parse_bets(bets), active)
    return run_local_best_response(response, lambda: strategy, RunGoal(num_deals, seed=seed))


@pytest.mark.parametrize("definition", [LEDUC, UNEQUAL], ids=["leduc", "unequal"])
@pytest.mark.parametrize("name", ["seed=1", "random"])
def test_every_estimate_has_the_exact_mean(definition: GameDefinition, name: str) -> None:
    agent = load_agent(name, definition)
    response = LocalBestResponse(definition, parse_bets("fcpa"), frozenset({0, 1}))
    observations = observe(agent, definition)
    for seat in (0, 1):
        exact_mbb = exact_value_chips(response, agent, seat=seat) * 1000 / definition.unit_chips
        for estimator in Estimator:
            found = observations.estimate_of_seat_mbb(estimator, seat)
            # Four standard errors are passed by chance once in 16,000 seeds; this seed is fixed.
            assert found.mean == pytest.approx(exact_mbb, abs=4 * found.standard_error)


@pytest.mark.parametrize("name", ["seed=1", "random"])
def test_imaginary_observations_and_aivat_narrow_the_interval(name: str) -> None:
    observations = observe(load_agent(name, LEDUC), LEDUC)
    plain, imaginary, aivat = (observations.estimate_mbb(estimator).half_width for estimator in Estimator)
    assert imaginary < plain
    assert aivat < 0.8 * plain


def test_duplicate_deals_narrow_the_interval_of_plain_winnings() -> None:
    observations = observe(load_agent("call-or-raise", LEDUC), LEDUC)
    alone = observations.estimate_without_duplicates_mbb(Estimator.PLAIN)
    together = observations.estimate_mbb(Estimator.PLAIN)
    assert together.half_width < 0.9 * alone.half_width
    assert together.mean == pytest.approx(alone.mean)


def test_a_strategy_that_tells_estimates_is_played_as_it_is_and_not_as_it_tells() -> None:
    agent = CheckedAgent(Estimating())
    assert agent.tells_estimates
    observations = observe(agent, UNEQUAL, num_deals=1500)
    plain, imaginary, aivat = (observations.estimate_mbb(estimator) for estimator in Estimator)
    # All are about what happened: LBR's mistaken beliefs cost it, but do not bias what is counted.
    assert imaginary.mean == pytest.approx(plain.mean, abs=4 * plain.standard_error)
    assert aivat.mean == pytest.approx(plain.mean, abs=4 * plain.standard_error)


# figures.md, section 6, exact: big blinds a hand that LBR wins against always-call with fold, call, pot and all-in.
@pytest.mark.parametrize(("rounds", "exact_bb"), [({0, 1, 2, 3}, 33.790582), ({2, 3}, 48.634621)])
def test_against_always_call_it_wins_the_exact_figures(rounds: set[int], exact_bb: float) -> None:
    observations = observe(load_agent("always-call", NO_LIMIT), NO_LIMIT, rounds=rounds, num_deals=500, seed=4)
    estimate = observations.estimate_mbb(Estimator.AIVAT).scaled(1e-3)
    assert estimate.mean == pytest.approx(exact_bb, abs=estimate.half_width)
    assert estimate.half_width < 4.0


def test_always_call_loses_nothing_to_fold_and_call() -> None:
    observations = observe(load_agent("always-call", NO_LIMIT), NO_LIMIT, bets="fc", num_deals=50)
    assert observations.estimate_mbb(Estimator.PLAIN).mean == 0.0
    assert not observations.chips[:, :, Estimator.AIVAT].any()


def test_always_fold_loses_the_blinds_in_every_hand() -> None:
    observations = observe(load_agent("always-fold", NO_LIMIT), NO_LIMIT, num_deals=20)
    # As big blind LBR is given the small blind at once; as dealer it raises and wins the big blind.
    assert np.unique(observations.chips[:, 0, Estimator.PLAIN]).tolist() == [50.0]
    assert np.unique(observations.chips[:, 1, Estimator.PLAIN]).tolist() == [100.0]
