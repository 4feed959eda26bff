"""What every hand does at a public state: the answer of a strategy to the one question it is asked."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errai.games.state import CALL, FOLD, Action, Raise

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class ActionProbabilities:
    """The probabilities of fold, call and raises for all hands; a single row stands for every hand."""

    __slots__ = ("call", "fold", "raise_totals", "raises")

    def __init__(
        self, *, call: ArrayLike, fold: ArrayLike = 0.0, raise_totals: ArrayLike = (), raises: ArrayLike = ()
    ) -> None:
        self.fold: Float64Array = np.atleast_1d(np.asarray(fold, dtype=np.float64))
        self.call: Float64Array = np.atleast_1d(np.asarray(call, dtype=np.float64))
        self.raise_totals: Int64Array = np.atleast_1d(np.asarray(raise_totals, dtype=np.int64))
        self.raises: Float64Array = np.atleast_2d(np.asarray(raises, dtype=np.float64))

    @classmethod
    def of_actions(cls, actions: Sequence[Action], rows: Float64Array) -> Self:
        """From [hand][action]; a hand that the strategy does not know (NaN) calls, or folds where it cannot."""
        call = actions.index(CALL) if CALL in actions else None
        known = np.where(np.isnan(rows), np.eye(len(actions))[call or 0], rows)
        raise_totals = [action.total for action in actions if isinstance(action, Raise)]
        return cls(
            fold=known[:, 0] if FOLD in actions else 0.0,
            call=0.0 if call is None else known[:, call],
            raise_totals=raise_totals,
            raises=known[:, len(actions) - len(raise_totals) :] if raise_totals else (),
        )

    def sample(self, hand: int, generator: np.random.Generator) -> Action:
        """An action of the hand with this number."""
        fold, call = _row(self.fold, hand), _row(self.call, hand)
        point = generator.random()
        if point < fold:
            return FOLD
        raises = _row(self.raises, hand)
        if point < fold + call or not len(raises):
            return CALL
        ends = np.cumsum(raises)
        # Rounding can leave `point` beyond the last end; scaled, it cannot.
        place = (point - fold - call) / (1.0 - fold - call) * ends[-1]
        return Raise(int(self.raise_totals[min(np.searchsorted(ends, place, side="right"), len(ends) - 1)]))


def _row(array: NDArray[Any], hand: int) -> Any:
    return array[0] if len(array) == 1 else array[hand]
