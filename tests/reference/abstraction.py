"""Features of hands the obvious way: deal every board, compare with every opponent's hand."""

from collections.abc import Sequence
from itertools import combinations
from math import floor

import numpy as np

from errai.abstraction.card_rounds import CardRounds
from reference.strength import strength


def left(cards: CardRounds, seen: Sequence[int]) -> list[int]:
    return [card for card in range(cards.deck.size) if card not in seen]


def points(cards: CardRounds, hand: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
    """Two per win and one per tie on a final board, and the number of opponents' hands."""
    own = strength(cards.deck, [*hand, *board])
    total, count = 0, 0
    for opponent in combinations(left(cards, [*hand, *board]), cards.num_hole_cards):
        other = strength(cards.deck, [*opponent, *board])
        total += 2 * (own > other) + (own == other)
        count += 1
    return total, count


def final_boards(cards: CardRounds, hand: Sequence[int], board: Sequence[int]) -> list[list[int]]:
    missing = cards.board_sizes[-1] - len(board)
    return [[*board, *more] for more in combinations(left(cards, [*hand, *board]), missing)]


def strengths(cards: CardRounds, hand: Sequence[int], board: Sequence[int]) -> list[float]:
    """The strength on every final board."""
    found = []
    for final in final_boards(cards, hand, board):
        total, count = points(cards, hand, final)
        edge = total / count - 1.0
        found.append((1.0 + edge) / 2.0)
    return found


def histogram(values: Sequence[float], num_bars: int) -> np.ndarray:
    bars = np.zeros(num_bars)
    for value in values:
        bars[min(floor(value * num_bars), num_bars - 1)] += 1 / len(values)
    return bars


def cluster_equity(
    cards: CardRounds, hand: Sequence[int], board: Sequence[int], opponents: Sequence[Sequence[int]]
) -> float:
    """The equity against an opponent who holds one of these hands; NaN if all of them share a seen card."""
    total, count = 0.0, 0
    for opponent in opponents:
        if set(opponent) & {*hand, *board}:
            continue
        for final in final_boards(cards, [*hand, *opponent], board):
            own, other = strength(cards.deck, [*hand, *final]), strength(cards.deck, [*opponent, *final])
            total += (own > other) + (own == other) / 2
            count += 1
    return total / count if count else float("nan")
