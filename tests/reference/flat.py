"""CFR, values and best responses by recursion over the nodes of an `ExtensiveForm`, as the definitions say it."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.passes.step import Step
from errai.solvers.variants import Variant
from errai.trees.extensive_form import ExtensiveForm, NodeKind

Strategy = NDArray[np.float64]


def children_of(form: ExtensiveForm, node: int) -> range:
    return range(form.first_child[node], form.first_child[node] + form.num_children[node])


def expected_value(form: ExtensiveForm, strategy: Strategy, node: int = 0) -> float:
    """What player 0 wins on average from `node` on."""
    if form.kind[node] == NodeKind.TERMINAL:
        return float(form.payoff_chips[node])
    children = children_of(form, node)
    if form.kind[node] == NodeKind.CHANCE:
        return float(sum(form.probability[child] * expected_value(form, strategy, child) for child in children))
    probabilities = strategy[form.actions_of(form.infoset[node])]
    return float(
        sum(
            probability * expected_value(form, strategy, child)
            for probability, child in zip(probabilities, children, strict=True)
        )
    )


def pure_strategies(form: ExtensiveForm, player: int) -> Iterator[dict[int, int]]:
    """Every choice of one action at each infoset of `player`."""
    infosets = [infoset for infoset in range(form.num_infosets) if form.infoset_player[infoset] == player]
    actions = [range(form.actions_of(infoset).start, form.actions_of(infoset).stop) for infoset in infosets]
    for choice in product(*actions):
        yield dict(zip(infosets, choice, strict=True))


def best_response_value(form: ExtensiveForm, strategy: Strategy, player: int) -> float:
    """The best of all pure strategies, each played out."""
    values = []
    for choice in pure_strategies(form, player):
        combined = strategy.copy()
        for infoset, action in choice.items():
            combined[form.actions_of(infoset)] = 0.0
            combined[action] = 1.0
        value = expected_value(form, combined)
        values.append(value if player == 0 else -value)
    return max(values)


class RecursiveCfr:
    """One variant of CFR on one game."""

    def __init__(
        self,
        form: ExtensiveForm,
        variant: Variant,
        *,
        updates: str = "alternating",
        averaging_delay: int = 0,
        planned_iterations: int | None = None,
    ) -> None:
        self.form = form
        self.variant = variant
        self.updates = updates
        self.averaging_delay = averaging_delay
        self.planned_iterations = planned_iterations
        self.iteration = 0
        self.regrets = np.zeros(form.num_actions)
        even = form.uniform_strategy()
        self.strategy = np.where(even < 0.5, even * (1 - kernels.TIE_BREAK), even)
        self.average = np.zeros(form.num_actions)

    def iterate(self) -> None:
        self.iteration += 1
        if self.updates == "simultaneous":
            self._add_to_average(0)
            self._add_to_average(1)
            increments = self._regrets_of(0) + self._regrets_of(1)
            self._update(0, increments)
            self._update(1, increments)
        else:
            for player in (1, 0):
                self._add_to_average(1 - player)
                self._update(player, self._regrets_of(player))

    def _step(self) -> Step:
        return self.variant.step(
            self.iteration, planned_iterations=self.planned_iterations, averaging_delay=self.averaging_delay
        )

    def _infosets_of(self, player: int) -> list[int]:
        return [infoset for infoset in range(self.form.num_infosets) if self.form.infoset_player[infoset] == player]

    def _add_to_average(self, player: int) -> None:
        own_reach: dict[int, float] = {}
        self._find_own_reach(0, player, 1.0, own_reach)
        for infoset in self._infosets_of(player):
            for action in range(self.form.first_action[infoset], self.form.first_action[infoset + 1]):
                self.average[action] *= self._step().average_decay
                self.average[action] += self._step().average_weight * own_reach[infoset] * self.strategy[action]

    def _find_own_reach(self, node: int, player: int, reach: float, found: dict[int, float]) -> None:
        is_own = self.form.kind[node] == player
        if is_own:
            found[self.form.infoset[node]] = reach
        for number, child in enumerate(children_of(self.form, node)):
            probability = self.strategy[self.form.first_action[self.form.infoset[node]] + number] if is_own else 1.0
            self._find_own_reach(child, player, reach * probability, found)

    def _regrets_of(self, player: int) -> Strategy:
        """This iteration's counterfactual regrets of `player`; 0 for the opponent's actions."""
        increments = np.zeros(self.form.num_actions)
        self._walk(0, player, 1.0, increments)
        return increments

    def _walk(self, node: int, player: int, counterfactual_reach: float, increments: Strategy) -> float:
        """The value of `node` to `player`; adds the regrets of all of the player's nodes from there on."""
        form = self.form
        kind = form.kind[node]
        if kind == NodeKind.TERMINAL:
            return float(form.payoff_chips[node]) * (1 if player == 0 else -1)
        children = children_of(form, node)
        if kind == NodeKind.CHANCE:
            return float(
                sum(
                    form.probability[child]
                    * self._walk(child, player, counterfactual_reach * form.probability[child], increments)
                    for child in children
                )
            )
        actions = form.actions_of(form.infoset[node])
        probabilities = self.strategy[actions]
        if kind != player:
            return float(
                sum(
                    probability * self._walk(child, player, counterfactual_reach * probability, increments)
                    for probability, child in zip(probabilities, children, strict=True)
                )
            )
        values = np.array([self._walk(child, player, counterfactual_reach, increments) for child in children])
        expected = float(probabilities @ values)
        increments[actions] += counterfactual_reach * (values - expected)
        return expected

    def _update(self, player: int, increments: Strategy) -> None:
        step = self._step()
        for infoset in self._infosets_of(player):
            actions = self.form.actions_of(infoset)
            for action in range(actions.start, actions.stop):
                discount = step.discount_positive if self.regrets[action] > 0 else step.discount_negative
                self.regrets[action] = self.regrets[action] * discount + increments[action]
                if step.floor:
                    self.regrets[action] = max(self.regrets[action], 0.0)
            weights = self.regrets[actions]
            if step.predictive:
                weights = weights * step.discount_prediction + increments[actions]
            positive = np.maximum(weights, 0.0)
            total = positive.sum()
            even = (1 - kernels.TIE_BREAK * (len(positive) > 2)) / len(positive)
            self.strategy[actions] = positive / total if total > 0 else even
