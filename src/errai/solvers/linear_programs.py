"""Exact solutions of small games as linear programs, solved by HiGHS.

Sequence form (Koller, Megiddo and von Stengel 1996): each player maximises what a best-responding opponent leaves. With
the own plan x, the payoff matrix A (own sequences x opponent's sequences) and a value v_j for each of the opponent's
infosets,

    maximise v_0  subject to  E x = e,  x >= 0,  F' v <= A' x,

where E x = e says that x is a plan (the empty sequence has probability 1, and the actions of an infoset share what
leads to it), and F is the opponent's E: what a sequence yields is what it leads to. Size: linear in the sequences. An
action that is locked to the probability p adds a row to E: it takes the part p of what leads to it.

Normal form: a row or column for each way to play the whole game, reduced by leaving out what can no longer be reached.
Exponential in the infosets, so only for the smallest games; it serves as a second opinion.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack

from errai.errors import ErraiError, InputError, SizeError
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.sequence_form import Float64Array, PlayerSequences

MAX_SEQUENCES = 100_000
MAX_PURE_STRATEGIES = 10_000
MAX_MATRIX_ENTRIES = 20_000_000
_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class LinearProgramSolution:
    """An equilibrium."""

    value_chips: float  # of the game, to player 0
    strategy: Float64Array  # of both players, a probability for each infoset-action


def solve_sequence_form(form: ExtensiveForm) -> LinearProgramSolution:
    """An equilibrium by two linear programs over the sequence form, one for each player."""
    num_sequences = sum(sequences.num_sequences for sequences in form.sequence_form.players)
    if num_sequences > MAX_SEQUENCES:
        raise SizeError(
            f"the sequence form of `{form.name}` has {num_sequences} sequences; the program takes {MAX_SEQUENCES}",
            hint="solve it with a variant of CFR",
        )
    value, first_plan = _solve_for(form, 0)
    _, second_plan = _solve_for(form, 1)
    return LinearProgramSolution(value, form.normalize(np.concatenate((first_plan[1:], second_plan[1:]))))


def solve_normal_form(form: ExtensiveForm) -> LinearProgramSolution:
    """An equilibrium by two linear programs over the reduced normal form, one for each player."""
    if form.locks is not None:
        raise InputError("the normal form takes no locks", hint="use the sequence form: `--algorithm lp`")
    players = form.sequence_form.players
    counts = [_count_pure_plans(sequences) for sequences in players]
    if max(counts) > MAX_PURE_STRATEGIES or counts[0] * counts[1] > MAX_MATRIX_ENTRIES:
        raise SizeError(
            f"the reduced normal form of `{form.name}` is {counts[0]} x {counts[1]}; "
            f"the program takes {MAX_PURE_STRATEGIES} a side and {MAX_MATRIX_ENTRIES} entries",
            hint="use the sequence form",
        )
    first, second = (_pure_plans(sequences) for sequences in players)
    matrix = first @ (form.sequence_form.payoffs @ second.T)
    value, first_mixture = _solve_matrix(matrix)
    _, second_mixture = _solve_matrix(-matrix.T)
    weights = np.concatenate(((first_mixture @ first)[1:], (second_mixture @ second)[1:]))
    return LinearProgramSolution(value, form.normalize(weights))


def _solve_for(form: ExtensiveForm, player: int) -> tuple[float, Float64Array]:
    """The value to `player` and the plan that secures it."""
    own, opponent = form.sequence_form.players[player], form.sequence_form.players[1 - player]
    own_plan, opponent_plan = _plan_constraints(form, own), _plan_constraints(form, opponent)
    num_values = opponent_plan.shape[0]
    objective = np.zeros(own.num_sequences + num_values)
    objective[own.num_sequences] = -1.0
    no_values = coo_array((own_plan.shape[0], num_values))
    is_first = np.zeros(own_plan.shape[0])
    is_first[0] = 1.0
    x = _optimum(
        objective,
        A_ub=hstack((-form.sequence_form.payoffs_to(player).T, opponent_plan.T), format="csc"),
        b_ub=np.zeros(opponent.num_sequences),
        A_eq=hstack((own_plan, no_values), format="csc"),
        b_eq=is_first,
        bounds=[(0, None)] * own.num_sequences + [(None, None)] * num_values,
    )
    return float(x[own.num_sequences]), np.clip(x[: own.num_sequences], 0.0, None)


def _plan_constraints(form: ExtensiveForm, sequences: PlayerSequences) -> coo_array:
    """E: row 0 picks the empty sequence; row 1 + j takes the parent of infoset j from the sum of its actions.

    The rows of locked actions come last.
    """
    infosets = np.arange(sequences.num_infosets)
    rows = np.concatenate(([0], 1 + infosets, 1 + np.repeat(infosets, sequences.num_actions)))
    columns = np.concatenate(([0], sequences.parent_sequence, np.arange(1, sequences.num_sequences)))
    signs = np.concatenate(([1.0], np.full(len(infosets), -1.0), np.ones(sequences.num_sequences - 1)))
    num_rows = 1 + len(infosets)
    if form.locks is not None:
        is_locked = np.repeat(form.locks.is_locked[sequences.infosets], sequences.num_actions)
        locked = 1 + np.flatnonzero(is_locked)
        parents = np.repeat(sequences.parent_sequence, sequences.num_actions)[is_locked]
        of_locks = num_rows + np.arange(len(locked))
        rows = np.concatenate((rows, of_locks, of_locks))
        columns = np.concatenate((columns, locked, parents))
        shares = form.locks.strategy[sequences.actions][is_locked]
        signs = np.concatenate((signs, np.ones(len(locked)), -shares))
        num_rows += len(locked)
    return coo_array((signs, (rows, columns)), shape=(num_rows, sequences.num_sequences))


def _solve_matrix(matrix: Float64Array) -> tuple[float, Float64Array]:
    """The value of a matrix game to the player of the rows, and the mixture of rows that secures it."""
    num_rows, num_columns = matrix.shape
    x = _optimum(
        np.append(np.zeros(num_rows), -1.0),
        A_ub=np.hstack((-matrix.T, np.ones((num_columns, 1)))),
        b_ub=np.zeros(num_columns),
        A_eq=np.append(np.ones(num_rows), 0.0)[np.newaxis],
        b_eq=np.ones(1),
        bounds=[(0, None)] * num_rows + [(None, None)],
    )
    return float(x[-1]), np.clip(x[:-1], 0.0, None)


def _optimum(objective: Float64Array, **constraints: object) -> Float64Array:
    options = {"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE}
    result = linprog(objective, method="highs", options=options, **constraints)
    if not result.success:
        raise ErraiError(f"the linear program was not solved: {result.message}")
    optimum: Float64Array = result.x
    return optimum


def _infosets_after(sequences: PlayerSequences) -> list[NDArray[np.intp]]:
    """The infosets that each sequence leads to."""
    order = np.argsort(sequences.parent_sequence, kind="stable")
    ends = np.cumsum(np.bincount(sequences.parent_sequence, minlength=sequences.num_sequences))
    return np.split(order, ends[:-1])


def _count_pure_plans(sequences: PlayerSequences) -> int:
    """In how many ways the player can play the whole game, not counting what an earlier action rules out."""
    ways = [1] * sequences.num_sequences
    for infoset in reversed(range(sequences.num_infosets)):
        first, end = sequences.first_sequence[infoset : infoset + 2]
        ways[sequences.parent_sequence[infoset]] *= sum(ways[first:end])
    return ways[0]


def _pure_plans(sequences: PlayerSequences) -> Float64Array:
    """The plan of each of these ways, a row each."""
    after = _infosets_after(sequences)

    def ways_after(sequence: int) -> list[tuple[int, ...]]:
        """Each way to go on after `sequence`, as the sequences that it takes."""
        choices = [
            [
                (action, *way)
                for action in range(*sequences.first_sequence[infoset : infoset + 2])
                for way in ways_after(action)
            ]
            for infoset in after[sequence]
        ]
        return [tuple(taken for part in way for taken in part) for way in product(*choices)]

    ways = ways_after(0)
    plans = np.zeros((len(ways), sequences.num_sequences))
    plans[:, 0] = 1.0
    for row, way in enumerate(ways):
        plans[row, list(way)] = 1.0
    return plans
