"""How often a hand wins against every other hand when the rest of the board is dealt in all possible ways.

The *edge* is the probability of winning minus that of losing: what a pot pays that is called down, for each chip that a
player has put in. (Equity, the probability of winning with a tie counting half, is (1 + edge) / 2.) Nothing is sampled.
Kernels count points, two for a win and one for a tie, so edge = points / boards - 1.

Before the flop of hold'em there are 2,118,760 boards. There the points come from a table with one number for each pair
of hands up to a relabelling of suits (`HandIndexer` [2, 2]). `preflop_points.npy` has that of hold'em, which
`compute_preflop_points` takes almost a minute for; the tables of other games are computed when they are needed.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.deck import Deck
from errai.cards.hands import hands, held_cards
from errai.cards.isomorphism import HandIndexer
from errai.cards.strength import MAX_CARDS, board_strengths
from errai.errors import InputError

_HOLDEM_DECK = Deck(13, 4)
_HOLDEM_BOARD_CARDS = 5
_BOARDS_AT_ONCE = 2048
# A hand that meets less of the opponent's range than this part meets little but the rounding of sums.
_LEAST_SHARE = 1e-12
_LEAST_DEALT_FOR_TABLE = 3


def edge_against_each(
    deck: Deck, hole_cards: Sequence[int], board: Sequence[int], *, num_board_cards: int
) -> NDArray[np.float64]:
    """The edge of `hole_cards` over every hand, in the order of `hands`, once `board` has `num_board_cards` cards.

    Hands that share a card with `hole_cards` or `board` have 0. The result is read-only.
    """
    return _edge(deck, tuple(sorted(hole_cards)), tuple(sorted(board)), num_board_cards)


def pair_edges(
    deck: Deck, raw_hands: NDArray[np.intp], board: Sequence[int], num_hole_cards: int, num_board_cards: int
) -> NDArray[np.float64]:
    """The edge of each of some hands, given by their numbers, over each other; 0 where two of them share a card."""
    num_dealt = num_board_cards - len(board)
    every_hand = hands(deck, num_hole_cards)
    if _has_table(num_hole_cards, board, num_dealt):
        rows = [
            edge_against_each(deck, every_hand[hand].tolist(), board, num_board_cards=num_board_cards)
            for hand in raw_hands
        ]
        return np.array(rows)[:, raw_hands]
    left = np.setdiff1d(np.arange(deck.size, dtype=np.uint8), np.array(board, dtype=np.uint8))
    runouts = list(combinations(left.tolist(), num_dealt))
    dealt = np.array(runouts, dtype=np.uint8).reshape(len(runouts), num_dealt)
    boards = np.hstack((np.tile(np.array(board, dtype=np.uint8), (len(dealt), 1)), dealt))
    points = np.zeros((len(raw_hands), len(raw_hands)), dtype=np.int32)
    for first in range(0, len(boards), _BOARDS_AT_ONCE):
        strengths = board_strengths(deck, boards[first : first + _BOARDS_AT_ONCE], num_hole_cards=num_hole_cards)
        kernels.add_pair_points(
            strengths=np.ascontiguousarray(strengths[:, raw_hands]),
            weights=np.ones(len(strengths), dtype=np.int32),
            points=points,
        )
    held = held_cards(deck, num_hole_cards)[raw_hands]
    num_boards = comb(deck.size - 2 * num_hole_cards - len(board), num_dealt)
    return np.where(held @ held.T == 0, points / num_boards - 1.0, 0.0)


@lru_cache(maxsize=4)
def edge_matrix(
    deck: Deck, board: tuple[int, ...], *, num_hole_cards: int, num_board_cards: int
) -> NDArray[np.float64]:
    """The edge of every hand of the deck over every other, [hand][hand]; 0 where a card is held twice. Read-only."""
    every_hand = hands(deck, num_hole_cards)
    possible = np.flatnonzero(~np.isin(every_hand, board).any(axis=1))
    matrix = np.zeros((len(every_hand), len(every_hand)))
    matrix[np.ix_(possible, possible)] = pair_edges(deck, possible, board, num_hole_cards, num_board_cards)
    matrix.flags.writeable = False
    return matrix


# Both seats of a duplicate deal, and all decisions of a round, meet the same cards again.
@lru_cache(maxsize=256)
def _edge(deck: Deck, hole_cards: tuple[int, ...], board: tuple[int, ...], num_board_cards: int) -> NDArray[np.float64]:
    _verify_cards(deck, hole_cards, board, num_board_cards)
    num_dealt = num_board_cards - len(board)
    if _has_table(len(hole_cards), board, num_dealt):
        points = _preflop_points(deck, hole_cards, num_board_cards)
    else:
        points = _rollout_points(deck, hole_cards, board, num_dealt)
    num_boards = comb(deck.size - 2 * len(hole_cards) - len(board), num_dealt)
    edge = np.where(points < 0, 0.0, points / num_boards - 1.0)
    edge.flags.writeable = False
    return edge


def _verify_cards(deck: Deck, hole_cards: tuple[int, ...], board: tuple[int, ...], num_board_cards: int) -> None:
    cards = (*hole_cards, *board)
    if len(set(cards)) != len(cards) or not all(0 <= card < deck.size for card in cards):
        raise InputError(f"hand and board must hold different cards of a {deck.size}-card deck; got `{list(cards)}`")
    if not len(board) <= num_board_cards <= MAX_CARDS - len(hole_cards):
        raise InputError(f"a board of {len(board)} cards cannot grow to {num_board_cards} cards")
    if num_board_cards + 2 * len(hole_cards) > deck.size:
        raise InputError(f"two hands and {num_board_cards} board cards do not fit in a {deck.size}-card deck")


def _rollout_points(
    deck: Deck, hole_cards: tuple[int, ...], board: tuple[int, ...], num_dealt: int
) -> NDArray[np.int32]:
    """Points against every hand; -1 where it shares a card with `hole_cards` or `board`."""
    every_hand = hands(deck, len(hole_cards))
    points = np.empty(len(every_hand), dtype=np.int32)
    kernels.rollout_points(
        hand=np.array(hole_cards, dtype=np.uint8),
        board=np.array(board, dtype=np.uint8),
        hands=every_hand,
        deck_size=deck.size,
        num_suits=deck.num_suits,
        num_dealt=num_dealt,
        points=points,
    )
    return points


def _has_table(num_hole_cards: int, board: Sequence[int], num_dealt: int) -> bool:
    """Whether points are looked up: before the flop, with so many boards to come that a table costs less."""
    return not board and num_hole_cards == 2 and num_dealt >= _LEAST_DEALT_FOR_TABLE


def _preflop_points(deck: Deck, hole_cards: tuple[int, ...], num_board_cards: int) -> NDArray[np.int32]:
    every_hand = hands(deck, 2)
    possible = (every_hand[:, :, np.newaxis] != np.array(hole_cards)).all(axis=(1, 2))
    pairs = np.empty((np.count_nonzero(possible), 4), dtype=np.uint8)
    pairs[:, :2] = hole_cards
    pairs[:, 2:] = every_hand[possible]
    points = np.full(len(every_hand), -1, dtype=np.int32)
    points[possible] = _preflop_table(deck, num_board_cards)[_pair_indexer(deck).index(pairs)]
    return points


@cache
def _pair_indexer(deck: Deck) -> HandIndexer:
    return HandIndexer(deck, [2, 2])


@cache
def _preflop_table(deck: Deck, num_board_cards: int) -> NDArray[np.int32]:
    if (deck, num_board_cards) != (_HOLDEM_DECK, _HOLDEM_BOARD_CARDS):
        return compute_preflop_points(deck, num_board_cards)
    with as_file(files("errai.cards") / "preflop_points.npy") as path:
        table: NDArray[np.int32] = np.load(path)
    return table


def compute_preflop_points(deck: Deck, num_board_cards: int) -> NDArray[np.int32]:
    """The table of preflop points, from all boards: for each pair of hands, two a win, one a tie.

    Boards that a relabelling of suits turns into each other give the same points to relabelled pairs. So one of them
    plays for all, weighted, and the sum over all pairs of a class is the points of one, times the size of the class.
    """
    board_indexer = HandIndexer(deck, [num_board_cards])
    every_board = hands(deck, num_board_cards)
    weights = np.bincount(board_indexer.index(every_board).astype(np.int64)).astype(np.int32)
    boards = board_indexer.unindex(np.arange(len(weights)), 0)
    every_hand = hands(deck, 2)
    points = np.zeros((len(every_hand), len(every_hand)), dtype=np.int32)
    for first in range(0, len(boards), _BOARDS_AT_ONCE):
        block = slice(first, first + _BOARDS_AT_ONCE)
        kernels.add_pair_points(strengths=board_strengths(deck, boards[block]), weights=weights[block], points=points)
    first_hand, second_hand = np.divmod(np.arange(points.size), len(every_hand))
    cards = np.hstack((every_hand[first_hand], every_hand[second_hand]))
    possible = (cards[:, :2, np.newaxis] != cards[:, np.newaxis, 2:]).all(axis=(1, 2))
    classes = _pair_indexer(deck).index(np.ascontiguousarray(cards[possible])).astype(np.int64)
    sums = np.bincount(classes, weights=points.ravel()[possible])
    return (sums / np.bincount(classes)).astype(np.int32)


def showdown_equity(deck: Deck, board: Sequence[int], opponent: NDArray[np.float64]) -> NDArray[np.float64]:
    """The equity of every two-card hand on a board that is complete, against weights of the opponent's hands.

    One pass over the hands in the order of their strength, with running totals per card: a hand meets all weight except
    that of hands with one of its cards. NaN where a hand is not possible or meets nothing.
    """
    strengths = board_strengths(deck, np.array(board, dtype=np.uint8))
    possible = strengths >= 0
    weights = np.where(possible, opponent, 0.0)
    order = np.argsort(strengths, kind="stable")
    ranked = strengths[order]
    first, last = np.searchsorted(ranked, strengths, "left"), np.searchsorted(ranked, strengths, "right")
    by_card = held_cards(deck, 2).T * weights  # [card][hand]
    totals = np.zeros((deck.size + 1, len(weights) + 1))
    np.cumsum(np.vstack((by_card, weights))[:, order], axis=1, out=totals[:, 1:])
    low, high = hands(deck, 2).astype(np.intp).T

    def met(place: NDArray[np.intp]) -> NDArray[np.float64]:
        beside: NDArray[np.float64] = totals[-1, place] - totals[low, place] - totals[high, place]
        return beside

    beaten = met(first)
    tied = met(last) - beaten + weights  # its own weight was taken away twice
    everything = met(np.full(len(weights), len(weights))) + weights
    known = possible & (everything > _LEAST_SHARE * weights.sum())
    equity = np.full(len(weights), np.nan)
    equity[known] = (beaten + tied / 2)[known] / everything[known]
    return equity
