"""Many hands of local best response, in batches (see `errai.play.batches`).

Each deal is played twice, LBR being player 0 and player 1: one observation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from errai.errors import whole_number
from errai.games.strategies import ExploitedStrategy
from errai.play.batches import Batch, DealGoal, RunBatches, play_to_goal, run_here
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_hand import play_lbr_hand
from errai.play.lbr_observations import Observations
from errai.play.local_best_response import LocalBestResponse

_DRAWS_OF_OPPONENT = 1  # sets the generator of the opponent's actions apart from the shuffle's

MakeStrategy = Callable[[], ExploitedStrategy]


@dataclass(frozen=True)
class RunGoal(DealGoal):
    """How many deals are played, of which seed, and when it is enough."""

    seed: int = 0
    estimator: Estimator = Estimator.AIVAT

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", whole_number("seed", self.seed, least=0))

    def half_width_mbb(self, observations: Observations) -> float:
        return observations.estimate_mbb(self.estimator).half_width


def run_local_best_response(
    response: LocalBestResponse,
    make_strategy: MakeStrategy,
    goal: RunGoal,
    *,
    start: Observations | None = None,
    run: RunBatches[Observations] = run_here,
    should_stop: Callable[[Observations], bool] | None = None,
) -> Observations:
    """Play until the goal is reached, or until `should_stop`, which sees all deals after every batch, answers True.

    Every worker of `run` makes a strategy of its own.
    """
    return play_to_goal(
        goal,
        start or Observations.none(unit_chips=response.definition.unit_chips),
        partial(_make_play, response, make_strategy, goal),
        half_width_mbb=goal.half_width_mbb,
        run=run,
        should_stop=should_stop,
    )


def _make_play(
    response: LocalBestResponse, make_strategy: MakeStrategy, goal: RunGoal
) -> Callable[[Batch], Observations]:
    return partial(play_batch, response, make_strategy(), goal)


def play_batch(response: LocalBestResponse, strategy: ExploitedStrategy, goal: RunGoal, batch: Batch) -> Observations:
    """Play every deal of a batch in both seats."""
    definition = response.definition
    with_aivat = goal.estimator is Estimator.AIVAT
    chips = np.zeros((batch.num_deals, 2, len(Estimator)))
    last_round = np.empty((batch.num_deals, 2), dtype=np.int8)
    for row in range(batch.num_deals):
        number = batch.first + row
        deal = response.start.deal(seed=goal.seed, number=number)
        generator = np.random.default_rng((goal.seed, number, _DRAWS_OF_OPPONENT))
        for seat in (0, 1):
            outcome = play_lbr_hand(response, strategy, deal, seat=seat, generator=generator, with_aivat=with_aivat)
            chips[row, seat] = outcome.plain, outcome.imaginary, outcome.aivat
            last_round[row, seat] = outcome.last_round
    return Observations(definition.unit_chips, chips, last_round)
