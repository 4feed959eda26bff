"""A strategy as a person reads it: one row an infoset, with the cards and the betting that its player sees.

Cards are written hole cards first, then the board round by round: `K/Q`; without suits where they do not matter.
Betting is written as the ACPC writes it: `rc/r`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.solutions.node_strategies import node_strategies
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.lane_arrays import LaneArray
from errai.trees.public_tree import PublicTree, TreeBoard, TreeRound
from errai.trees.symmetry import RankSymmetry


@dataclass(frozen=True)
class StrategyRow:
    """What a player does at one infoset."""

    player: int
    cards: str
    betting: str
    probabilities: dict[str, float]  # by the letter of the action


def form_rows(
    form: ExtensiveForm, strategy: NDArray[np.float64], *, last_round: int | None = None
) -> Iterator[StrategyRow]:
    """The rows of a strategy of the flat engine, up to the given round."""
    for infoset, label in enumerate(form.infoset_labels):
        actions = form.actions_of(infoset)
        cards, _, betting = label.partition(":")
        if last_round is not None and betting.count("/") > last_round:
            continue
        yield StrategyRow(
            player=int(form.infoset_player[infoset]),
            cards=cards,
            betting=betting,
            probabilities=dict(zip(form.action_labels[actions], strategy[actions].tolist(), strict=True)),
        )


def tree_rows(
    tree: PublicTree, weights: tuple[LaneArray, LaneArray], *, last_round: int | None = None
) -> Iterator[StrategyRow]:
    """The rows of a strategy of the lanes engine, up to the given round."""
    for strategy in node_strategies(tree, weights, last_round=last_round):
        board, node = strategy.board, strategy.node
        cards = _card_texts(tree, strategy.tree_round, board)
        for lane, betting in enumerate(strategy.betting):
            for hand in np.argsort(board.raw_hands):
                yield StrategyRow(
                    player=node.player,
                    cards=cards[hand],
                    betting=betting,
                    probabilities=dict(zip(node.actions, strategy.probabilities[hand, :, lane].tolist(), strict=True)),
                )


def _card_texts(tree: PublicTree, tree_round: TreeRound, board: TreeBoard) -> list[str]:
    deck = tree.definition.deck
    has_suits = not isinstance(board.symmetry, RankSymmetry)
    names = [deck.card_text(card) if has_suits else deck.card_text(card)[0] for card in range(deck.size)]
    board_text = ""
    first = 0
    for count in tree.definition.num_board_cards[: tree_round.betting.round + 1]:
        board_text += "/" * (count > 0) + "".join(names[card] for card in board.cards[first : first + count])
        first += count
    hole = hands(deck, tree.definition.num_hole_cards)[board.raw_hands]
    return ["".join(names[card] for card in sorted(cards, reverse=True)) + board_text for cards in hole.tolist()]
