"""What a finished hand pays, given the cards.

With a dead pot of D chips in the middle, half from each player, and M called chips of each, the winner gets M + D/2
from the loser. Rake is taken from the whole pot, 2 M + D: from the winner, or from both where the pot is split.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from errai.cards.strength import hand_strengths
from errai.errors import InputError
from errai.games.state import BettingState

Chips = int | Fraction  # at a spot with an odd pot or with rake, payoffs need not be whole


def payoffs_chips(
    state: BettingState, hole_cards: tuple[Sequence[int], Sequence[int]], board: Sequence[int]
) -> tuple[Chips, Chips]:
    """What each player wins; after a fold the cards do not matter."""
    winner = showdown_winner(state, hole_cards, board) if state.is_showdown else None
    definition = state.definition
    if not definition.dead_pot_chips and definition.rake is None:
        return state.payoff_chips(0, winner), state.payoff_chips(1, winner)
    if state.folded_player is not None:
        winner = 1 - state.folded_player
    share = min(state.committed) + Fraction(definition.dead_pot_chips, 2)
    rake = Fraction(0) if definition.rake is None else definition.rake.of_pot(2 * share)
    if winner is None:
        return -rake / 2, -rake / 2
    return (share - rake, -share) if winner == 0 else (-share, share - rake)


def chips_text(chips: Chips) -> str:
    """Whole chips without a point, others with up to six digits after it."""
    return str(chips) if chips == int(chips) else f"{float(chips):.6f}".rstrip("0")


def showdown_winner(
    state: BettingState, hole_cards: tuple[Sequence[int], Sequence[int]], board: Sequence[int]
) -> int | None:
    """The player with the stronger hand; None for a tie."""
    definition = state.definition
    for what, cards, expected in (
        ("hole cards of player 0", hole_cards[0], definition.num_hole_cards),
        ("hole cards of player 1", hole_cards[1], definition.num_hole_cards),
        ("board", board, sum(definition.num_board_cards)),
    ):
        if len(cards) != expected:
            raise InputError(f"a showdown needs {expected} cards as {what}; got {len(cards)}")
    hands = np.array([[*cards, *board] for cards in hole_cards], dtype=np.uint8)
    first, second = hand_strengths(definition.deck, hands)
    return None if first == second else int(first < second)
