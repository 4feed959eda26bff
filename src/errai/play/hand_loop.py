"""One hand of two players: the only loop that plays one, for matches, local best response and the dealer.

The player to act is asked for an action until the betting is over. A player is an agent in this process, a local best
response that records what it has seen, or a client at the other end of a connection. A person, who cannot be called,
has a session (`errai.play.session`).
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from errai.games.played_hand import Deal
from errai.games.state import Action, BettingState


class Player(Protocol):
    """A player who sits at the table for one hand."""

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        """A legal action."""


@runtime_checkable
class HandWatcher(Protocol):
    """A player who is shown how the hand ended."""

    def see_end(self, position: int, betting: BettingState, deal: Deal) -> None: ...


def play_hand(start: BettingState, deal: Deal, players: tuple[Player, Player]) -> BettingState:
    """The betting when the hand is over."""
    state = start
    while state.actor is not None:
        state = state.apply(ask(players[state.actor], state, deal))
    return state


def ask(player: Player, state: BettingState, deal: Deal) -> Action:
    """What the player to act does."""
    assert state.actor is not None
    return player.act(state, deal.board_at(state), deal.hole_cards[state.actor])
