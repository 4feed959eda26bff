"""A two-player zero-sum game with perfect recall as flat arrays: one entry a node, parents before their children.

    kind            whose turn it is: player 0, player 1, chance, or nobody's at a terminal
    first_child     the children of a node are `first_child`, `first_child + 1`, ...
    num_children
    infoset         of a player's node; -1 elsewhere
    probability     that chance takes the edge into this node; 1 where the edge is a player's
    payoff_chips    of a terminal, to player 0; 0 elsewhere
    is_public       chance nodes whose outcome both players see

Infosets are numbered player 0's first, and an infoset after the one where its player acted before. The actions of
infoset i are the infoset-actions `first_action[i]` to `first_action[i + 1]`, in the order of the node's children; a
strategy is one float64 array with a probability for each infoset-action of both players.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.trees.sequence_form import Float64Array, Int32Array, PlayerSequences, SequenceForm

_PROBABILITY_TOLERANCE = 1e-9
_DTYPES: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "first_child": np.int32,
    "num_children": np.int32,
    "infoset": np.int32,
    "probability": np.float64,
    "payoff_chips": np.float64,
    "is_public": np.bool_,
    "infoset_player": np.uint8,
    "first_action": np.int32,
}


class NodeKind(IntEnum):
    """Whose turn it is at a node. The players' kinds are their numbers."""

    PLAYER_0 = 0
    PLAYER_1 = 1
    CHANCE = 2
    TERMINAL = 3


@dataclass(frozen=True, eq=False)
class FormLocks:
    """Infosets where a player does not choose."""

    is_locked: NDArray[np.bool_]  # of each infoset
    strategy: Float64Array  # a probability for each infoset-action; 0 at infosets that are not locked

    def apply(self, form: "ExtensiveForm", strategy: Float64Array) -> Float64Array:
        """The strategy with what is locked in its place."""
        return np.where(np.repeat(self.is_locked, np.diff(form.first_action)), self.strategy, strategy)


@dataclass(frozen=True, eq=False)
class ExtensiveForm:
    """A checked game tree; see the module's docstring for the arrays."""

    name: str
    unit_chips: float  # what a thousandth (`mbb`) is a thousandth of
    kind: NDArray[np.uint8]
    first_child: Int32Array
    num_children: Int32Array
    infoset: Int32Array
    probability: Float64Array
    payoff_chips: Float64Array
    is_public: NDArray[np.bool_]
    infoset_player: NDArray[np.uint8]
    first_action: Int32Array
    infoset_labels: Sequence[str]
    action_labels: Sequence[str]  # of each infoset-action
    locks: FormLocks | None = None

    def __post_init__(self) -> None:
        self._verify_arrays()
        self._verify_tree()
        self._verify_chance()
        self._verify_infosets()
        _ = self.sequence_form  # building it checks perfect recall

    @property
    def num_nodes(self) -> int:
        return len(self.kind)

    @property
    def num_infosets(self) -> int:
        return len(self.infoset_player)

    @property
    def num_actions(self) -> int:
        """Infoset-actions of both players: the length of a strategy."""
        return int(self.first_action[-1])

    @cached_property
    def sequence_form(self) -> SequenceForm:
        # Importing it takes longer than solving a small game; the lanes engine never needs it.
        from scipy.sparse import coo_array

        reach = self._chance_reach()
        (sequences_0, last_0), (sequences_1, last_1) = self._build_sequences(0), self._build_sequences(1)
        ends = np.flatnonzero(self.kind == NodeKind.TERMINAL)
        payoffs = coo_array(
            (self.payoff_chips[ends] * reach[ends], (last_0[ends], last_1[ends])),
            shape=(sequences_0.num_sequences, sequences_1.num_sequences),
        )
        return SequenceForm((sequences_0, sequences_1), payoffs.tocsr())

    def actions_of(self, infoset: int) -> slice:
        """The infoset-actions of `infoset`."""
        return slice(int(self.first_action[infoset]), int(self.first_action[infoset + 1]))

    def normalize(self, weights: Float64Array) -> Float64Array:
        """The strategy in proportion to `weights`, uniform at infosets without any weight; locks hold."""
        if self.num_actions == 0:
            return np.zeros(0)
        counts = np.diff(self.first_action)
        totals = np.repeat(np.add.reduceat(weights, self.first_action[:-1]), counts)
        strategy = np.repeat(1.0 / counts, counts)
        np.divide(weights, totals, out=strategy, where=totals > 0)
        return strategy if self.locks is None else self.locks.apply(self, strategy)

    def uniform_strategy(self) -> Float64Array:
        return self.normalize(np.zeros(self.num_actions))

    def verify_strategy(self, strategy: Float64Array) -> None:
        """Raise an `InputError` unless `strategy` has a distribution over the actions of every infoset."""
        if strategy.shape != (self.num_actions,):
            raise InputError(
                f"a strategy of `{self.name}` has {self.num_actions} probabilities; got an array of {strategy.shape}"
            )
        if self.num_actions == 0:
            return
        totals = np.add.reduceat(strategy, self.first_action[:-1])
        wrong = ~np.isclose(totals, 1.0, rtol=0, atol=_PROBABILITY_TOLERANCE)
        if wrong.any() or not (strategy >= 0).all():
            infoset = int(np.argmax(wrong)) if wrong.any() else int(self._infoset_of_action[np.argmin(strategy)])
            raise InputError(
                "the probabilities of a strategy must be at least 0 and sum to 1; "
                f"got {strategy[self.actions_of(infoset)].tolist()} at infoset `{self.infoset_labels[infoset]}`"
            )

    @cached_property
    def _infoset_of_action(self) -> Int32Array:
        return np.repeat(np.arange(self.num_infosets, dtype=np.int32), np.diff(self.first_action))

    def edges_by_level(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]:
        """Parent, child and the child's number among its siblings, for all edges, one level of the tree at a time."""
        nodes = np.zeros(1, dtype=np.intp)
        while len(nodes):
            counts = self.num_children[nodes].astype(np.intp)
            parents = np.repeat(nodes, counts)
            sibling = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
            nodes = self.first_child[parents] + sibling
            yield parents, nodes, sibling

    def _parents_by_children(self) -> NDArray[np.intp]:
        """The nodes with children, in the order of these."""
        parents = np.flatnonzero(self.num_children > 0)
        return parents[np.argsort(self.first_child[parents])]

    def _chance_reach(self) -> Float64Array:
        reach = np.ones(self.num_nodes)
        for parents, children, _ in self.edges_by_level():
            reach[children] = reach[parents] * self.probability[children]
        return reach

    def _build_sequences(self, player: int) -> tuple[PlayerSequences, Int32Array]:
        """The sequences of `player`, and the last of them on the way to each node."""
        start, end = (int(infoset) for infoset in np.searchsorted(self.infoset_player, [player, player + 1]))
        first_action = self.first_action[start : end + 1]
        first_sequence = (first_action - first_action[0] + 1).astype(np.int32)
        infoset = self.infoset - start
        is_own = self.kind == player
        last = np.zeros(self.num_nodes, dtype=np.int32)
        for parents, children, sibling in self.edges_by_level():
            last[children] = last[parents]
            own = is_own[parents]
            last[children[own]] = first_sequence[infoset[parents[own]]] + sibling[own]
        nodes = np.flatnonzero(is_own)
        parent_sequence = np.zeros(end - start, dtype=np.int32)
        parent_sequence[infoset[nodes]] = last[nodes]
        forgetful = nodes[parent_sequence[infoset[nodes]] != last[nodes]]
        if len(forgetful):
            label = self.infoset_labels[int(self.infoset[forgetful[0]])]
            raise InputError(
                f"player {player} of `{self.name}` forgets at infoset `{label}` what it knew or did before",
                hint="perfect recall: an infoset's key must tell apart all that its player has seen and done",
            )
        if (parent_sequence >= first_sequence[:-1]).any():
            raise InputError(f"an infoset of player {player} must come after those where the player acted before")
        actions = slice(int(first_action[0]), int(first_action[-1]))
        return PlayerSequences(slice(start, end), actions, first_sequence, parent_sequence), last

    def _verify_arrays(self) -> None:
        for name, dtype in _DTYPES.items():
            array: NDArray[Any] = getattr(self, name)
            if array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous:
                raise InputError(
                    f"`{name}` must be a contiguous `{np.dtype(dtype)}` array of one dimension; "
                    f"got `{array.dtype}` of shape {array.shape}"
                )
            if name not in ("infoset_player", "first_action") and len(array) != self.num_nodes:
                raise InputError(f"`{name}` needs {self.num_nodes} entries, one a node; got {len(array)}")
        if not np.isfinite(self.payoff_chips).all():
            raise InputError(f"payoffs must be finite; node {np.argmin(np.isfinite(self.payoff_chips))} has another")

    def _verify_tree(self) -> None:
        if ((self.num_children > 0) == (self.kind == NodeKind.TERMINAL)).any():
            raise InputError("every node must have children, and no terminal may have any")
        parents = self._parents_by_children()
        if (self.first_child[parents] <= parents).any():
            raise InputError("parents must come before their children")
        counts = self.num_children[parents]
        ends = 1 + np.cumsum(counts)
        if (self.first_child[parents] != ends - counts).any() or 1 + int(counts.sum()) != self.num_nodes:
            raise InputError("every node except the root must be the child of exactly one node")

    def _verify_chance(self) -> None:
        parents = self._parents_by_children()
        totals = np.add.reduceat(self.probability, self.first_child[parents]) if len(parents) else np.ones(0)
        is_wrong = (self.kind[parents] == NodeKind.CHANCE) & (np.abs(totals - 1) > _PROBABILITY_TOLERANCE)
        if is_wrong.any():
            wrong = int(np.argmax(is_wrong))
            raise InputError(
                f"the probabilities of chance must sum to 1; at node {parents[wrong]} they sum to {totals[wrong]}"
            )
        if not (self.probability > 0).all():
            node = int(np.argmin(self.probability))
            raise InputError(
                f"every outcome of chance needs a positive probability; node {node} has {self.probability[node]}"
            )

    def _verify_infosets(self) -> None:
        if (
            len(self.first_action) != self.num_infosets + 1
            or self.first_action[0] != 0
            or (np.diff(self.first_action) < 1).any()
        ):
            raise InputError("`first_action` must rise from 0, one entry an infoset and one for the end")
        if len(self.infoset_labels) != self.num_infosets or len(self.action_labels) != self.num_actions:
            raise InputError(
                f"{self.num_infosets} infosets and {self.num_actions} infoset-actions need a label each; "
                f"got {len(self.infoset_labels)} and {len(self.action_labels)}"
            )
        if (np.diff(self.infoset_player.astype(np.int8)) < 0).any():
            raise InputError("the infosets of player 0 must come before those of player 1")
        decisions = np.flatnonzero(self.kind <= NodeKind.PLAYER_1)
        infosets = self.infoset[decisions]
        if ((infosets < 0) | (infosets >= self.num_infosets)).any():
            raise InputError(f"a player's node needs one of the {self.num_infosets} infosets; one here has another")
        if (self.infoset_player[infosets] != self.kind[decisions]).any():
            raise InputError("an infoset belongs to one player; one here has nodes of both")
        if (np.diff(self.first_action)[infosets] != self.num_children[decisions]).any():
            raise InputError("all nodes of an infoset must have the same number of actions")
