"""What the sizes of a bet menu are in chips.

Amounts here are what a player has put in on the current street. P is the pot after calling, B the previous bet (0 where
there is none; before the flop the big blind), and halves round up:

    N%          B + N/100 P                   Nc          B + N
    Nx          N B                           a           all-in
    Ke          B + P ((2 S + 1)^(1/K) - 1) / 2, S = all that can still be bet after calling / P; in a raise K is less
                by the bets and raises already made on this street, but at least 1

These steps follow, in this order:

1. add-all-in T: offer all-in as well where it is at most B + T P.
2. Every size is moved into the legal bounds, from the smallest raise to all-in.
3. force-all-in T: a size that leaves at most T times the pot after it is called behind becomes all-in.
4. Equal sizes become one.
5. merge T: from the largest size down, drop a size B + Y below a kept size B + X where (P + X) / (P + Y) < 1 + T.

All comparisons are exact.
"""

from dataclasses import dataclass
from fractions import Fraction

from errai.errors import InputError
from errai.games.bet_menu import BetMenu, BetSize
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Raise


@dataclass(frozen=True)
class BetSituation:
    """What the sizes depend on where a player may bet or raise."""

    street: int
    player: int
    pot_after_call: int  # P
    previous_bet: int  # B
    smallest: int  # legal bounds
    all_in: int
    num_bets: int = 0  # bets and raises on this street, blinds not counted
    streets_left: int = 1  # this one included
    is_lead: bool = False


def bet_totals(menu: BetMenu, situation: BetSituation) -> tuple[int, ...]:
    """What each size comes to on this street, ascending."""
    sizes = menu.sizes(
        street=situation.street,
        player=situation.player,
        num_bets=situation.num_bets,
        is_lead=situation.is_lead,
    )
    if sizes is None:
        return ()
    totals = [_total(size, situation) for size in sizes]
    pot, previous, all_in = situation.pot_after_call, situation.previous_bet, situation.all_in
    if menu.add_all_in is not None and all_in <= previous + menu.add_all_in * pot:
        totals.append(all_in)
    legal = {min(max(total, situation.smallest), all_in) for total in totals}
    if menu.force_all_in is not None:
        force = menu.force_all_in
        legal = {all_in if all_in - total <= force * (pot + 2 * (total - previous)) else total for total in legal}
    return _merged(sorted(legal), menu.merge, situation)


def menu_raise_totals(menu: BetMenu, state: BettingState, *, dead_pot: int = 0) -> tuple[int, ...]:
    """The totals over the whole hand to which the player may raise; `dead_pot` was there before the first chip."""
    situation = situation_of(state, dead_pot=dead_pot)
    if situation is None:
        return ()
    before = chips_before_street(state)
    return tuple(before + total for total in bet_totals(menu, situation))


def available_actions(state: BettingState, menu: BetMenu | None, *, dead_pot: int = 0) -> tuple[Action, ...]:
    """The actions of a limit game, or those of a no-limit game that a menu offers."""
    if menu is None:
        if not state.definition.is_limit:
            raise InputError(
                f"the betting of `{state.definition.name}` has too many sizes without a bet menu", hint="`--bets fcpa`"
            )
        return state.legal_actions()
    raises = [Raise(total) for total in menu_raise_totals(menu, state, dead_pot=dead_pot)]
    is_limp = state.round == 0 and not state.history[0] and state.can_fold()
    calls = () if menu.no_limp and is_limp and raises else (CALL,)
    return (*((FOLD,) if state.can_fold() else ()), *calls, *raises)


def situation_of(state: BettingState, *, dead_pot: int = 0) -> BetSituation | None:
    """What the sizes depend on at a point of the betting; None where nobody may bet or raise."""
    bounds = state.raise_bounds()
    if bounds is None or state.actor is None:
        return None
    low, high = bounds
    # A bet beyond the opponent's stack is the same as one for all of it.
    high = max(low, min(high, state.definition.stacks[1 - state.actor]))
    before = chips_before_street(state)
    return BetSituation(
        street=state.round,
        player=state.actor,
        pot_after_call=max(dead_pot + 2 * max(state.committed), 1),
        previous_bet=max(state.committed) - before,
        smallest=low - before,
        all_in=high - before,
        num_bets=state.raises_this_round,
        streets_left=state.definition.num_rounds - state.round,
        is_lead=is_lead(state),
    )


def chips_before_street(state: BettingState) -> int:
    """What each player had put in when the street began: antes count as before it, blinds as bets of the first."""
    first, second = state.definition.blinds
    if state.round == 0:
        return first if first == second else 0
    raised = [action.total for actions in state.history[:-1] for action in actions if isinstance(action, Raise)]
    return max(first, second, *raised)


def is_lead(state: BettingState) -> bool:
    """Whether the first player of a street called a bet or raise on the street before."""
    if state.round == 0 or state.history[-1]:
        return False
    previous = state.history[-2]
    if not any(isinstance(action, Raise) for action in previous) or not isinstance(previous[-1], Call):
        return False
    last_player = (state.definition.first_player[state.round - 1] + len(previous) - 1) % 2
    return last_player == state.actor


def _total(size: BetSize, situation: BetSituation) -> int:
    previous, pot = situation.previous_bet, situation.pot_after_call
    match size.unit, size.number:
        case "%", Fraction() as percent:
            return previous + _round_half_up(percent.numerator * pot, 100 * percent.denominator)
        case "x", Fraction() as multiple:
            return _round_half_up(multiple.numerator * previous, multiple.denominator)
        case "c", Fraction() as chips:
            return previous + int(chips)
        case "e", streets:
            num_streets = situation.streets_left if streets is None else int(streets)
            return previous + _geometric(pot, situation.all_in - previous, max(num_streets - situation.num_bets, 1))
        case _:
            return situation.all_in


def _geometric(pot: int, stack: int, num_streets: int) -> int:
    """The rounded size that, as a part of the pot on each of so many streets, takes the stack.

    The largest n with n - 1/2 <= size is the largest one with (pot + 2 n - 1)^K <= (pot + 2 stack) pot^(K - 1): whole
    numbers, so that nothing hangs on the rounding of a root.
    """
    most = (pot + 2 * stack) * pot ** (num_streets - 1)
    low, high = 0, stack
    while low < high:
        middle = (low + high + 1) // 2
        if (pot + 2 * middle - 1) ** num_streets <= most:
            low = middle
        else:
            high = middle - 1
    return low


def _merged(totals: list[int], threshold: Fraction | None, situation: BetSituation) -> tuple[int, ...]:
    if threshold is None:
        return tuple(totals)
    kept: list[int] = []
    base = situation.pot_after_call - situation.previous_bet
    for total in reversed(totals):
        if not kept or base + kept[-1] >= (1 + threshold) * (base + total):
            kept.append(total)
    return tuple(reversed(kept))


def _round_half_up(amount: int, divisor: int) -> int:
    """In whole numbers: fractions took half of the time that a large betting tree takes."""
    return (2 * amount + divisor) // (2 * divisor)
