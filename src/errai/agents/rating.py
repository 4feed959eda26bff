"""Decisions of recorded hands, compared with a stored strategy.

A decision can be rated where the strategy knows the rules, the public state and the hand. The rest is counted by the
reason: the strategy begins at a spot that the hand did not reach, the betting is not in its menu, or the cards of the
player are not recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.games.acpc import format_betting
from errai.games.action_text import describe_action
from errai.games.definition import GameDefinition
from errai.games.recorded_hand import RecordedHand
from errai.games.spot import Spot
from errai.games.state import Action, BettingState, Call, Fold, Raise, initial_state
from errai.reports.replay import RatedDecision
from errai.solutions.stored_strategy import StoredStrategy

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """A point of a recorded hand where a player acted."""

    state: BettingState
    board: Cards
    action: Action

    @property
    def player(self) -> int:
        assert self.state.actor is not None
        return self.state.actor


def decisions(hand: RecordedHand) -> Iterator[Decision]:
    """Every decision of a hand, in order."""
    definition = hand.betting.definition
    state = initial_state(definition)
    for actions in hand.betting.history:
        for action in actions:
            board = hand.board[: sum(definition.num_board_cards[: state.round + 1])]
            yield Decision(state, board, action)
            state = state.apply(action)


class Unrated(Exception):
    """Why a decision cannot be rated."""


@dataclass(frozen=True)
class StrategyRater:
    """A stored strategy that decisions are compared with."""

    stored: StoredStrategy

    def __post_init__(self) -> None:
        if self.stored.definition is None:
            raise InputError(f"`{self.stored.name}` is a game made in Python; recorded hands are poker")
        start = self.stored.start
        if start is not None and start.pot is not None:
            raise InputError(
                f"the strategy is of the spot `{start.name}`, which no betting leads to",
                hint="hands are rated by strategies of whole games and of spots that are given by `--betting`",
            )

    def rate(self, hand: RecordedHand, decision: Decision) -> RatedDecision:
        """The rating of a decision; `Unrated` says why there is none."""
        state, board, player = decision.state, decision.board, decision.player
        assert self.stored.definition is not None
        if not same_rules(hand.betting.definition, self.stored.definition):
            raise Unrated("other rules, blinds or stacks than the strategy's")
        _verify_reaches(self.stored.start, state, board)
        cards = hand.hole_cards[player]
        if cards is None:
            raise Unrated("the player's cards are not recorded")
        number = number_of_hand(cards)
        if self.stored.start is not None and not self.stored.start.weights[player][number]:
            raise Unrated("the hand is outside the player's range")
        deck = state.definition.deck
        return RatedDecision(
            hand=hand.label,
            player=hand.names[player],
            round=state.round + 1,
            betting=format_betting(state),
            board=deck.text(board),
            hole_cards=deck.text(sorted(cards, reverse=True)),
            action=describe_action(state, decision.action),
            probability=self._probability(state, board, decision.action, number),
        )

    def _probability(self, state: BettingState, board: Cards, action: Action, hand: int) -> float:
        try:
            answer = self.stored.action_probabilities(_with_definition(state, self.stored), board)
        except InputError:
            raise Unrated("the strategy does not know the betting before it") from None
        match action:
            case Fold():
                column = answer.fold
            case Call():
                column = answer.call
            case Raise(total):
                place = np.flatnonzero(answer.raise_totals == total)
                if not len(place):
                    raise Unrated("a size that the strategy's bet menu does not have")
                column = answer.raises[:, place[0]]
        return float(column[0] if len(column) == 1 else column[hand])


def same_rules(first: GameDefinition, second: GameDefinition) -> bool:
    """Whether two games differ in nothing but their names."""
    return replace(first, name="") == replace(second, name="")


def _with_definition(state: BettingState, stored: StoredStrategy) -> BettingState:
    """The state under the strategy's own name of the game."""
    assert stored.definition is not None
    return replace(state, definition=stored.definition)


def _verify_reaches(start: Spot | None, state: BettingState, board: Cards) -> None:
    if start is None:
        return
    if not format_betting(state).startswith(start.betting):
        raise Unrated("the betting does not reach the strategy's spot")
    spot_board, numbers = start.board_cards, state.definition.num_board_cards
    begin = 0
    for count in numbers[: start.root.round + 1]:
        if set(board[begin : begin + count]) != set(spot_board[begin : begin + count]):
            raise Unrated("another board than the strategy's spot")
        begin += count
