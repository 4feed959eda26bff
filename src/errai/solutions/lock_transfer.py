"""A strategy carried over to the same spot with locks, whose tree may merge fewer suits."""

from functools import cache

import numpy as np

from errai.cards.hands import number_of_hand
from errai.games.spot import Spot
from errai.solutions.flat_query import PublicStates
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.lane_arrays import LaneArray, node_values, set_node_values, write_locks, zeros
from errai.trees.public_tree import PublicTree
from errai.trees.sequence_form import Float64Array
from errai.trees.tree_path import place_board

Weights = tuple[LaneArray, LaneArray]


def lock_strategy(tree: PublicTree, strategy: Weights, locked: PublicTree) -> Weights:
    """The strategy of `tree` on `locked`, with its locks."""
    result = zeros(locked, 0), zeros(locked, 1)
    if _is_same_layout(tree, locked):
        for own, array in zip(result, strategy, strict=True):
            own.values[:] = array.values
    else:
        _copy_by_hand(tree, strategy, locked, result)
    write_locks(locked, result)
    return result


def _is_same_layout(tree: PublicTree, locked: PublicTree) -> bool:
    if tree.precision != locked.precision or tree.num_values != locked.num_values:
        return False
    return all(
        ours.cards == theirs.cards
        and all(np.array_equal(a.raw_hands, b.raw_hands) for a, b in zip(ours.hands, theirs.hands, strict=True))
        for round_index, tree_round in enumerate(tree.rounds)
        for ours, theirs in zip(tree_round.boards, locked.rounds[round_index].boards, strict=True)
    )


def _copy_by_hand(tree: PublicTree, strategy: Weights, locked: PublicTree, result: Weights) -> None:
    """Board by board: every hand of the locked tree gets what its class did."""
    for round_index, tree_round in enumerate(locked.rounds):
        for board_index, board in enumerate(tree_round.boards):
            placed = place_board(tree, board.cards)[round_index]
            for group_index, group in enumerate(tree_round.groups):
                for node_index, node in enumerate(group.shape.nodes):
                    place = {"round_index": round_index, "group": group_index, "node_index": node_index}
                    values = node_values(tree, strategy[node.player], board_index=placed.index, **place)
                    rows = placed.tree_hands[node.player][board.hands[node.player].raw_hands]
                    set_node_values(locked, result[node.player], values[rows], board_index=board_index, **place)


def lock_form_strategy(states: PublicStates, strategy: Float64Array, locked: ExtensiveForm, spot: Spot) -> Float64Array:
    """The strategy of the form behind `states` on `locked`, the form of `spot`, with its locks."""
    deck = spot.definition.deck

    @cache
    def probabilities(board: str, betting: str) -> Float64Array:
        return states.probabilities(strategy, spot.parse_whole_betting(betting), deck.parse(board))

    result = locked.uniform_strategy()
    for infoset, label in enumerate(locked.infoset_labels):
        cards, _, betting = label.partition(":")
        hole, *board = cards.split("/")
        result[locked.actions_of(infoset)] = probabilities("".join(board), betting)[number_of_hand(deck.parse(hole))]
    assert locked.locks is not None
    return locked.locks.apply(locked, result)
