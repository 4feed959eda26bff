"""The sequence form of a game with perfect recall (von Stengel 1996), which solvers and judges work on.

A sequence of a player is what the player has done so far: nothing (sequence 0), or an action at an infoset, which under
perfect recall says all the actions before it too. So the sequences are numbered like the player's infoset-actions, one
higher. Each infoset is reached by one sequence, its parent; infosets come after those of their parents, so that

1. a forward pass over the infosets gives the probability of every sequence:  plan(a) = plan(parent) * strategy(a);
2. the payoffs are one sparse matrix: the sum of chance * payoff over the terminals that a pair of sequences leads to;
3. a matrix-vector product gives every counterfactual value, and a backward pass sums them up towards the root.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Float64Array = NDArray[np.float64]
Int32Array = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class InfosetLevel:
    """Infosets whose player has acted equally often before; none of them follows another."""

    infosets: NDArray[np.intp]
    sequences: NDArray[np.intp]  # of all their actions, infoset by infoset
    starts: NDArray[np.intp]  # where in `sequences` each infoset begins


@dataclass(frozen=True, eq=False)
class PlayerSequences:
    """The infosets of one player, numbered from 0, and the sequences between them."""

    infosets: slice  # in the numbering of the extensive form
    actions: slice
    first_sequence: Int32Array  # of each infoset's first action, and one more entry for the end
    parent_sequence: Int32Array

    @property
    def num_infosets(self) -> int:
        return len(self.parent_sequence)

    @property
    def num_sequences(self) -> int:
        return int(self.first_sequence[-1])

    @cached_property
    def num_actions(self) -> Int32Array:
        return np.diff(self.first_sequence)

    @cached_property
    def levels(self) -> tuple[InfosetLevel, ...]:
        """The infosets by how often their player has acted before, first ones first."""
        levels: list[InfosetLevel] = []
        is_reached = np.append(True, np.zeros(self.num_sequences - 1, dtype=bool))
        while True:
            in_level = is_reached[self.parent_sequence]
            if not in_level.any():
                return tuple(levels)
            is_reached = np.append(False, np.repeat(in_level, self.num_actions))
            counts = self.num_actions[in_level]
            starts = np.cumsum(counts, dtype=np.intp) - counts
            levels.append(InfosetLevel(np.flatnonzero(in_level), np.flatnonzero(is_reached), starts))

    def realization_plan(self, strategy: Float64Array) -> Float64Array:
        """The probability of each sequence when the others play along, from this player's part of a strategy."""
        plan = np.ones(self.num_sequences)
        for level in self.levels:
            of_parent = np.repeat(plan[self.parent_sequence[level.infosets]], self.num_actions[level.infosets])
            plan[level.sequences] = of_parent * strategy[level.sequences - 1]
        return plan


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """The sequences of both players and the payoffs of every pair of them, in chips to player 0, chance included."""

    players: tuple[PlayerSequences, PlayerSequences]
    payoffs: "csr_array"

    def payoffs_to(self, player: int) -> Any:
        """The payoffs to `player`: a sparse matrix, a row for each of the player's own sequences."""
        return self._payoffs_to[player]

    @cached_property
    def _payoffs_to(self) -> "tuple[csr_array, csr_array]":
        return self.payoffs, (-self.payoffs.T).tocsr()

    def values(self, player: int, strategy: Float64Array) -> Float64Array:
        """What each sequence of `player` yields where the game ends after it, against the opponent in `strategy`."""
        opponent = self.players[1 - player]
        values: Float64Array = self.payoffs_to(player) @ opponent.realization_plan(strategy[opponent.actions])
        return values
