"""One hand of two players: the only loop that plays one, for matches, for local best response and for the dealer.

Whoever is to act is asked for an action until the betting is over. What a player is, an agent in this process, a local
best response that keeps book of what it has seen, or a client at the other end of a connection, is its own business.
"""

from collections.abc import Sequence
from typing import Protocol

from errai.games.played_hand import Deal
from errai.games.state import Action, BettingState


class Player(Protocol):
    """A player who sits at the table for one hand."""

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        """A legal action."""


def play_hand(start: BettingState, deal: Deal, players: tuple[Player, Player]) -> BettingState:
    """The betting when the hand is over."""
    state = start
    while state.actor is not None:
        action = players[state.actor].act(state, deal.board_at(state), deal.hole_cards[state.actor])
        state = state.apply(action)
    return state
