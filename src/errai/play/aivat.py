"""AIVAT (Burch et al. 2018): what a player wins against a known strategy, with most of the luck removed.

The player is anybody: a local best response, a person, or a program whose hands were recorded. The opponent's strategy
is known, and so are the player's cards. The baseline is the value of checking and calling down
(`errai.play.called_down`) against the opponent's range p,

    V(s) = sum_h p(h) called_down(s, edge against h)

V is the mean of itself over the next cards of the board, and its mean over the player's own cards is known: zero in a
whole game, at a spot that of one range against the other. So the luck of all cards cancels; what is left is that mean
and the steps at which a player departs from calling:

    sum over the player's folds and raises a      of  V(after a) - V(before)
  + sum over the opponent's decisions             of  sum_a probability(a) V(after a) - V(before)

The opponent's draw of an action is replaced by its mean, so that luck cancels too. The mean of the estimate is what the
player wins on average.
"""

import numpy as np

from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import UNLIMITED
from errai.games.played_hand import Cards
from errai.games.state import Action, BettingState, Call, Raise
from errai.play.called_down import (
    called_down_chips,
    dead_share_chips,
    lost_by_fold_chips,
    matched_chips,
    rake_chips,
    won_by_fold_chips,
)
from errai.play.hand_start import HandStart
from errai.play.local_best_response import expectation, showdown_edge
from errai.play.opponent_range import Float64Array, OpponentRange


class AivatObserver:
    """One hand from the player's side: the range of the opponent, and the estimate so far."""

    def __init__(self, start: HandStart, own_cards: Cards, *, seat: int) -> None:
        self.range = OpponentRange(start.definition, own_cards, start.opponent_weights(seat))
        self.own_cards = own_cards
        self.chips = 0.0
        if start.spot is not None:
            self.chips = called_down_chips(start.state, max(start.state.committed), start.mean_edge(seat))
        self._board = () if start.spot is None else start.spot.board_cards

    def observe_board(self, board: Cards) -> None:
        """Cards that were dealt since the last action."""
        if len(board) > len(self._board):
            self.range.observe_cards(board[len(self._board) :])
            self._board = board

    def observe_own_action(self, state: BettingState, action: Action) -> None:
        """The player's action at `state`, on the board that was observed last."""
        self.chips += own_step(state, action, self.range.probabilities, self.own_cards, self._board)

    def observe_opponent(self, state: BettingState, played: ActionProbabilities, action: Action) -> None:
        """The opponent's action at `state`, drawn from `played`."""
        self.chips += opponent_step(state, played, self.range.probabilities, self.own_cards, self._board)
        self.range.observe_action(played, action)


def own_step(
    state: BettingState, action: Action, opponent_range: Float64Array, own_cards: Cards, board: Cards
) -> float:
    """V after the player's action minus V before it."""
    if isinstance(action, Call):
        return 0.0
    edge = float(opponent_range @ showdown_edge(state.definition, own_cards, board))
    before = called_down_chips(state, max(state.committed), edge)
    if isinstance(action, Raise):
        return called_down_chips(state, action.total, edge) - before
    assert state.actor is not None
    return -lost_by_fold_chips(state, state.actor) - before


def opponent_step(
    state: BettingState,
    probabilities: ActionProbabilities,
    opponent_range: Float64Array,
    own_cards: Cards,
    board: Cards,
) -> float:
    """The mean of V after the opponent's action minus V before it."""
    fold, raises = probabilities.fold, probabilities.raises
    if not (fold.any() or raises.any()):
        return 0.0
    assert state.actor is not None
    edges = opponent_range * showdown_edge(state.definition, own_cards, board)
    edge = float(edges.sum())
    before = matched_chips(state, max(state.committed))
    totals = np.minimum(probabilities.raise_totals, matched_chips(state, UNLIMITED))
    added = totals - before
    # Not `@`: a product of whole numbers and fractions takes a path that measured a hundred times as slow.
    mean_added = (raises * added).sum(axis=1)
    folded, folded_edge = expectation(fold, opponent_range, 1.0), expectation(fold, edges, edge)
    step = (
        won_by_fold_chips(state, state.actor) * folded
        - called_down_chips(state, max(state.committed), folded_edge, folded)
        + expectation(mean_added, edges, edge)
    )
    if state.definition.rake is None:
        return step
    dead_share = dead_share_chips(state)
    rake_before = rake_chips(state, before + dead_share)
    rake_added = np.array([rake_chips(state, total + dead_share) - rake_before for total in totals.tolist()])
    mean_rake = (raises * rake_added).sum(axis=1)
    return step - (expectation(mean_rake, opponent_range, 1.0) + expectation(mean_rake, edges, edge)) / 2
