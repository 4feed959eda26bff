"""The arrays of a saved solution before anybody has read them."""

from collections.abc import Mapping
from dataclasses import dataclass

from errai.errors import InputError
from errai.solutions.method import Method
from errai.solutions.schedule import StrategyKind
from errai.storage.solution_directory import StoredArrays
from errai.trees.lane_arrays import LaneArray


@dataclass(frozen=True)
class SavedState:
    """What `state_arrays` of a solver gave after `iteration` iterations, as files."""

    arrays: StoredArrays
    iteration: int

    def verify_fits(self, expected: Mapping[str, tuple[int, ...]]) -> None:
        """Raise where an array is missing or has another shape than the solver's own."""
        for name, shape in expected.items():
            if self.arrays.shape(name) != shape:
                raise InputError(f"`{name}` must be an array of shape {shape}; found {self.arrays.shape(name)}")

    def strategy(self, kind: StrategyKind, method: Method) -> tuple[LaneArray, LaneArray]:
        """The strategy of the lanes engine over the files themselves."""
        if kind == "average" and not method.with_average:
            raise InputError("this solution keeps no average strategy", hint="ask for the `current` one")
        current = "weights" if method.variant.predictive else "regrets"
        first, second = (self._lane_array(f"{kind if kind == 'average' else current}_{player}") for player in (0, 1))
        return first, second

    def _lane_array(self, name: str) -> LaneArray:
        return LaneArray(self.arrays[name], self.arrays.get(f"{name}_scales"))
