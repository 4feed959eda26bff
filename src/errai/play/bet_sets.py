"""The raises that local best response considers.

    fc              none: only fold and call
    fcpa            a pot-sized raise and all-in
    56bets          0.05 * 1.15^k of the pot for k = 0 to 54, and all-in
    on-tree         the sizes that the judged strategy itself uses at that public state
    0.5,1,2,all-in  fractions of the pot
    50%,a / 3x      a bet menu (`errai.games.bet_menu_text`), its entries separated by `;`

A fraction that does not fit becomes the smallest raise or all-in, and sizes that come out equal are one, so in a limit
game every set but `fc` and `on-tree` is the one raise that there is.
"""

from dataclasses import dataclass
from math import isfinite

from errai.errors import InputError
from errai.games.bet_menu import STREETS, BetMenu
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.bet_sizes import raise_total_of_fraction
from errai.games.menu_sizes import menu_raise_totals
from errai.games.state import BettingState

_NAMES = ("fc", "fcpa", "56bets", "on-tree")


@dataclass(frozen=True)
class BetSet:
    """Fractions of the pot, perhaps all-in, perhaps what the strategy uses, or a bet menu."""

    name: str
    fractions: tuple[float, ...] = ()
    all_in: bool = False
    on_tree: bool = False
    menu: BetMenu | None = None  # instead of fractions

    def raise_totals(self, state: BettingState) -> list[int]:
        """The legal totals of all sizes, ascending, each once."""
        if self.menu is not None:
            return list(menu_raise_totals(self.menu, state))
        bounds = state.raise_bounds()
        if bounds is None:
            return []
        totals = {total for fraction in self.fractions if (total := raise_total_of_fraction(state, fraction))}
        return sorted(totals | {bounds[1]} if self.all_in else totals)


def parse_bets(text: str) -> BetSet:
    """The set that `text` names."""
    match text:
        case "fc":
            return BetSet(text)
        case "fcpa":
            return BetSet(text, fractions=(1.0,), all_in=True)
        case "56bets":
            return BetSet(text, fractions=tuple(0.05 * 1.15**k for k in range(55)), all_in=True)
        case "on-tree":
            return BetSet(text, on_tree=True)
    parts = [part.strip() for part in text.split(",")]
    try:
        fractions = tuple(float(part) for part in parts if part != "all-in")
    except ValueError:
        return BetSet(text, menu=_parse_menu(text))
    if any(fraction < 0 or not isfinite(fraction) for fraction in fractions):
        raise InputError(f"fractions of the pot must be at least 0; got `{text}`")
    return BetSet(text, fractions=fractions, all_in="all-in" in parts)


def _parse_menu(text: str) -> BetMenu:
    """A menu that has sizes for both players on every street, so that none is found missing in the middle of a hand."""
    try:
        menu = parse_bet_menu(text)
        for street in range(len(STREETS)):
            for player in (0, 1):
                menu.sizes(street=street, player=player, num_bets=0, is_lead=False)
    except InputError as error:
        raise InputError(
            f"there is no set of bets `{text}`: {error}",
            hint=f"sets are {', '.join(_NAMES)}, fractions as in `0.5,1,2,all-in`, or sizes as in `50%,a / 3x`",
        ) from None
    return menu
