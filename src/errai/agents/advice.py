"""What a strategy does with one hand, and what a choice costs by its values.

A stored strategy knows the value of every action, if both players play on by the strategy; computing it can take long
in large games. Any other agent knows only what it does.
"""

from math import isnan

import numpy as np

from errai.agents.agent import CheckedAgent
from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.games.acpc import format_betting
from errai.games.action_text import describe_action
from errai.games.played_hand import Cards
from errai.games.state import CALL, FOLD, Action, BettingState, Raise
from errai.reports.play import Advice
from errai.solutions.stored_strategy import StoredStrategy


def advise(stored: StoredStrategy, state: BettingState, board: Cards, cards: Cards, action: Action) -> Advice | None:
    """What a stored strategy says of `action` with these cards; None where it does not know the state or the hand."""
    start, deck = stored.start, state.definition.deck
    betting = format_betting(state) if start is None else start.format_betting(state)
    try:
        report = stored.query(betting=betting, board=deck.text(board))
    except InputError:
        return None  # betting off the strategy's menu
    hand = number_of_hand(cards)
    probabilities = report.probabilities[hand]
    if np.isnan(probabilities).any():
        return None
    names = report.action_names
    chosen = names.index(text) if (text := describe_action(state, action)) in names else None
    values = None if report.action_value_chips is None else report.action_value_chips[hand].tolist()
    if values is not None and any(map(isnan, values)):
        values = None
    return Advice(names, tuple(probabilities.tolist()), None if values is None else tuple(values), chosen)


def advise_by_agent(agent: CheckedAgent, state: BettingState, board: Cards, cards: Cards, action: Action) -> Advice:
    """What any agent does with these cards."""
    answer = agent.action_probabilities(state, board)
    hand = number_of_hand(cards)
    offered: list[Action] = [*([FOLD] if state.can_fold() else []), CALL, *map(Raise, answer.raise_totals.tolist())]
    columns = [*([answer.fold] if state.can_fold() else []), answer.call, *answer.raises.T[: len(answer.raise_totals)]]
    probabilities = [float(column[0] if len(column) == 1 else column[hand]) for column in columns]
    chosen = offered.index(action) if action in offered else None
    return Advice(tuple(describe_action(state, each) for each in offered), tuple(probabilities), None, chosen)
