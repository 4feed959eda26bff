"""What a finished hand pays, given the cards."""

from collections.abc import Sequence

import numpy as np

from errai.cards.strength import hand_strengths
from errai.errors import InputError
from errai.games.state import BettingState


def payoffs_chips(
    state: BettingState, hole_cards: tuple[Sequence[int], Sequence[int]], board: Sequence[int]
) -> tuple[int, int]:
    """What each player wins; after a fold the cards do not matter."""
    winner = showdown_winner(state, hole_cards, board) if state.is_showdown else None
    return state.payoff_chips(0, winner), state.payoff_chips(1, winner)


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
