"""One hand of local best response, and three estimates of what it is worth.

All three have the same mean: what LBR wins on average.

`plain`      what LBR won in this hand.
`imaginary`  its mean over all hands that the opponent could hold on the line that was played, each as probable as
             LBR's range says, on the board that was dealt.
`aivat`      AIVAT (Burch et al. 2018) with the value of checking and calling down as its baseline,
             V(s) = M(s) sum_h p(h) (2 e(h) - 1). V is the mean of itself over the next cards of the board, and on
             average over LBR's own cards it is known: zero in a whole game, at a spot M times the mean edge of one
             range over the other. So the luck of all cards cancels; what is left is that mean and the steps at which a
             player departs from calling:

                 sum over LBR's folds and raises a         of  V(after a) - V(before)
               + sum over the opponent's decisions         of  sum_a probability(a) V(after a) - V(before)

             The opponent's draw of an action is replaced by its mean, so that luck cancels too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errai.cards.hands import number_of_hand
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import UNLIMITED
from errai.games.played_hand import Deal
from errai.games.showdown import payoffs_chips
from errai.games.state import Action, BettingState, Call, Raise
from errai.games.strategies import ExploitedStrategy
from errai.play.hand_loop import play_hand
from errai.play.local_best_response import LocalBestResponse, expectation, matched_chips, showdown_edge
from errai.play.opponent_range import Float64Array, OpponentRange


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """What LBR won in one hand, in chips, estimated in three ways."""

    plain: float
    imaginary: float
    aivat: float
    last_round: int  # of the last action


def play_lbr_hand(
    response: LocalBestResponse,
    strategy: ExploitedStrategy,
    deal: Deal,
    *,
    seat: int,
    generator: np.random.Generator,
    with_aivat: bool = True,
) -> HandOutcome:
    """One hand with LBR as player `seat`; `generator` draws the opponent's actions."""
    own_cards = deal.hole_cards[seat]
    seen = _Observer(response, strategy, own_cards, seat=seat, with_aivat=with_aivat)
    own, opponent = _OwnPlayer(response, strategy, seen), _Opponent(strategy, seen, generator)
    state = play_hand(response.start.state, deal, (own, opponent) if seat == 0 else (opponent, own))
    board = deal.board_at(state)
    seen.observe_board(board)
    plain = imaginary = float(payoffs_chips(state, deal.hole_cards, deal.board)[seat])
    if state.is_showdown:
        edge = seen.actual.probabilities @ showdown_edge(response.definition, own_cards, board)
        imaginary = matched_chips(state, max(state.committed)) * float(edge)
    last_round = max((round for round, actions in enumerate(state.history) if actions), default=0)
    return HandOutcome(plain, imaginary, seen.aivat, last_round)


class _Observer:
    """What LBR has seen of one hand: the opponent's range, and the sum of AIVAT so far."""

    def __init__(
        self,
        response: LocalBestResponse,
        strategy: ExploitedStrategy,
        own_cards: tuple[int, ...],
        *,
        seat: int,
        with_aivat: bool,
    ) -> None:
        start = response.start
        weights = start.opponent_weights(seat)
        # The true range and the one that LBR believes in: the same unless the strategy reports estimates of itself.
        self.actual = OpponentRange(response.definition, own_cards, weights)
        self.believed = (
            OpponentRange(response.definition, own_cards, weights) if strategy.tells_estimates else self.actual
        )
        self.own_cards = own_cards
        self.with_aivat = with_aivat
        self.aivat = 0.0
        if start.spot is not None:
            self.aivat = matched_chips(start.state, max(start.state.committed)) * start.mean_edge(seat)
        self._board = () if start.spot is None else start.spot.board_cards

    def observe_board(self, board: tuple[int, ...]) -> None:
        """Cards that were dealt since the last action."""
        if len(board) > len(self._board):
            for tracked in {self.actual, self.believed}:
                tracked.observe_cards(board[len(self._board) :])
            self._board = board


@dataclass(frozen=True, slots=True)
class _OwnPlayer:
    """LBR at the table."""

    response: LocalBestResponse
    strategy: ExploitedStrategy
    seen: _Observer

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        seen = self.seen
        seen.observe_board(board)
        action = self.response.choose(self.strategy, state, board, seen.own_cards, seen.believed.probabilities)
        if seen.with_aivat:
            seen.aivat += _own_step(state, action, seen.actual.probabilities, seen.own_cards, board)
        return action


@dataclass(frozen=True, slots=True)
class _Opponent:
    """The strategy at the table, watched by LBR."""

    strategy: ExploitedStrategy
    seen: _Observer
    generator: np.random.Generator

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        strategy, seen = self.strategy, self.seen
        seen.observe_board(board)
        reported = strategy.action_probabilities(state, board)
        played = strategy.played_probabilities(state, board) if strategy.tells_estimates else reported
        action = played.sample(number_of_hand(hole_cards), self.generator)
        if seen.with_aivat:
            seen.aivat += _opponent_step(state, played, seen.actual.probabilities, seen.own_cards, board)
        seen.actual.observe_action(played, action)
        if strategy.tells_estimates:
            seen.believed.observe_action(reported, action)
        return action


def _own_step(
    state: BettingState,
    action: Action,
    opponent_range: Float64Array,
    own_cards: tuple[int, ...],
    board: tuple[int, ...],
) -> float:
    """V after LBR's action minus V before it."""
    if isinstance(action, Call):
        return 0.0
    edge = float(opponent_range @ showdown_edge(state.definition, own_cards, board))
    before = matched_chips(state, max(state.committed)) * edge
    if isinstance(action, Raise):
        return matched_chips(state, action.total) * edge - before
    assert state.actor is not None
    return -state.committed[state.actor] - before


def _opponent_step(
    state: BettingState,
    probabilities: ActionProbabilities,
    opponent_range: Float64Array,
    own_cards: tuple[int, ...],
    board: tuple[int, ...],
) -> float:
    """The mean of V after the opponent's action minus V before it."""
    fold, raises = probabilities.fold, probabilities.raises
    if not (fold.any() or raises.any()):
        return 0.0
    assert state.actor is not None
    edges = opponent_range * showdown_edge(state.definition, own_cards, board)
    edge = float(edges.sum())
    before = matched_chips(state, max(state.committed))
    added = np.minimum(probabilities.raise_totals, matched_chips(state, UNLIMITED)) - before
    # Not `@`: a product of whole numbers and fractions takes a path that measured a hundred times as slow.
    mean_added = (raises * added).sum(axis=1)
    return (
        state.committed[state.actor] * expectation(fold, opponent_range, 1.0)
        - before * expectation(fold, edges, edge)
        + expectation(mean_added, edges, edge)
    )
