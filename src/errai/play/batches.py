"""Many deals in batches: in any number of processes, resumable, stopped when the interval is narrow enough.

Deal number i has the same cards and the same draws wherever and whenever it is played, and batches are joined in order.
So the result depends neither on the number of workers nor on where a run was stopped and resumed.

Who plays is decided elsewhere: a runner is given a recipe, which makes the function that plays one batch, and the
batches, and yields the results in order (see `errai.workers`).
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self, TypeVar

from errai.errors import InputError

_BATCH_DEALS = 50
# An interval of few observations may be narrow by chance.
_LEAST_DEALS_TO_STOP = 500


class Batch(NamedTuple):
    """Deals `first` to `first + num_deals - 1` of a seed."""

    first: int
    num_deals: int


class Played(Protocol):
    """What came of some deals in a row."""

    @property
    def num_deals(self) -> int: ...

    def joined(self, later: Self) -> Self:
        """All deals of both."""


AnyPlayed = TypeVar("AnyPlayed", bound=Played)
Result = TypeVar("Result")
MakePlay = Callable[[], Callable[[Batch], Result]]
RunBatches = Callable[[MakePlay[Result], Sequence[Batch]], Generator[Result, None, None]]


@dataclass(frozen=True)
class DealGoal:
    """How many deals are played, and when it is enough."""

    num_deals: int
    until_mbb: float | None = None  # half the width of the 95 % interval

    def __post_init__(self) -> None:
        if self.num_deals < 1:
            raise InputError(f"at least 1 deal must be played; got {self.num_deals}")
        if self.until_mbb is not None and not self.until_mbb > 0:
            raise InputError(f"an interval must be wider than 0 mbb; got {self.until_mbb:g}")

    def is_reached(self, played: AnyPlayed, half_width_mbb: Callable[[AnyPlayed], float]) -> bool:
        """Whether nothing needs to be played any more."""
        if played.num_deals >= self.num_deals:
            return True
        if self.until_mbb is None or played.num_deals < _LEAST_DEALS_TO_STOP:
            return False
        return half_width_mbb(played) <= self.until_mbb

    def batches(self, num_done: int) -> Iterator[Batch]:
        """The batches that remain after the first `num_done` deals."""
        first = num_done
        while first < self.num_deals:
            # Batches end at the same deals wherever a run begins, as the interval is looked at where they end.
            end = min((first // _BATCH_DEALS + 1) * _BATCH_DEALS, self.num_deals)
            yield Batch(first, end - first)
            first = end


def play_to_goal(
    goal: DealGoal,
    start: AnyPlayed,
    make_play: MakePlay[AnyPlayed],
    *,
    half_width_mbb: Callable[[AnyPlayed], float],
    run: RunBatches[AnyPlayed],
    should_stop: Callable[[AnyPlayed], bool] | None = None,
) -> AnyPlayed:
    """Play until the goal is reached, or `should_stop`, which sees all deals so far after every batch, answers True."""
    done = start
    if goal.is_reached(done, half_width_mbb):
        return done
    with closing(run(make_play, list(goal.batches(done.num_deals)))) as batches:
        for played in batches:
            done = done.joined(played)
            if goal.is_reached(done, half_width_mbb) or (should_stop is not None and should_stop(done)):
                break
    return done


def run_here(make_play: MakePlay[Result], batches: Sequence[Batch]) -> Generator[Result, None, None]:
    """Play in this process."""
    yield from map(make_play(), batches)
