"""Estimates as a person reads them."""

from math import isinf

from errai.evaluate.statistics import Estimate
from errai.games.definition import GameDefinition


def format_estimate(estimate: Estimate) -> str:
    """`-12.3 ± 4.5`."""
    return f"{estimate.mean:,.1f} ± {estimate.half_width:,.1f}"


def format_estimate_of_few(estimate: Estimate) -> str:
    """The same for a few hands: `-12.3 ± unknown` for one."""
    width = estimate.student_half_width
    return f"{estimate.mean:,.1f} ± {'unknown' if isinf(width) else f'{width:,.1f}'}"


def format_unit(definition: GameDefinition) -> str:
    """`a small bet (10 chips)`: what mbb are thousandths of."""
    what = "a small bet" if definition.is_limit else "a big blind"
    chips = definition.unit_chips
    return f"{what} ({chips} chip{'s' if chips != 1 else ''})"


def position_labels(definition: GameDefinition) -> tuple[str, str]:
    """What player 0 and player 1 are called in a table."""
    first, second = definition.blinds
    return ("as big blind", "as dealer") if first > second else ("as first player", "as second player")
