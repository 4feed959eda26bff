"""Weights of pairs of buckets by dealing every deal of a small game."""

from itertools import combinations

import numpy as np

from errai.abstraction.bucket_table import BucketTable
from errai.cards.hands import number_of_hand
from errai.cards.strength import board_strengths
from errai.games.definition import GameDefinition


def pair_counts(definition: GameDefinition, table: BucketTable) -> tuple[np.ndarray, np.ndarray]:
    size = table.counts[-1]
    weight, edge = np.zeros((size, size), dtype=np.int64), np.zeros((size, size), dtype=np.int64)
    boards: list[tuple[int, ...]] = [()]
    for dealt in definition.num_board_cards:
        boards = [
            (*board, *cards)
            for board in boards
            for cards in combinations(sorted(set(range(definition.deck.size)) - set(board)), dealt)
        ]
    for board in boards:
        buckets = table.of_board(definition.num_rounds - 1, board)
        strengths = board_strengths(
            definition.deck, np.array(board, dtype=np.uint8), num_hole_cards=definition.num_hole_cards
        )
        left = sorted(set(range(definition.deck.size)) - set(board))
        for first in combinations(left, definition.num_hole_cards):
            for second in combinations(sorted(set(left) - set(first)), definition.num_hole_cards):
                own, other = number_of_hand(first), number_of_hand(second)
                weight[buckets[own], buckets[other]] += 1
                edge[buckets[own], buckets[other]] += np.sign(strengths[own] - strengths[other])
    return weight, edge
