"""What a hand's endings are worth, pair by pair."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.cards.strength import board_strengths
from errai.trees.public_tree import PublicTree


def evaluate_endings(
    tree: PublicTree,
    board_index: int,
    kind: str,
    fold: NDArray[Any],
    show: NDArray[Any],
    folded: NDArray[Any],
    committed: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The obvious twin of the kernel: new arrays of fold and show, [hand][lane]."""
    game = tree.definition
    board = tree.rounds[-1].boards[board_index]
    cards = hands(game.deck, game.num_hole_cards)
    strengths = board_strengths(game.deck, np.array(board.cards, dtype=np.uint8), num_hole_cards=game.num_hole_cards)
    held = board.hands[0]
    raw = np.flatnonzero(held.hand_of_raw >= 0)
    shares = (cards[held.raw_hands][:, None, :, None] == cards[raw][None, :, None, :]).any(axis=(2, 3))
    outcome = np.sign(strengths[held.raw_hands].astype(np.int64)[:, None] - strengths[raw].astype(np.int64)) * ~shares
    fold_sum = ~shares @ fold[held.hand_of_raw[raw]].astype(np.float64)
    show_sum = ~shares @ show[held.hand_of_raw[raw]].astype(np.float64)
    difference = outcome @ show[held.hand_of_raw[raw]].astype(np.float64)
    if kind == "fold":
        return folded * fold_sum, show
    if kind == "showdown":
        return fold, committed * difference
    if kind == "own":
        return -folded * show_sum, committed * difference
    # The kernel is given the fold's part less the call's; weaker and weaker-or-equal are the difference and all.
    return fold_sum + committed * (difference + show_sum), show
