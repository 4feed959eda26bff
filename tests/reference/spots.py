"""A spot of a poker game as a game of its own, one node per history: the plainest way to say what a spot is."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.games.acpc import format_betting
from errai.games.definition import GameDefinition
from errai.games.showdown import payoffs_chips
from errai.games.state import Action, BettingState, Call, Fold
from errai.trees.custom_game import Chance, Decision, Terminal


@dataclass(frozen=True)
class SpotState:
    deal: tuple[int, int] | None  # both players' hands, as numbers
    board: tuple[int, ...]
    betting: BettingState


class SpotGame:
    """Hands are dealt by the product of the ranges' weights, then the betting goes on from `root` on `board`."""

    def __init__(
        self,
        definition: GameDefinition,
        *,
        root: BettingState,
        board: Sequence[int] = (),
        weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    ):
        self.definition = definition
        self.root = root
        self.board = tuple(board)
        self.weights = weights
        self.hand_cards = [tuple(cards) for cards in hands(definition.deck, definition.num_hole_cards).tolist()]
        pairs = [
            ((first, second), weights[0][first] * weights[1][second])
            for first in range(len(self.hand_cards))
            for second in range(len(self.hand_cards))
            if self._fits(first, self.board) and self._fits(second, (*self.board, *self.hand_cards[first]))
        ]
        self.pairs = [(pair, weight) for pair, weight in pairs if weight > 0]
        self.total_weight = sum(weight for _, weight in self.pairs)

    def _fits(self, hand: int, cards: Collection[int]) -> bool:
        return not set(self.hand_cards[hand]) & set(cards)

    def initial(self) -> SpotState:
        return SpotState(None, self.board, self.root)

    def node(self, state: SpotState) -> Terminal | Chance[SpotState] | Decision[SpotState]:
        if state.deal is None:
            outcomes = [(SpotState(pair, state.board, state.betting), w / self.total_weight) for pair, w in self.pairs]
            return Chance(outcomes)
        betting = state.betting
        holes = (self.hand_cards[state.deal[0]], self.hand_cards[state.deal[1]])
        if betting.folded_player is not None:
            return Terminal(float(betting.payoff_chips(0)))
        num_cards = sum(self.definition.num_board_cards[: betting.round + 1])
        if len(state.board) < num_cards:
            used = {*state.board, *holes[0], *holes[1]}
            left = [card for card in range(self.definition.deck.size) if card not in used]
            deals = list(combinations(left, num_cards - len(state.board)))
            return Chance(
                [(SpotState(state.deal, state.board + deal, betting), 1 / len(deals)) for deal in deals], is_public=True
            )
        if betting.actor is None:
            return Terminal(float(payoffs_chips(betting, holes, state.board)[0]))
        children = {
            _letter(action): SpotState(state.deal, state.board, betting.apply(action))
            for action in betting.legal_actions()
        }
        return Decision(
            betting.actor, spot_key(betting.actor, state.deal[betting.actor], state.board, betting), children
        )


def spot_key(player: int, hand: int, board: tuple[int, ...], betting: BettingState) -> str:
    return f"{player} {hand} {board} {format_betting(betting)}"


def _letter(action: Action) -> str:
    return "f" if isinstance(action, Fold) else "c" if isinstance(action, Call) else "r"
