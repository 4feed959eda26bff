"""One iteration of CFR-BR for one seat on all flops, in plain loops over betting, boards and hands.

The player acts by buckets. Its opponent acts by a strategy of every hand in the first round, and after it takes the
action that is best in the real game, or all that are equally good. All vectors are [hand of the deck].
"""

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.games.acpc import format_betting
from errai.games.showdown import payoffs_chips
from errai.games.state import BettingState
from errai.trees.betting_tree import BettingTree
from errai.trees.bucket_layout import HandBuckets

Vector = NDArray[np.float64]
# The probabilities of the actions at a decision: (betting, bucket or hand) -> [action].
Strategy = Callable[[str, int], Vector]


class CfrBrIteration:
    """What an iteration adds, by (betting, bucket or hand): `regrets` and `average` of the player's buckets, and
    `opponent_regrets` of the hands of its opponent in the first round."""

    def __init__(
        self, betting: BettingTree, table: HandBuckets, player: int, strategy: Strategy, opponent: Strategy
    ) -> None:
        self._betting = betting
        self._definition = betting.root.definition
        self._table = table
        self._player = player
        self._strategy = strategy
        self._opponent = opponent
        self._hands = [tuple(hand) for hand in hands(self._definition.deck, self._definition.num_hole_cards).tolist()]
        self.regrets: dict[tuple[str, int], Vector] = defaultdict(lambda: np.zeros(1))
        self.average: dict[tuple[str, int], Vector] = defaultdict(lambda: np.zeros(1))
        self.opponent_regrets: dict[tuple[str, int], Vector] = defaultdict(lambda: np.zeros(1))
        self._pairs: dict[tuple[str, tuple[int, ...], int], Vector] = {}  # payoffs of all pairs of hands
        self._buckets_of_boards: dict[tuple[int, ...], NDArray[np.int32]] = {}
        everything = np.ones(len(self._hands))
        self._update(betting.root, (), everything, everything)

    def _update(self, state: BettingState, board: tuple[int, ...], own: Vector, opponent: Vector) -> Vector:
        """The values of the player's hands; `own` and `opponent` are what both players' actions lead here with."""
        if self._deals(state, board):
            return self._mean_over_cards(board, lambda after: self._update(state, after, own, opponent))
        if state.is_terminal:
            return self._payoffs(state, board, self._player, opponent)
        actions, betting = self._betting.actions(state), format_betting(state)
        if state.actor != self._player:
            probabilities = self._opponent_probabilities(state, board, own)
            sequels = [
                self._update(state.apply(action), board, own, opponent * probabilities[:, number])
                for number, action in enumerate(actions)
            ]
            return _total(sequels)
        probabilities = self._probabilities(state, board)
        values = np.stack(
            [
                self._update(state.apply(action), board, own * probabilities[:, number], opponent)
                for number, action in enumerate(actions)
            ],
            axis=1,
        )
        mean = _mean(values, probabilities)
        for hand, bucket in enumerate(self._buckets(state, board)):
            if bucket >= 0:
                key = betting, int(bucket)
                self.regrets[key] = self.regrets[key] + values[hand] - mean[hand]
                self.average[key] = self.average[key] + own[hand] * probabilities[hand]
        return mean

    def _respond(self, state: BettingState, board: tuple[int, ...], own: Vector) -> Vector:
        """The values of the opponent's hands."""
        if self._deals(state, board):
            return self._mean_over_cards(board, lambda after: self._respond(state, after, own))
        if state.is_terminal:
            return self._payoffs(state, board, 1 - self._player, own)
        if state.actor == self._player:
            probabilities = self._probabilities(state, board)
            sequels = [
                self._respond(state.apply(action), board, own * probabilities[:, number])
                for number, action in enumerate(self._betting.actions(state))
            ]
            return _total(sequels)
        values = self._action_values(state, board, own)
        if state.round > 0:
            return _mean(values, _best(values))
        return _mean(values, self._opponent_first_round(state))

    def _action_values(self, state: BettingState, board: tuple[int, ...], own: Vector) -> Vector:
        """What each action is worth to each of the opponent's hands."""
        sequels = [self._respond(state.apply(action), board, own) for action in self._betting.actions(state)]
        return np.stack(sequels, axis=1)

    def _opponent_probabilities(self, state: BettingState, board: tuple[int, ...], own: Vector) -> Vector:
        values = self._action_values(state, board, own)
        if state.round > 0:
            return _best(values)
        probabilities = self._opponent_first_round(state)
        mean = _mean(values, probabilities)
        for hand in range(len(self._hands)):
            self.opponent_regrets[format_betting(state), hand] = values[hand] - mean[hand]
        return probabilities

    def _opponent_first_round(self, state: BettingState) -> Vector:
        return np.stack([self._opponent(format_betting(state), hand) for hand in range(len(self._hands))])

    def _probabilities(self, state: BettingState, board: tuple[int, ...]) -> Vector:
        rows = [self._strategy(format_betting(state), max(int(bucket), 0)) for bucket in self._buckets(state, board)]
        return np.stack(rows)

    def _buckets(self, state: BettingState, board: tuple[int, ...]) -> NDArray[np.int32]:
        if board not in self._buckets_of_boards:
            cards = np.array([board], dtype=np.uint8).reshape(1, -1)
            self._buckets_of_boards[board] = self._table.of_boards(state.round, cards)[0]
        return self._buckets_of_boards[board]

    def _deals(self, state: BettingState, board: tuple[int, ...]) -> bool:
        """Whether cards come next."""
        if state.folded_player is not None:
            return False
        rounds = None if state.is_terminal else state.round + 1
        return len(board) < sum(self._definition.num_board_cards[:rounds])

    def _mean_over_cards(self, board: tuple[int, ...], value: Callable[[tuple[int, ...]], Vector]) -> Vector:
        """Over the cards of the next round, which are those that neither player holds."""
        definition = self._definition
        ends = np.cumsum(definition.num_board_cards).tolist()
        count = next(end for end in ends if end > len(board)) - len(board)
        left = [card for card in range(definition.deck.size) if card not in board]
        total = np.zeros(len(self._hands))
        for cards in combinations(left, count):
            is_possible = [not set(hand) & set(cards) for hand in self._hands]
            total += np.where(is_possible, value((*board, *cards)), 0.0)
        return total / comb(len(left) - 2 * definition.num_hole_cards, count)

    def _payoffs(self, state: BettingState, board: tuple[int, ...], winner: int, reach: Vector) -> Vector:
        """What each hand of `winner` wins from the other player's hands, each times its reach."""
        key = format_betting(state), board, winner
        if key not in self._pairs:
            self._pairs[key] = np.array(
                [[self._payoff(state, board, winner, own, other) for other in self._hands] for own in self._hands]
            )
        return self._pairs[key] @ reach

    def _payoff(
        self, state: BettingState, board: tuple[int, ...], winner: int, own: tuple[int, ...], other: tuple[int, ...]
    ) -> float:
        if len({*own, *other, *board}) < len(own) + len(other) + len(board):
            return 0.0
        return float(payoffs_chips(state, (own, other) if winner == 0 else (other, own), board)[winner])


def _total(values: list[Vector]) -> Vector:
    total: Vector = np.sum(values, axis=0)
    return total


def _mean(values: Vector, probabilities: Vector) -> Vector:
    """Over the actions of each hand."""
    mean: Vector = (values * probabilities).sum(axis=1)
    return mean


def _best(values: Vector) -> Vector:
    """The probabilities of a best response: 1 for the best action of each hand, or an even share."""
    is_best = values >= values.max(axis=1, keepdims=True) - 1e-9
    probabilities: Vector = is_best / is_best.sum(axis=1, keepdims=True)
    return probabilities
