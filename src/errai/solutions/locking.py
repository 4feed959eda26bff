"""Locks on a stored strategy: to solve the spot again with them, or to see what they cost without solving again.

A *total* fixes the share of an action over the whole range of a player at one state. The stored strategy says how the
hands get there: hands change as little as they must, in the order of what a change costs them by the stored values of
their actions. That is a linear program: move the shares w_h f(h, b -> a) of hand h from action b to action a,

    minimise  sum w_h f(h, b -> a) (max(v(h, b) - v(h, a), 0) + a little)
    so that   no more of an action is moved than there is, and every named action gets its total.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.ranges import format_range
from errai.errors import InputError
from errai.games.lock_text import LockPart, LockText, parse_locks
from errai.games.locks import named_shares, read_place
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.reports.locked import LockedReport
from errai.reports.state import StateReport
from errai.solutions.engines import ENGINES, plan_solve
from errai.solutions.solution import Solution

Float64Array = NDArray[np.float64]

_DIGITS = 6  # of the shares that a total becomes
_LEAST_COST = 1e-6  # of a change, in pots: without it hands would change for nothing


def locked_spot(solution: Solution, locks: str | Sequence[str], *, strategy: StrategyKind | None = None) -> Spot:
    """The spot of a solution with locks besides its own; totals are reached from its strategy."""
    spot = solution.start
    if spot is None:
        if solution.definition is None or not solution.definition.is_limit:
            raise InputError(f"`{solution.name}` has no lines to lock", hint="locks are for spots and limit games")
        spot = Spot(solution.definition)
    texts = [_settled(solution, spot, lock, strategy) if lock.has_total else lock.text for lock in parse_locks(locks)]
    if not texts:
        raise InputError("a lock is missing", hint="`r10: fold=25%,call=75%`")
    return replace(spot, locks="\n".join([*spot.locks.splitlines(), *texts]))


def judge_locked(
    solution: Solution, locks: str | Sequence[str], *, strategy: StrategyKind | None = None
) -> LockedReport:
    """What the stored strategy is worth with locks, and the best responses to it, without solving again."""
    chosen = strategy or solution.goal.strategy
    spot = locked_spot(solution, locks, strategy=strategy)
    engine = ENGINES[solution.plan.engine]
    method = replace(solution.method, engine=engine.name)
    if method.precision == "uint16":  # which keeps no locks
        method = replace(method, precision="float32")
    plan = plan_solve(replace(solution.request, game=spot, method=method))
    arrays = engine.locked_strategy(solution.plan, solution.strategy_arrays(chosen), plan)
    judged = engine.best_responses(plan, arrays)
    if judged.value_chips is None:
        judged = replace(judged, value_chips=engine.value(plan, arrays))
    return LockedReport(spot, chosen, solution.exploitability(chosen), judged)


@dataclass(frozen=True)
class _Total:
    """What a total asks of the hands at a state: shares of named actions."""

    report: StateReport
    named: dict[int, Fraction]

    def reach(self) -> Float64Array:
        """The probabilities of all hands, changed as little as possible."""
        from scipy.optimize import linprog
        from scipy.sparse import coo_array

        report = self.report
        assert report.action_value_chips is not None
        probabilities = report.probabilities.copy()
        values = report.action_value_chips
        weights = report.meeting_weights[report.player]
        hands = np.flatnonzero((weights > 0) & ~np.isnan(values).any(axis=1) & ~np.isnan(probabilities).any(axis=1))
        if not len(hands):
            raise InputError(
                f"no hand gets to `{report.betting}` in the stored strategy", hint="lock the hands themselves: `all`"
            )
        num_actions = probabilities.shape[1]
        own = weights[hands] / weights[hands].sum()
        rows, before, after = (
            grid.ravel() for grid in np.meshgrid(np.arange(len(hands)), *[np.arange(num_actions)] * 2, indexing="ij")
        )
        moved = before != after
        rows, before, after = rows[moved], before[moved], after[moved]
        lost = np.maximum(values[hands[rows], before] - values[hands[rows], after], 0.0)
        moves = np.arange(len(rows))
        taken = coo_array(
            (np.ones(len(rows)), (rows * num_actions + before, moves)), shape=(len(hands) * num_actions, len(rows))
        )
        actions = list(self.named)
        gains = np.array([(after == action).astype(float) - (before == action) for action in actions])
        present = own[:, np.newaxis] * probabilities[hands]
        wanted = [float(self.named[action]) - present[:, action].sum() for action in actions]
        found = linprog(
            lost + _LEAST_COST * report.pot_chips,
            A_ub=taken.tocsr(),
            b_ub=present.ravel(),
            A_eq=gains,
            b_eq=wanted,
            method="highs",
        )
        if not found.success:
            raise InputError(f"the total cannot be reached: {found.message}", hint="name another share")
        changed = present.copy()
        np.add.at(changed, (rows, before), -found.x)
        np.add.at(changed, (rows, after), found.x)
        probabilities[hands] = np.maximum(changed, 0.0) / own[:, np.newaxis]
        return probabilities


def _settled(solution: Solution, spot: Spot, lock: LockText, strategy: StrategyKind | None) -> str:
    """A lock whose totals are written out, hand by hand."""
    state, board = read_place(spot, lock)
    if board is None and state.round > spot.root.round:
        raise InputError(
            f"`{lock.text}`: a total is for one board; the line is played on many",
            hint=f"name the board: `{lock.line} on {spot.board}...: total ...`",
        )
    if len(lock.parts) > 1:
        raise InputError(f"`{lock.text}`: a total stands alone, without other hands", hint="give it a lock of its own")
    named = named_shares(spot, state, lock.parts[0], lock)
    report = solution.query(
        betting=spot.format_betting(state),
        board=spot.board if board is None else spot.definition.deck.text(board),
        strategy=strategy,
    )
    if len(named) == len(report.actions) and abs(sum(named.values(), Fraction(-1))) > Fraction(1, 10**6):
        raise InputError(f"`{lock.text}`: the shares do not add up to 1", hint="leave one action out")
    named = dict(list(named.items())[: len(report.actions) - 1])  # the last one follows
    probabilities = _Total(report, named).reach()
    return replace(lock, parts=tuple(_parts(report, probabilities))).text


def _parts(report: StateReport, probabilities: Float64Array) -> list[LockPart]:
    """One part for all hands that do the same, to so many digits."""
    in_range = (report.reach[report.player] > 0) & ~np.isnan(probabilities).any(axis=1)
    units = np.rint(np.nan_to_num(probabilities) * 10**_DIGITS).astype(np.int64)
    units[np.arange(len(units)), units.argmax(axis=1)] += 10**_DIGITS - units.sum(axis=1)
    parts = []
    for row in np.unique(units[in_range], axis=0):
        same = in_range & (units == row).all(axis=1)
        shares = [(name, Fraction(int(unit), 10**_DIGITS)) for name, unit in zip(report.action_names, row, strict=True)]
        parts.append(LockPart(_hands_text(report, same), tuple(shares)))
    return parts


def _hands_text(report: StateReport, chosen: NDArray[Any]) -> str:
    if report.definition.num_hole_cards == 2:
        return format_range(chosen.astype(np.float64), report.definition.deck)
    return ",".join(text for text, is_chosen in zip(report.hand_texts, chosen, strict=True) if is_chosen)
