"""CFR over a whole game that is cut at the flop.

One iteration is two passes: the second player's regrets are updated, then the first player's. A pass:

1. on top, the opponent's strategy of the first round gives the reach of every betting sequence that leads to a flop;
2. every flop, on its own: its tree is walked section by section, its regrets are updated, its values come back;
3. on top, the values are added up in the order of the flops, and the regrets of the first round are updated.

The numbers of the first round stay in memory; those of a flop are wherever its sections are kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.solvers.lane_steps import weighs_average, weighs_regrets
from errai.solvers.variants import Variant
from errai.trees.lane_arrays import LaneArray
from errai.trees.whole_game import WholeGame, first_round_values

Float32Array = NDArray[np.float32]
PASSES_PER_ITERATION = 2


def verify_streams(variant: Variant) -> None:
    """Raise an `InputError` unless unreachable states stay unchanged and the regrets are the strategy."""
    if not variant.floor or variant.predictive or variant.final_exponents is not None:
        raise InputError(
            f"`{variant.name}` cannot be solved from disk: its regrets can be negative, or are not its strategy",
            hint="use `cfr+` or `dcfr+`",
        )
    if not (weighs_regrets(variant) and weighs_average(variant)):
        raise InputError(
            f"from disk, `alpha` must be at least 1 and `gamma` at most 5; got `{variant.exponents.alpha:g}` and "
            f"`{variant.exponents.gamma:g}`",
            hint="leave both out: `dcfr+` has 1.5 and 4",
        )


def player_of_pass(pass_number: int) -> int:
    """Whose regrets pass `pass_number`, counted from 1, updates: the second player's first."""
    return pass_number % PASSES_PER_ITERATION


def iteration_of_pass(pass_number: int) -> int:
    """The iteration, counted from 1, that a pass belongs to."""
    return (pass_number + 1) // PASSES_PER_ITERATION


@dataclass(frozen=True)
class PreflopState:
    """The numbers of the first round, one array a player."""

    regrets: tuple[Float32Array, Float32Array]
    average: tuple[Float32Array, Float32Array] | None

    @classmethod
    def zeros(cls, game: WholeGame, *, with_average: bool) -> "PreflopState":
        first, second, *more = (
            np.zeros(first_round_values(game.top, player), dtype=np.float32)
            for _ in range(1 + with_average)
            for player in (0, 1)
        )
        return cls((first, second), (more[0], more[1]) if more else None)

    def arrays(self) -> dict[str, Float32Array]:
        """Everything by name, to be kept."""
        named = {f"regrets_{player}": self.regrets[player] for player in (0, 1)}
        if self.average is not None:
            named |= {f"average_{player}": self.average[player] for player in (0, 1)}
        return named

    @classmethod
    def from_arrays(cls, named: Mapping[str, Float32Array]) -> "PreflopState":
        average = (named["average_0"], named["average_1"]) if "average_0" in named else None
        return cls((named["regrets_0"], named["regrets_1"]), average)

    def weights(self, strategy: str) -> tuple[LaneArray, LaneArray]:
        """The `current` or the `average` strategy of the first round as `node_values` reads it."""
        pair = self.average if strategy == "average" else self.regrets
        assert pair is not None
        return LaneArray(pair[0]), LaneArray(pair[1])
