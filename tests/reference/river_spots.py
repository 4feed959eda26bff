"""A river spot as a game made in Python: every pair of hands, one betting state at a time. Obvious, and slow."""

from dataclasses import dataclass

import numpy as np

from errai.cards.hands import hands
from errai.cards.strength import board_strengths
from errai.games.spot import Spot
from errai.games.state import BettingState, Call, Fold, Raise
from errai.trees.custom_game import Chance, Decision, Terminal


@dataclass(frozen=True)
class RiverState:
    """Both hands, and the betting; None before the deal."""

    held: tuple[int, int]
    betting: BettingState


class RiverSpot:
    """What a spot on the last board is, pair by pair."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        deck = spot.definition.deck
        self._strengths = board_strengths(deck, np.array(spot.board_cards, dtype=np.uint8), num_hole_cards=2)
        self._hands = [frozenset(cards) for cards in hands(deck, 2).tolist()]

    def initial(self) -> RiverState | None:
        return None

    def node(self, state: RiverState | None) -> Terminal | Chance[RiverState | None] | Decision[RiverState | None]:
        if state is None:
            return self._deal()
        betting, held = state.betting, state.held
        if betting.actor is None:
            first, second = (self._strengths[hand] for hand in held)
            winner = None if first == second else int(second > first)
            return Terminal(float(betting.payoff_chips(0, winner)))
        children: dict[str, RiverState | None] = {
            _letter(action): RiverState(held, betting.apply(action)) for action in betting.legal_actions()
        }
        return Decision(betting.actor, infoset=(held[betting.actor], betting.history), children=children)

    def _deal(self) -> Chance[RiverState | None]:
        first, second = self._spot.weights
        pairs = {
            (a, b): first[a] * second[b]
            for a in np.flatnonzero(first).tolist()
            for b in np.flatnonzero(second).tolist()
            if not self._hands[a] & self._hands[b]
        }
        total = sum(pairs.values())
        return Chance([(RiverState(pair, self._spot.root), weight / total) for pair, weight in pairs.items()])


def _letter(action: Fold | Call | Raise) -> str:
    return {Fold: "f", Call: "c", Raise: "r"}[type(action)]
