"""Exploitability from a sample of flops, with an error bar.

Flops are drawn in proportion to how many each stands for, at equal steps along their order from a random start, so that
every kind of flop gets its share. The best response before the flop is chosen on the flops that were seen, and profits
from their luck:

plug-in        chosen and valued on the whole sample: too large on average
cross-fitted   chosen on every second flop and valued on the others, and the other way round, and the mean of both: too
               small on average, as half of the sample chooses less well
interval       of the plug-in value: 2.5 % to 97.5 % over bootstrap samples, each as many flops drawn with replacement
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from errai.errors import InputError
from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_totals import JudgingCost
from errai.trees.board_deals import choose_in_steps
from errai.trees.sequence_form import Float64Array
from errai.workers.pools import ShouldStop

_NUM_BOOTSTRAPS = 400
_LEAST_FLOPS = 4


@dataclass(frozen=True)
class SampledExploitability:
    """Exploitabilities in mbb per game."""

    flops: int
    plug_in_mbb: float
    cross_fitted_mbb: float
    interval_mbb: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        return {
            "flops": self.flops,
            "plug_in_mbb": self.plug_in_mbb,
            "cross_fitted_mbb": self.cross_fitted_mbb,
            "interval_mbb": list(self.interval_mbb),
        }


class FlopSample:
    """A judge of some flops of a game; the sum over them holds the values of each, [flop][judged][hand][lane]."""

    def __init__(self, judge: BoardByBoardJudge, *, num_flops: int, seed: int = 0) -> None:
        most = sum(judge.multiplicities) // max(judge.multiplicities)
        if not _LEAST_FLOPS <= num_flops <= most:
            raise InputError(
                f"a sample has {_LEAST_FLOPS} to {most} of the {len(judge.multiplicities):,} flops; got `{num_flops}`",
                hint="without `--flops`, all flops are judged",
            )
        self._judge = judge
        self._seed = seed
        start = np.random.default_rng(seed).random()
        self.flops: list[int] = choose_in_steps(judge.multiplicities, num_flops, start=start).tolist()
        self.multiplicities = [judge.multiplicities[flop] for flop in self.flops]

    @property
    def is_for_threads(self) -> bool:
        return self._judge.is_for_threads

    def judge_flop(self, index: int, should_stop: ShouldStop) -> Float64Array:
        """The values of one flop of the sample."""
        flop = self.flops[index]
        return self._judge.judge_flop(flop, should_stop) / self._judge.multiplicities[flop]

    def added(self, total: Float64Array, values: Float64Array) -> Float64Array:
        """The values of the flops so far, and of the next one."""
        before = total if total.ndim else np.empty((0, *values.shape))
        return np.concatenate((before, values[np.newaxis]))

    def finish(self, total: Float64Array) -> Exploitability:
        """The plug-in estimate."""
        return self._judge.finish(self._scaled(total))

    def summarise(self, total: Float64Array) -> SampledExploitability:
        """All estimates."""
        halves = total[::2], total[1::2]
        crossed = [
            self._judge.finish(self._scaled(valued), chosen_by=self._scaled(chosen)).exploitability_mbb
            for chosen, valued in (halves, halves[::-1])
        ]
        low, high = np.quantile(list(self._bootstrap(total)), (0.025, 0.975)).tolist()
        return SampledExploitability(
            flops=len(self.flops),
            plug_in_mbb=self.finish(total).exploitability_mbb,
            cross_fitted_mbb=float(np.mean(crossed)),
            interval_mbb=(low, high),
        )

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """A part of the cost of all flops."""
        whole = self._judge.estimate_cost(num_threads=num_threads)
        share = sum(self.multiplicities) / sum(self._judge.multiplicities)
        return JudgingCost(
            flops=len(self.flops),
            public_states=int(whole.public_states * share),
            memory_bytes=whole.memory_bytes,
            num_threads=num_threads,
            seconds=whole.seconds * share,
        )

    def _scaled(self, values: Float64Array) -> Float64Array:
        """The sum over all flops of the game, as some flops suggest."""
        mean: Float64Array = values.mean(axis=0) * sum(self._judge.multiplicities)
        return mean

    def _bootstrap(self, total: Float64Array) -> Iterator[float]:
        random = np.random.default_rng([self._seed, 1])
        for _ in range(_NUM_BOOTSTRAPS):
            drawn = random.integers(len(total), size=len(total))
            yield self.finish(total[drawn]).exploitability_mbb
