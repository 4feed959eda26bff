"""One hand of local best response, and three estimates of what it is worth.

All three have the same mean: what LBR wins on average.

`plain`      what LBR won in this hand.
`imaginary`  its mean over all hands that the opponent could hold on the line that was played, each as probable as
             LBR's range says, on the board that was dealt.
`aivat`      the same with the luck of the cards and of the opponent's draws removed (`errai.play.aivat`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errai.cards.hands import number_of_hand
from errai.games.played_hand import Cards, Deal
from errai.games.showdown import payoffs_chips
from errai.games.state import Action, BettingState
from errai.games.strategies import ExploitedStrategy
from errai.play.aivat import AivatObserver
from errai.play.called_down import called_down_chips
from errai.play.hand_loop import play_hand
from errai.play.hand_start import HandStart
from errai.play.local_best_response import LocalBestResponse, showdown_edge
from errai.play.opponent_range import OpponentRange


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
    seen = _Observer(response.start, strategy, own_cards, seat=seat)
    own = _OwnPlayer(response, strategy, seen, with_aivat)
    opponent = _Opponent(strategy, seen, generator, with_aivat)
    state = play_hand(response.start.state, deal, (own, opponent) if seat == 0 else (opponent, own))
    board = deal.board_at(state)
    seen.observe_board(board)
    plain = imaginary = float(payoffs_chips(state, deal.hole_cards, deal.board)[seat])
    if state.is_showdown:
        edge = seen.actual.range.probabilities @ showdown_edge(response.definition, own_cards, board)
        imaginary = called_down_chips(state, max(state.committed), float(edge))
    last_round = max((round for round, actions in enumerate(state.history) if actions), default=0)
    return HandOutcome(plain, imaginary, seen.actual.chips if with_aivat else 0.0, last_round)


class _Observer:
    """What LBR has seen of one hand."""

    def __init__(self, start: HandStart, strategy: ExploitedStrategy, own_cards: Cards, *, seat: int) -> None:
        self.actual = AivatObserver(start, own_cards, seat=seat)
        # The range that LBR believes in: the true one unless the strategy reports estimates of itself.
        self.believed = self.actual.range
        if strategy.tells_estimates:
            self.believed = OpponentRange(start.definition, own_cards, start.opponent_weights(seat))
        self._board: Cards = () if start.spot is None else start.spot.board_cards

    def observe_board(self, board: Cards) -> None:
        """Cards that were dealt since the last action."""
        self.actual.observe_board(board)
        if self.believed is not self.actual.range and len(board) > len(self._board):
            self.believed.observe_cards(board[len(self._board) :])
        self._board = board


@dataclass(frozen=True, slots=True)
class _OwnPlayer:
    """LBR at the table."""

    response: LocalBestResponse
    strategy: ExploitedStrategy
    seen: _Observer
    with_aivat: bool

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        seen = self.seen
        seen.observe_board(board)
        action = self.response.choose(self.strategy, state, board, tuple(hole_cards), seen.believed.probabilities)
        if self.with_aivat:
            seen.actual.observe_own_action(state, action)
        return action


@dataclass(frozen=True, slots=True)
class _Opponent:
    """The strategy at the table, watched by LBR."""

    strategy: ExploitedStrategy
    seen: _Observer
    generator: np.random.Generator
    with_aivat: bool

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        strategy, seen = self.strategy, self.seen
        seen.observe_board(board)
        reported = strategy.action_probabilities(state, board)
        played = strategy.played_probabilities(state, board) if strategy.tells_estimates else reported
        action = played.sample(number_of_hand(hole_cards), self.generator)
        if self.with_aivat:
            seen.actual.observe_opponent(state, played, action)
        else:
            seen.actual.range.observe_action(played, action)
        if strategy.tells_estimates:
            seen.believed.observe_action(reported, action)
        return action
