"""The public tree of a spot, with the decisions that are locked.

A lock is about one lane: the line that it names. It holds on every board of that line, or on one. Relabellings of suits
that would change a lock are no symmetry of the spot, so that the hands and boards of a lock are never merged with
others.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.locks import NodeLock
from errai.games.spot import Spot
from errai.trees.betting_tree import build_betting_tree
from errai.trees.public_tree import Precision, PublicTree, TreeLock, TreeNode, build_public_tree
from errai.trees.tree_path import place_board, trace_betting


def build_spot_tree(spot: Spot, *, precision: Precision = "float64", merge_suits: bool = True) -> PublicTree:
    """The tree from the root of the spot on."""
    if spot.locks and precision == "uint16":
        raise InputError("16 bits with a scale for many hands keep no locks", hint="use `--precision float32`")
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips, rake=spot.rake_rule)
    tree = build_public_tree(
        spot.definition,
        betting=betting,
        board=spot.board_cards,
        ranges=spot.weights,
        precision=precision,
        merge_suits=merge_suits,
        kept_locks=spot.node_locks,
    )
    found: dict[tuple[TreeNode, int], TreeLock] = {}
    for lock in spot.node_locks:
        for placed in _place_lock(tree, lock):
            key = (placed.node, placed.board_index)
            found[key] = placed.over(found[key]) if key in found else placed
    for placed in found.values():
        _add_to_kernel(tree, placed)
    return replace(tree, locks=tuple(found.values()))


def _place_lock(tree: PublicTree, lock: NodeLock) -> Iterator[TreeLock]:
    """A lock on every board of the tree where it holds."""
    node = trace_betting(tree, lock.state).node
    if lock.board is not None:
        placed = place_board(tree, lock.board)[node.round_index]
        yield _rows(tree, node, placed.index, lock, placed.tree_raw_hand)
        return
    every_hand = np.arange(len(lock.is_locked))
    for board_index in range(len(tree.rounds[node.round_index].boards)):
        yield _rows(tree, node, board_index, lock, every_hand)


def _rows(
    tree: PublicTree, node: TreeNode, board_index: int, lock: NodeLock, tree_raw_hand: NDArray[np.int64]
) -> TreeLock:
    """The lock for the hands of a board; `tree_raw_hand` gives the hand that each hand of the deck is there."""
    held = tree.rounds[node.round_index].boards[board_index].hands[lock.player]
    raw_hand = np.empty_like(tree_raw_hand)
    raw_hand[tree_raw_hand] = np.arange(len(tree_raw_hand))
    rows = raw_hand[held.raw_hands]
    return TreeLock(node, board_index, lock.is_locked[rows], lock.probabilities[rows])


def _add_to_kernel(tree: PublicTree, lock: TreeLock) -> None:
    node = lock.node
    for index, block in enumerate(tree.rounds[node.round_index].blocks):
        if block.group == node.group and block.first <= node.lane < block.first + block.num_lanes:
            tree.native.add_lock(
                round=node.round_index,
                board=lock.board_index,
                block=index,
                node=node.node_index,
                lane=node.lane - block.first,
                is_locked=lock.is_locked,
                probability=lock.probabilities,
            )
