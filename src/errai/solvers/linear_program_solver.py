"""A linear program behind the same door as the other solvers: its only iteration solves the game."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.solvers.linear_programs import LinearProgramSolution, solve_normal_form, solve_sequence_form
from errai.trees.extensive_form import ExtensiveForm

_PROGRAMS: dict[str, Callable[[ExtensiveForm], LinearProgramSolution]] = {
    "sequence-form-lp": solve_sequence_form,
    "normal-form-lp": solve_normal_form,
}


class LinearProgramSolver:
    """Plays evenly before its iteration, and an equilibrium after it."""

    def __init__(self, form: ExtensiveForm, *, algorithm: str) -> None:
        self.iteration = 0
        self._form = form
        self._program = _PROGRAMS[algorithm]
        self._strategy = form.uniform_strategy()

    def run(self, iterations: int) -> None:
        if iterations > 0 and self.iteration == 0:
            self._strategy = self._program(self._form).strategy
            self.iteration = 1

    def average_strategy(self) -> NDArray[np.float64]:
        return self._strategy

    def current_strategy(self) -> NDArray[np.float64]:
        return self._strategy

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        return {"strategy": self._strategy}

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        self._form.verify_strategy(arrays["strategy"])
        self._strategy = arrays["strategy"]
        self.iteration = iteration
