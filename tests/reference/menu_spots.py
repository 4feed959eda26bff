"""A spot of any game with its bet menu as a game made in Python: one node per history. Obvious, and slow."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from errai.cards.hands import hands
from errai.cards.strength import hand_strengths
from errai.games.acpc import format_betting
from errai.games.menu_sizes import menu_raise_totals
from errai.games.spot import Spot
from errai.games.state import CALL, FOLD, Action, BettingState, Raise
from errai.trees.custom_game import Chance, Decision, Terminal

Cards = tuple[int, ...]


@dataclass(frozen=True)
class State:
    """Both hands, None before the deal; the board; the betting."""

    holes: tuple[Cards, Cards] | None
    board: Cards
    betting: BettingState


class MenuSpot:
    """Hands are dealt in proportion to the product of their weights, then the betting goes on from the root."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.definition = spot.definition
        self.cards: list[Cards] = [
            tuple(cards) for cards in hands(self.definition.deck, self.definition.num_hole_cards).tolist()
        ]

    def initial(self) -> State:
        return State(None, self.spot.board_cards, self.spot.root)

    def node(self, state: State) -> Terminal | Chance[State] | Decision[State]:
        if state.holes is None:
            return self._deal(state)
        betting = state.betting
        if betting.folded_player is not None:
            return Terminal(self._won(betting, winner=1 - betting.folded_player))
        num_cards = sum(self.definition.num_board_cards[: betting.round + 1])
        if len(state.board) < num_cards:
            used = {*state.board, *state.holes[0], *state.holes[1]}
            left = [card for card in range(self.definition.deck.size) if card not in used]
            # One round at a time, although an all-in deals several at once: which changes nothing.
            boards = [state.board + deal for deal in combinations(left, self._next_deal(state.board))]
            outcomes = [(State(state.holes, board, betting), 1 / len(boards)) for board in boards]
            return Chance(outcomes, is_public=True)
        if betting.actor is None:
            first, second = (self._strength(hole, state.board) for hole in state.holes)
            return Terminal(0.0 if first == second else self._won(betting, winner=int(second > first)))
        children = {
            repr(action): State(state.holes, state.board, betting.apply(action)) for action in self._actions(betting)
        }
        key = f"{self._seen(state.holes[betting.actor], state.board)}:{format_betting(betting)}"
        return Decision(betting.actor, infoset=key, children=children)

    def _seen(self, hole: Cards, board: Cards) -> str:
        """The cards that a player sees, round by round, the highest first: `AsKs/7h5d2c`."""
        groups = [hole]
        for count in self.definition.num_board_cards:
            groups.append(board[:count])
            board = board[count:]
        texts = [self.definition.deck.text(sorted(cards, reverse=True)) for cards in groups]
        return "/".join(text for text in texts if text)

    def _deal(self, state: State) -> Chance[State]:
        first, second = self.spot.weights
        pairs = [
            ((self.cards[a], self.cards[b]), float(first[a] * second[b]))
            for a in np.flatnonzero(first)
            for b in np.flatnonzero(second)
            if not {*self.cards[a]} & {*self.cards[b]}
        ]
        total = sum(weight for _, weight in pairs)
        return Chance([(State(holes, state.board, state.betting), weight / total) for holes, weight in pairs])

    def _next_deal(self, board: Cards) -> int:
        dealt = 0
        for count in self.definition.num_board_cards:
            if dealt == len(board) and count:
                return count
            dealt += count
        raise AssertionError("the board is complete")

    def _actions(self, betting: BettingState) -> list[Action]:
        if self.spot.menu is None:
            return list(betting.legal_actions())
        totals = menu_raise_totals(self.spot.menu, betting, dead_pot=self.spot.dead_pot_chips)
        return [*([FOLD] if betting.can_fold() else []), CALL, *(Raise(total) for total in totals)]

    def _won(self, betting: BettingState, *, winner: int) -> float:
        chips = self.spot.dead_pot_chips / 2 + min(betting.committed)
        return chips if winner == 0 else -chips

    def _strength(self, hole: Cards, board: Cards) -> int:
        return int(hand_strengths(self.definition.deck, np.array([[*hole, *board]], dtype=np.uint8))[0])
