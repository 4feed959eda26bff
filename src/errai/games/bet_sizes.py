"""Raises named by fractions of the pot.

A raise of a fraction f first calls and then adds f times the pot as it is after that call: with the larger commitment
M, both have put in M after the call, the pot is 2 M, and the raise goes to M + f * 2 M, rounded to whole chips. A size
below the smallest legal raise becomes that raise, one beyond the stack becomes all-in.
"""

from errai.games.state import BettingState


def raise_total_of_fraction(state: BettingState, fraction: float) -> int | None:
    """The legal total nearest to a raise of `fraction` times the pot; None where there is no raise."""
    bounds = state.raise_bounds()
    if bounds is None:
        return None
    low, high = bounds
    highest = max(state.committed)
    wanted = highest + fraction * 2 * highest
    return low if wanted <= low else high if wanted >= high else round(wanted)


def fraction_of_raise_total(state: BettingState, total: int) -> float:
    """The fraction of the pot that a raise to `total` adds to a call; infinite where the pot is empty."""
    highest = max(state.committed)
    return (total - highest) / (2 * highest) if highest else float("inf")
