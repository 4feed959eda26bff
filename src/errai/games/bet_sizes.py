"""Raises named by fractions of the pot.

A raise of a fraction f first calls and then adds f times the pot as it is after that call: with the larger commitment
M, both have put in M after the call, the pot is 2 M (and what lay in the middle of a spot), and the raise goes to M + f
times the pot, rounded to whole chips. A size below the smallest legal raise becomes that raise, one beyond the stack
becomes all-in. An empty pot counts as one chip.
"""

from errai.games.state import BettingState


def raise_total_of_fraction(state: BettingState, fraction: float) -> int | None:
    """The legal total nearest to a raise of `fraction` times the pot; None where there is no raise."""
    bounds = state.raise_bounds()
    if bounds is None:
        return None
    low, high = bounds
    wanted = max(state.committed) + fraction * _pot_after_call(state)
    return low if wanted <= low else high if wanted >= high else round(wanted)


def fraction_of_raise_total(state: BettingState, total: int) -> float:
    """The fraction of the pot that a raise to `total` adds to a call."""
    return (total - max(state.committed)) / _pot_after_call(state)


def _pot_after_call(state: BettingState) -> int:
    return max(2 * max(state.committed) + state.definition.dead_pot_chips, 1)
