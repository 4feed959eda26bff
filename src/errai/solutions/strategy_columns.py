"""A strategy as a table, one row a hand: of one public state, or of a whole tree.

The table of a tree holds one board of each class of isomorphic ones, and one hand of each class on its board.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.solutions.node_strategies import node_strategies
from errai.solutions.tree_query import PublicStateReport
from errai.trees.lane_arrays import LaneArray
from errai.trees.public_tree import PublicTree

Columns = dict[str, NDArray[np.generic]]
_ACTIONS = {"f": "fold", "c": "call", "r": "raise"}


def state_columns(report: PublicStateReport) -> Columns:
    """All hands that are possible for the player to act."""
    player = report.player
    possible = ~np.isnan(report.probabilities[:, 0])
    columns: Columns = {"hand": np.array(report.hand_texts)[possible]}
    columns |= {
        "reach": report.reach[player][possible],
        "opponent_reach": report.reach[1 - player][possible],
        **_action_columns(report.actions, report.probabilities[possible]),
    }
    for name, values in (("value_chips", report.value_chips), ("best_response_chips", report.best_response_chips)):
        if values is not None:
            columns[name] = values[player][possible]
    return columns


def tree_columns(tree: PublicTree, weights: tuple[LaneArray, LaneArray]) -> Iterator[Columns]:
    """Every decision of the tree, one node of one board after the other."""
    deck = tree.definition.deck
    texts = np.array([deck.text(cards[::-1]) for cards in hands(deck, tree.definition.num_hole_cards).tolist()])
    for strategy in node_strategies(tree, weights):
        board, node = strategy.board, strategy.node
        by_lane = strategy.probabilities.transpose(2, 0, 1).reshape(-1, node.num_actions)
        yield {
            "betting": np.repeat(strategy.betting, board.num_hands),
            "board": np.repeat([deck.text(board.cards)], len(by_lane)),
            "player": np.repeat([node.player], len(by_lane)),
            "hand": np.tile(texts[board.raw_hands], len(strategy.betting)),
            **_action_columns(tuple(node.actions), by_lane),
        }


def _action_columns(actions: tuple[str, ...], probabilities: NDArray[np.float64]) -> Columns:
    """A column for each action there is; NaN where the state does not allow it."""
    missing = np.full(len(probabilities), np.nan)
    return {
        name: probabilities[:, actions.index(letter)] if letter in actions else missing
        for letter, name in _ACTIONS.items()
    }
