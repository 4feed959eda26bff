"""CFR and its variants over a whole game that fits in memory, in doubles.

Without sampling, an iteration works on the sequence form: the opponent's strategy becomes the probabilities of its
sequences, the payoff matrix turns them into counterfactual values, and a backward pass updates every infoset by the
rule in `variants.py`. Updates are

- alternating: the second player first; while one player's regrets are updated, the other's strategy of that moment is
  added to its average. So the second player's average takes in the strategy after this iteration's update, the first
  player's the one before;
- simultaneous: both averages, then both regrets, from the same strategies.

With sampling (Monte Carlo CFR, see `native/flat/sampled.hpp`), an iteration is one traversal of a part of the tree for
each player. Its sums are plain, which leaves the variants that are a weighted sum: `cfr`, and `lcfr`, which weights
iteration t by t. A floor would turn the noise of the samples into permanent regret; a prediction would repeat it.
"""

from collections.abc import Mapping
from math import inf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.passes.step import Step
from errai.solvers.variants import Variant
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.sequence_form import Float64Array

Updates = Literal["alternating", "simultaneous"]
Sampling = Literal["external", "outcome", "public-chance"]

_STATE = ("regrets", "strategy", "average")
_ITERATIONS_PER_CALL = 10_000  # a signal is noticed between two calls


class FlatSolver:
    """Regrets, current strategy and average of every infoset-action of a game."""

    def __init__(
        self,
        form: ExtensiveForm,
        *,
        variant: Variant,
        updates: Updates = "alternating",
        averaging_delay: int = 0,
        sampling: Sampling | None = None,
        exploration: float = 0.6,  # of outcome sampling; the value of Lanctot et al. (2009)
        seed: int = 0,
        planned_iterations: int | None = None,
    ) -> None:
        if updates not in ("alternating", "simultaneous"):
            raise InputError(f"`updates` must be `alternating` or `simultaneous`; got `{updates}`")
        if averaging_delay < 0:
            raise InputError(f"`averaging_delay` must not be negative; got `{averaging_delay}`")
        if not 0 <= seed < 2**64:
            raise InputError(f"`seed` must be a number from 0 to 2**64 - 1; got `{seed}`")
        if sampling is not None:
            _verify_sampling(sampling, variant, updates, exploration)
            if form.locks is not None:
                raise InputError("sampling takes no locks", hint="leave `--sampling` out")
        self.form = form
        self.iteration = 0
        self._variant = variant
        self._updates = updates
        self._averaging_delay = averaging_delay
        self._sampling = sampling
        self._exploration = exploration
        self._seed = seed
        self._planned_iterations = planned_iterations
        self._regrets = np.zeros(form.num_actions)
        # A little less than even over three or more actions, as in the kernels: see `kTieBreak` of `native/regret.hpp`.
        even = form.uniform_strategy()
        self._strategy = np.where(even < 0.5, even * (1 - kernels.TIE_BREAK), even)
        if form.locks is not None:
            self._strategy = form.locks.apply(form, self._strategy)
        self._average = np.zeros(form.num_actions)

    @staticmethod
    def estimate_memory_bytes(form: ExtensiveForm) -> int:
        """The memory that solving requires besides the tree."""
        state = 3 * form.num_actions * 8
        work = 2 * form.num_actions * 8
        payoffs = 2 * form.sequence_form.payoffs.nnz * (8 + 4)
        return int(state + work + payoffs)

    @property
    def memory_bytes(self) -> int:
        return self.estimate_memory_bytes(self.form)

    @property
    def num_infosets(self) -> int:
        return self.form.num_infosets

    @property
    def regrets(self) -> Float64Array:
        """The accumulated regret of each infoset-action."""
        return self._regrets.copy()

    def run(self, iterations: int) -> None:
        """Make this many more iterations."""
        if iterations < 0:
            raise InputError(f"`iterations` must not be negative; got `{iterations}`")
        while iterations > 0:
            count = min(iterations, _ITERATIONS_PER_CALL)
            if self._sampling is None:
                self._run_full(count)
            else:
                self._run_sampled(count, self._sampling)
            self.iteration += count
            iterations -= count

    def current_strategy(self) -> Float64Array:
        """The probability of each infoset-action in the next iteration."""
        return self._strategy.copy()

    def average_strategy(self) -> Float64Array:
        """The probability of each infoset-action on average; uniform at infosets that were never reached."""
        return self.form.normalize(self._average)

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved, together with `iteration`, to resume later."""
        return {"regrets": self._regrets.copy(), "strategy": self._strategy.copy(), "average": self._average.copy()}

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned at `iteration`."""
        for name in _STATE:
            if arrays[name].shape != (self.form.num_actions,):
                raise InputError(
                    f"`{name}` of `{self.form.name}` has {self.form.num_actions} entries; got {arrays[name].shape}"
                )
        self._regrets, self._strategy, self._average = (np.array(arrays[name], dtype=np.float64) for name in _STATE)
        self.iteration = iteration

    def _run_full(self, iterations: int) -> None:
        steps = [
            self._variant.step(
                iteration, planned_iterations=self._planned_iterations, averaging_delay=self._averaging_delay
            ).native()
            for iteration in range(self.iteration + 1, self.iteration + 1 + iterations)
        ]
        sequence_form = self.form.sequence_form
        sides, states = [], []
        for player, sequences in enumerate(sequence_form.players):
            payoffs = sequence_form.payoffs_to(player)
            sides.append(
                kernels.SequenceSide(
                    first_sequence=sequences.first_sequence,
                    parent_sequence=sequences.parent_sequence,
                    row_start=payoffs.indptr.astype(np.int32, copy=False),
                    column=payoffs.indices.astype(np.int32, copy=False),
                    payoff=payoffs.data,
                    is_locked=None
                    if self.form.locks is None
                    else self.form.locks.is_locked[sequences.infosets].astype(np.uint8),
                )
            )
            states.append(
                kernels.SolverState(
                    regrets=self._regrets[sequences.actions],
                    strategy=self._strategy[sequences.actions],
                    average=self._average[sequences.actions],
                )
            )
        kernels.run_flat(sides, states, steps, simultaneous=self._updates == "simultaneous")

    def _run_sampled(self, iterations: int, sampling: Sampling) -> None:
        exponents = self._variant.exponents
        steps = []
        for iteration in range(self.iteration + 1, self.iteration + 1 + iterations):
            counted = iteration - self._averaging_delay
            step = Step(
                regret_weight=float(iteration) if exponents.alpha == 1 else 1.0,
                floor=False,
                average_weight=float(counted) ** exponents.gamma if counted > 0 else 0.0,
            )
            steps.append(step.native())
        form = self.form
        kernels.run_sampled(
            kernels.GameNodes(
                kind=form.kind,
                first_child=form.first_child,
                num_children=form.num_children,
                infoset=form.infoset,
                probability=form.probability,
                payoff=form.payoff_chips,
                is_public=form.is_public,
                first_action=form.first_action,
            ),
            kernels.SolverState(regrets=self._regrets, strategy=self._strategy, average=self._average),
            steps,
            first_iteration=self.iteration,
            sampling=sampling,
            exploration=self._exploration,
            seed=self._seed,
        )


def _verify_sampling(sampling: str, variant: Variant, updates: str, exploration: float) -> None:
    if sampling not in ("external", "outcome", "public-chance"):
        raise InputError(f"`sampling` must be `external`, `outcome` or `public-chance`; got `{sampling}`")
    exponents = variant.exponents
    is_sum = variant.final_exponents is None and exponents.alpha == exponents.beta and exponents.alpha in (1, inf)
    if variant.floor or variant.predictive or not is_sum:
        raise InputError(
            f"sampling needs regrets that are a plain or linearly weighted sum; `{variant.name}` discounts, floors or "
            "predicts them",
            hint="sample with `cfr` or `lcfr`",
        )
    if updates != "alternating":
        raise InputError(f"sampling updates one player a walk: `updates` must be `alternating`; got `{updates}`")
    if sampling == "outcome" and not 0 < exploration <= 1:
        raise InputError(f"`exploration` must be more than 0 and at most 1; got `{exploration}`")
