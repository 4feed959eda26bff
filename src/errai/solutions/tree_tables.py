"""A strategy of a limit game's public tree as tables: one row per infoset, or columns with one row per hand.

The columns hold one board of each class of isomorphic ones, and one hand of each class on its board.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from errai.cards.hands import hands
from errai.games.definition import GameDefinition
from errai.reports.infoset import InfosetRow
from errai.solutions.engine import Columns
from errai.solutions.node_strategies import NodeStrategy
from errai.solutions.state_table import limit_action_columns
from errai.trees.public_tree import TreeBoard
from errai.trees.symmetry import RankSymmetry


def node_rows(definition: GameDefinition, strategies: Iterable[NodeStrategy]) -> Iterator[InfosetRow]:
    """The rows of a strategy, node by node."""
    for strategy in strategies:
        board, node = strategy.board, strategy.node
        cards = _card_texts(definition, strategy.round, board)
        for lane, betting in enumerate(strategy.betting):
            for hand in np.argsort(board.raw_hands):
                yield InfosetRow(
                    player=node.player,
                    cards=cards[hand],
                    betting=betting,
                    probabilities=dict(zip(node.actions, strategy.probabilities[hand, :, lane].tolist(), strict=True)),
                )


def node_columns(definition: GameDefinition, strategies: Iterable[NodeStrategy]) -> Iterator[Columns]:
    """Every decision, one node of one board after the other."""
    deck = definition.deck
    texts = np.array([deck.text(cards[::-1]) for cards in hands(deck, definition.num_hole_cards).tolist()])
    for strategy in strategies:
        board, node = strategy.board, strategy.node
        by_lane = strategy.probabilities.transpose(2, 0, 1).reshape(-1, node.num_actions)
        yield {
            "betting": np.repeat(strategy.betting, board.num_hands),
            "board": np.repeat([deck.text(board.cards)], len(by_lane)),
            "player": np.repeat([node.player], len(by_lane)),
            "hand": np.tile(texts[board.raw_hands], len(strategy.betting)),
            **limit_action_columns(tuple(node.actions), by_lane),
        }


def _card_texts(definition: GameDefinition, round_: int, board: TreeBoard) -> list[str]:
    deck = definition.deck
    has_suits = not isinstance(board.symmetry, RankSymmetry)
    names = [deck.card_text(card) if has_suits else deck.card_text(card)[0] for card in range(deck.size)]
    board_text = ""
    first = 0
    for count in definition.num_board_cards[: round_ + 1]:
        board_text += "/" * (count > 0) + "".join(names[card] for card in board.cards[first : first + count])
        first += count
    hole = hands(deck, definition.num_hole_cards)[board.raw_hands]
    return ["".join(names[card] for card in sorted(cards, reverse=True)) + board_text for cards in hole.tolist()]
