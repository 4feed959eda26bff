"""What nodes and infosets of an extensive form are worth under a strategy.

The value of an infoset is the mean over its nodes, weighted by how likely chance and the opponent make them.
"""

from dataclasses import dataclass

import numpy as np

from errai.trees.extensive_form import ExtensiveForm
from errai.trees.sequence_form import Float64Array


@dataclass(frozen=True, eq=False)
class NodeValues:
    """For every node: its expected payoff to player 0, and its reach by chance and by each player."""

    payoff_chips: Float64Array
    chance_reach: Float64Array
    player_reach: tuple[Float64Array, Float64Array]

    def reach_without(self, player: int) -> Float64Array:
        """The probability that chance and the opponent of `player` bring the game to each node."""
        return self.chance_reach * self.player_reach[1 - player]

    def payoff_to(self, player: int) -> Float64Array:
        return self.payoff_chips if player == 0 else -self.payoff_chips


def node_values(form: ExtensiveForm, strategy: Float64Array) -> NodeValues:
    """One pass down the tree for the reach, and one up for the payoffs."""
    payoff = form.payoff_chips.copy()
    chance, first, second = (np.ones(form.num_nodes) for _ in range(3))
    edge = form.probability.copy()
    levels = list(form.edges_by_level())
    for parents, children, sibling in levels:
        kind = form.kind[parents]
        for reach in (chance, first, second):
            reach[children] = reach[parents]
        for player, reach in ((0, first), (1, second)):
            own = kind == player
            taken = strategy[form.first_action[form.infoset[parents[own]]] + sibling[own]]
            edge[children[own]] = taken
            reach[children[own]] *= taken
        dealt = children[kind > 1]
        chance[dealt] *= form.probability[dealt]
    for parents, children, _ in reversed(levels):
        np.add.at(payoff, parents, edge[children] * payoff[children])
    return NodeValues(payoff, chance, (first, second))


def infoset_values(form: ExtensiveForm, strategy: Float64Array) -> Float64Array:
    """The value of each infoset to its player; NaN where chance and the opponent never bring the game there."""
    values = node_values(form, strategy)
    result = np.full(form.num_infosets, np.nan)
    for player in (0, 1):
        nodes = np.flatnonzero(form.kind == player)
        weights = values.reach_without(player)[nodes]
        weighted = weights * values.payoff_to(player)[nodes]
        reach = np.bincount(form.infoset[nodes], weights=weights, minlength=form.num_infosets)
        total = np.bincount(form.infoset[nodes], weights=weighted, minlength=form.num_infosets)
        np.divide(total, reach, out=result, where=reach > 0)
    return result
