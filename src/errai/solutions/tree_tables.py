"""A strategy on a public tree as tables: one row per infoset, or columns with one row per hand.

In a no-limit game, where actions differ from state to state, there is one row per hand and action. The columns hold one
board of each class of isomorphic ones, and one hand of each class on its board.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from errai.cards.hands import hands
from errai.games.definition import GameDefinition
from errai.reports.infoset import InfosetRow
from errai.solutions.engine import Columns
from errai.solutions.node_strategies import NodeStrategy
from errai.solutions.state_table import action_columns
from errai.trees.symmetry import RankSymmetry


def node_rows(definition: GameDefinition, strategies: Iterable[NodeStrategy]) -> Iterator[InfosetRow]:
    """The rows of a strategy, node by node."""
    for strategy in strategies:
        cards = _card_texts(definition, strategy)
        for lane, betting in enumerate(strategy.betting):
            actions = strategy.actions(lane)
            for hand in np.argsort(strategy.hands.raw_hands):
                yield InfosetRow(
                    player=strategy.node.player,
                    cards=cards[hand],
                    betting=betting,
                    probabilities=dict(zip(actions, strategy.probabilities[hand, :, lane].tolist(), strict=True)),
                )


def node_columns(definition: GameDefinition, strategies: Iterable[NodeStrategy]) -> Iterator[Columns]:
    """Every decision, one node of one board after the other."""
    deck = definition.deck
    texts = np.array([deck.text(cards[::-1]) for cards in hands(deck, definition.num_hole_cards).tolist()])
    for strategy in strategies:
        board, held = strategy.board, strategy.hands
        for lane, betting in enumerate(strategy.betting):
            probabilities, actions = strategy.probabilities[:, :, lane], strategy.actions(lane)
            columns: Columns = {
                "betting": np.repeat(np.array([betting]), held.num_hands),
                "board": np.repeat(np.array([deck.text(board.cards)]), held.num_hands),
                "player": np.repeat(np.array([strategy.node.player]), held.num_hands),
                "hand": texts[held.raw_hands],
            }
            if definition.is_limit:
                yield {**columns, **action_columns(actions, probabilities, is_limit=True)}
                continue
            yield {
                **{name: np.repeat(column, len(actions)) for name, column in columns.items()},
                "action": np.tile(np.array(actions), held.num_hands),
                "probability": probabilities.ravel(),
            }


def _card_texts(definition: GameDefinition, strategy: NodeStrategy) -> list[str]:
    deck, board = definition.deck, strategy.board
    has_suits = not isinstance(board.symmetry, RankSymmetry)
    names = [deck.card_text(card) if has_suits else deck.card_text(card)[0] for card in range(deck.size)]
    board_text = ""
    first = 0
    for count in definition.num_board_cards[: strategy.round + 1]:
        board_text += "/" * (count > 0) + "".join(names[card] for card in board.cards[first : first + count])
        first += count
    hole = hands(deck, definition.num_hole_cards)[strategy.hands.raw_hands]
    return ["".join(names[card] for card in sorted(cards, reverse=True)) + board_text for cards in hole.tolist()]
