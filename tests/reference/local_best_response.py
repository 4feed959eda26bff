"""Local best response the obvious way: Figure 1 of the paper line by line, and its exact value in a small game."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from errai.cards.hands import hand_index, hands
from errai.games.definition import GameDefinition
from errai.games.played_hand import Deal
from errai.games.showdown import payoffs_chips
from errai.games.state import CALL, FOLD, Action, BettingState, Raise, initial_state
from errai.games.strategies import ExploitedStrategy
from errai.play.local_best_response import LocalBestResponse
from errai.play.opponent_range import OpponentRange
from reference.equity import edge_against_each


def figure_1(
    strategy: ExploitedStrategy,
    state: BettingState,
    board: tuple[int, ...],
    hole_cards: tuple[int, ...],
    opponent_range: np.ndarray,
    totals: list[int],
) -> tuple[Action, dict[Action, float]]:
    """The paper's pseudocode, in its own words: `pot`, `asked`, `a` the chips that are added to a call."""
    definition = state.definition
    edge = edge_against_each(definition.deck, hole_cards, board, num_board_cards=sum(definition.num_board_cards))
    winning = (1 + edge) / 2
    assert state.actor is not None
    asked = state.committed[1 - state.actor] - state.committed[state.actor]
    pot = sum(state.committed)
    wp = float(opponent_range @ winning)
    utility: dict[Action, float] = {CALL: wp * pot - (1 - wp) * asked}
    for total in totals:
        a = total - state.committed[state.actor] - asked
        fold = np.broadcast_to(
            strategy.action_probabilities(state.apply_raise(total), board).fold, opponent_range.shape
        )
        fp = float(opponent_range @ fold)
        stays = opponent_range * (1 - fold)
        wp = float(stays @ winning / stays.sum()) if stays.sum() > 0 else 0.0
        utility[Raise(total)] = fp * pot + (1 - fp) * (wp * (pot + a) - (1 - wp) * (asked + a))
    best = max(utility, key=lambda action: utility[action])
    return (best if utility[best] > 0 or asked == 0 else FOLD), utility


def all_deals(definition: GameDefinition) -> Iterator[Deal]:
    """Every deal, each as probable as any other."""
    hole, board = definition.num_hole_cards, sum(definition.num_board_cards)
    for cards in permutations(range(definition.deck.size), 2 * hole + board):
        yield Deal((cards[:hole], cards[hole : 2 * hole]), cards[2 * hole :])


def exact_value_chips(response: LocalBestResponse, strategy: ExploitedStrategy, *, seat: int) -> float:
    """What LBR wins on average as player `seat`, over all deals and all that the opponent can do."""
    values = [
        _value(response, strategy, deal, initial_state(response.definition), [], seat)
        for deal in all_deals(response.definition)
    ]
    return float(np.mean(values))


def _value(
    response: LocalBestResponse,
    strategy: ExploitedStrategy,
    deal: Deal,
    state: BettingState,
    observed: list[tuple[BettingState, Action]],
    seat: int,
) -> float:
    if state.actor is None:
        return float(payoffs_chips(state, deal.hole_cards, deal.board)[seat])
    board = deal.board_at(state)
    if state.actor == seat:
        opponent_range = OpponentRange(response.definition, deal.hole_cards[seat])
        for earlier, action in observed:
            opponent_range.observe_action(strategy.action_probabilities(earlier, deal.board_at(earlier)), action)
        opponent_range.observe_cards(board)
        chosen = response.choose(strategy, state, board, deal.hole_cards[seat], opponent_range.probabilities)
        return _value(response, strategy, deal, state.apply(chosen), observed, seat)
    answer = strategy.action_probabilities(state, board)
    hand = int(hand_index(np.array(deal.hole_cards[1 - seat])))
    num_hands = len(hands(response.definition.deck, response.definition.num_hole_cards))
    actions: list[tuple[Action, np.ndarray]] = [(FOLD, answer.fold), (CALL, answer.call)]
    actions += [(Raise(int(total)), answer.raises[:, column]) for column, total in enumerate(answer.raise_totals)]
    value = 0.0
    for action, probabilities in actions:
        probability = float(np.broadcast_to(probabilities, num_hands)[hand])
        if probability > 0.0:
            after = state.apply(action)
            value += probability * _value(response, strategy, deal, after, [*observed, (state, action)], seat)
    return value
