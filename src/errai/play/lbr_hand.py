"""One hand of local best response, and three estimates of what it is worth.

All three have the same mean: what LBR wins on average.

`plain`      what LBR won in this hand.
`imaginary`  its mean over all hands that the opponent could hold on the line that was played, each as probable as
             LBR's range says, on the board that was dealt.
`aivat`      AIVAT (Burch et al. 2018) with the value of checking and calling down as its baseline,
             V(s) = M(s) sum_h p(h) (2 e(h) - 1). V is the mean of itself over the next cards of the board, and zero on
             average over LBR's own cards, so the luck of all cards cancels; what is left are the steps at which
             somebody departs from calling:

                 sum over LBR's folds and raises a         of  V(after a) - V(before)
               + sum over the opponent's decisions         of  sum_a probability(a) V(after a) - V(before)

             The opponent's draw of an action is replaced by its mean, so that luck cancels too.
"""

from dataclasses import dataclass

import numpy as np

from errai.cards.hands import number_of_hand
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import UNLIMITED
from errai.games.played_hand import Deal
from errai.games.showdown import payoffs_chips
from errai.games.state import Action, BettingState, Call, Raise, initial_state
from errai.games.strategies import ExploitedStrategy
from errai.play.local_best_response import LocalBestResponse, expectation, matched_chips, showdown_edge
from errai.play.opponent_range import Float64Array, OpponentRange


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """What LBR won in one hand, in chips, estimated in three ways."""

    plain: float
    imaginary: float
    aivat: float
    last_round: int  # of the last action


def play_hand(
    response: LocalBestResponse,
    strategy: ExploitedStrategy,
    deal: Deal,
    *,
    seat: int,
    generator: np.random.Generator,
    with_aivat: bool = True,
) -> HandOutcome:
    """One hand with LBR as player `seat`; `generator` draws the opponent's actions."""
    definition = response.definition
    own_cards = deal.hole_cards[seat]
    opponent_hand = number_of_hand(deal.hole_cards[1 - seat])
    state = initial_state(definition)
    # What is so and what LBR believes: the same unless the strategy tells only estimates of itself.
    actual = OpponentRange(definition, own_cards)
    believed = OpponentRange(definition, own_cards) if strategy.tells_estimates else actual
    aivat = 0.0
    board: tuple[int, ...] = ()
    while True:
        new_board = deal.board_at(state)
        if len(new_board) > len(board):
            for tracked in {actual, believed}:
                tracked.observe_cards(new_board[len(board) :])
            board = new_board
        if state.actor is None:
            break
        if state.actor == seat:
            action = response.choose(strategy, state, board, own_cards, believed.probabilities)
            if with_aivat:
                aivat += _own_step(state, action, actual.probabilities, own_cards, board)
        else:
            told = strategy.action_probabilities(state, board)
            played = strategy.played_probabilities(state, board) if strategy.tells_estimates else told
            action = played.sample(opponent_hand, generator)
            if with_aivat:
                aivat += _opponent_step(state, played, actual.probabilities, own_cards, board)
            actual.observe_action(played, action)
            if strategy.tells_estimates:
                believed.observe_action(told, action)
        state = state.apply(action)
    plain = imaginary = float(payoffs_chips(state, deal.hole_cards, deal.board)[seat])
    if state.is_showdown:
        edge = actual.probabilities @ showdown_edge(definition, own_cards, board)
        imaginary = matched_chips(state, max(state.committed)) * float(edge)
    last_round = max((round for round, actions in enumerate(state.history) if actions), default=0)
    return HandOutcome(plain, imaginary, aivat, last_round)


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
