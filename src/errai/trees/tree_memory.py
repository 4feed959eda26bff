"""What the lanes engine takes beside the arrays of its solver, so that the memory reported is the memory taken.

1. The tables of the tree, for every hand of every board: those of the kernels (`native/lanes/tree.hpp`) and ours.
2. Where a call can be all-in before the last round, the edge of every hand over every hand of the opponent.
3. The work of a pass, one for each player (`native/lanes/round_tables.hpp`): the weights of the hands once more in the
   precision of the arithmetic and, with threads, the values of all boards that they take turns at.
"""

import numpy as np

from errai.trees.public_tree import PublicTree
from errai.trees.tree_rounds import rounds_with_edges


def table_bytes(tree: PublicTree) -> int:
    """What the tables of the tree take."""
    boards = [board for tree_round in tree.rounds for board in tree_round.boards]
    parent, class_weight, up_weight, card = 4, 8, 8, 1 + 8
    kernel_bytes = _num_hands(tree) * (parent + class_weight + up_weight + tree.definition.num_hole_cards * card)
    lists = {id(own): own for board in boards for own in board.hands}.values()
    return kernel_bytes + _edge_bytes(tree) + sum(own.raw_hands.nbytes + own.hand_of_raw.nbytes for own in lists)


def work_bytes(tree: PublicTree, *, num_threads: int) -> int:
    """What an iteration takes while it runs."""
    numbers = _num_hands(tree) * (2 + tree.definition.num_hole_cards)
    if num_threads > 1:
        numbers += _num_shared_values(tree)
    return 2 * numbers * np.dtype(tree.dtype).itemsize


def _edge_bytes(tree: PublicTree) -> int:
    """What the edges of all-in calls take, one table per player and board."""
    num_pairs = sum(
        board.hands[0].num_hands * board.hands[1].num_hands
        for index in rounds_with_edges(tree.rounds)
        for board in tree.rounds[index].boards
    )
    return 2 * num_pairs * np.dtype(np.float32).itemsize


def _num_hands(tree: PublicTree) -> int:
    return sum(tree_round.num_hands(player) for tree_round in tree.rounds for player in (0, 1)) // (
        2 if tree.has_one_list else 1
    )


def _num_shared_values(tree: PublicTree) -> int:
    """The values of the boards below the first one that has several below it."""
    for tree_round, below in zip(tree.rounds, tree.rounds[1:], strict=False):
        num_children = max(board.num_children for board in tree_round.boards)
        if num_children > 1:
            return num_children * max(below.most_hands(player) for player in (0, 1)) * below.padded_lanes
    return 0
