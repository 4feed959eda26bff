"""Rollouts the obvious way: deal every board, compare two strengths."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.strength import hand_strengths


def edge_against_each(
    deck: Deck, hole_cards: Sequence[int], board: Sequence[int], *, num_board_cards: int
) -> np.ndarray:
    every_hand = hands(deck, len(hole_cards))
    edge = np.zeros(len(every_hand))
    for number, opponent in enumerate(every_hand.tolist()):
        seen = {*hole_cards, *board, *opponent}
        if len(seen) < 2 * len(hole_cards) + len(board):
            continue
        unseen = [card for card in range(deck.size) if card not in seen]
        boards = [(*board, *dealt) for dealt in combinations(unseen, num_board_cards - len(board))]
        own = hand_strengths(deck, np.array([(*hole_cards, *full) for full in boards], dtype=np.uint8))
        other = hand_strengths(deck, np.array([(*opponent, *full) for full in boards], dtype=np.uint8))
        edge[number] = np.sign(own - other).mean()
    return edge
