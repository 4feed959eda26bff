"""Many hands of local best response: in batches, over processes, resumable, stopped when the interval is narrow enough.

Deal number i has the same cards and the same draws of the opponent whoever plays it and whenever, and batches are put
together in order. So a run gives the same numbers whatever the number of workers, and one that was stopped and resumed
gives those of one that was not. Each deal is played twice, LBR being player 0 and player 1: one observation.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from errai.errors import InputError
from errai.evaluate.lbr_hand import play_hand
from errai.evaluate.lbr_observations import Estimator, Observations
from errai.evaluate.local_best_response import JudgedStrategy, LocalBestResponse
from errai.games.played_hand import shuffle_deal

_BATCH_DEALS = 50
# An interval of few observations may be narrow by chance.
_LEAST_DEALS_TO_STOP = 500
_DRAWS_OF_OPPONENT = 1  # tells the generator of the opponent's actions from the shuffle's

MakeStrategy = Callable[[], JudgedStrategy]


class Batch(NamedTuple):
    """Deals `first` to `first + num_deals - 1` of a seed."""

    first: int
    num_deals: int
    seed: int
    with_aivat: bool


@dataclass(frozen=True)
class RunGoal:
    """How many deals are played, of which seed, and when it is enough."""

    num_deals: int
    seed: int = 0
    estimator: Estimator = Estimator.AIVAT
    until_mbb: float | None = None  # half the width of the 95 % interval

    def __post_init__(self) -> None:
        if self.num_deals < 1:
            raise InputError(f"at least 1 deal must be played; got {self.num_deals}")
        if self.seed < 0:
            raise InputError(f"`seed` must not be negative; got {self.seed}")
        if self.until_mbb is not None and not self.until_mbb > 0:
            raise InputError(f"an interval must be wider than 0 mbb; got {self.until_mbb:g}")

    def is_reached(self, observations: Observations) -> bool:
        """Whether nothing needs to be played any more."""
        if observations.num_deals >= self.num_deals:
            return True
        if self.until_mbb is None or observations.num_deals < _LEAST_DEALS_TO_STOP:
            return False
        return observations.estimate_mbb(self.estimator).half_width <= self.until_mbb

    def batches(self, num_done: int) -> Iterator[Batch]:
        """What is still to be played after the first `num_done` deals."""
        first = num_done
        while first < self.num_deals:
            # Batches end at the same deals wherever a run begins, as the interval is looked at where they end.
            end = min((first // _BATCH_DEALS + 1) * _BATCH_DEALS, self.num_deals)
            yield Batch(first, end - first, self.seed, with_aivat=self.estimator is Estimator.AIVAT)
            first = end


def run_local_best_response(
    response: LocalBestResponse,
    make_strategy: MakeStrategy,
    goal: RunGoal,
    *,
    start: Observations | None = None,
    num_workers: int = 1,
    should_stop: Callable[[Observations], bool] | None = None,
) -> Observations:
    """Play until the goal is reached, or until `should_stop`, which sees all there is after every batch, answers True.

    With several workers each process makes a strategy of its own, so `make_strategy` must be picklable.
    """
    done = start or Observations.none(unit_chips=response.definition.small_bet_chips)
    if goal.is_reached(done):
        return done
    batches = list(goal.batches(done.num_deals))
    for played in _play_in_order(response, make_strategy, batches, num_workers=min(num_workers, len(batches))):
        done = done.joined(played)
        if goal.is_reached(done) or (should_stop is not None and should_stop(done)):
            break
    return done


def play_batch(response: LocalBestResponse, strategy: JudgedStrategy, batch: Batch) -> Observations:
    """Play every deal of a batch in both seats."""
    definition = response.definition
    chips = np.zeros((batch.num_deals, 2, len(Estimator)))
    last_round = np.empty((batch.num_deals, 2), dtype=np.int8)
    for row in range(batch.num_deals):
        number = batch.first + row
        deal = shuffle_deal(definition, seed=batch.seed, number=number)
        generator = np.random.default_rng((batch.seed, number, _DRAWS_OF_OPPONENT))
        for seat in (0, 1):
            outcome = play_hand(response, strategy, deal, seat=seat, generator=generator, with_aivat=batch.with_aivat)
            chips[row, seat] = outcome.plain, outcome.imaginary, outcome.aivat
            last_round[row, seat] = outcome.last_round
    return Observations(definition.small_bet_chips, chips, last_round)


def _play_in_order(
    response: LocalBestResponse, make_strategy: MakeStrategy, batches: Iterable[Batch], *, num_workers: int
) -> Iterator[Observations]:
    if num_workers == 1:
        strategy = make_strategy()
        yield from (play_batch(response, strategy, batch) for batch in batches)
        return
    # Not forked: threads of NumPy or of the caller would be copied in the middle of whatever they do.
    with ProcessPoolExecutor(
        num_workers, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(response, make_strategy)
    ) as pool:
        waiting: deque[Future[Observations]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_work, batch))
                if len(waiting) > 2 * num_workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


# What a worker process plays, made once when it starts.
_worker: tuple[LocalBestResponse, JudgedStrategy] | None = None


def _start_worker(response: LocalBestResponse, make_strategy: MakeStrategy) -> None:
    global _worker
    # Ctrl-C is for the process that asked; it stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = response, make_strategy()


def _work(batch: Batch) -> Observations:
    assert _worker is not None
    return play_batch(*_worker, batch)
