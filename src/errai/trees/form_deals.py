"""Every deal of a poker game, round by round, up to suit isomorphism; or of a spot, each by itself.

A deal is both players' hole cards and the board. Deals that a relabelling turns into each other play alike, so one of
them stands for all, with the probability of them all. Where hands are ranked with flushes a relabelling permutes the
suits; where they are not, only ranks matter. A deal's key is the smallest number that a relabelling writes its cards
as, six bits a card, each group of cards (hole, hole, the board's rounds) in ascending order; a player's hand is what
the player sees of the deal, keyed in the same way. The deals of a spot are the pairs of hands of the two ranges that
share no card, each as probable as the product of its weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hands, held_cards
from errai.cards.isomorphism_counts import count_canonical_deals, count_deals, knows_flushes
from errai.cards.strength import hand_strengths
from errai.games.definition import GameDefinition

_BITS_A_CARD = 6
_CARD_MASK = (1 << _BITS_A_CARD) - 1

Cards = NDArray[np.uint8]
Weights = tuple[NDArray[np.float64], NDArray[np.float64]]  # of every hand of the deck, for each player


@dataclass(frozen=True, eq=False)
class RoundDeals:
    """The deals of one round, sorted by the deal of the round before that they continue."""

    cards: Cards  # (deals, cards): hole cards of player 0, of player 1, board
    parent: NDArray[np.intp]  # 0 in the first round
    probability: NDArray[np.float64]  # given the parent
    hands: tuple[NDArray[np.intp], NDArray[np.intp]]  # of each player, as a number
    hand_labels: tuple[tuple[str, ...], tuple[str, ...]]  # of each player, by that number
    equity: NDArray[np.float64]  # probability that player 0 wins the showdown minus that player 1 does

    @property
    def num_deals(self) -> int:
        return len(self.cards)


def count_round_deals(definition: GameDefinition, *, merge_suits: bool) -> tuple[int, ...]:
    """How many deals `build_deals` makes of each round."""
    return _count_rounds(definition, (definition.num_hole_cards,) * 2, merge_suits=merge_suits)


def count_round_hands(definition: GameDefinition, *, merge_suits: bool) -> tuple[int, ...]:
    """How many hands of one player `build_deals` tells apart in each round."""
    return _count_rounds(definition, (definition.num_hole_cards,), merge_suits=merge_suits)


def _count_rounds(definition: GameDefinition, hole_cards: tuple[int, ...], *, merge_suits: bool) -> tuple[int, ...]:
    flushes = _knows_flushes(definition)
    counts = []
    for round_number in range(definition.num_rounds):
        groups = (*hole_cards, *definition.num_board_cards[: round_number + 1])
        if merge_suits:
            counts.append(count_canonical_deals(definition.deck, groups, flushes=flushes))
        else:
            counts.append(count_deals(definition.deck, groups))
    return tuple(counts)


def build_deals(definition: GameDefinition, *, merge_suits: bool) -> tuple[RoundDeals, ...]:
    """The deals of every round."""
    labels = _Relabellings(definition.deck, merge_suits=merge_suits, flushes=_knows_flushes(definition))
    return _finished(definition, _deal_rounds(definition, labels), labels)


def count_spot_deals(
    definition: GameDefinition, board: Sequence[int], weights: Weights, *, first_round: int
) -> tuple[int, ...]:
    """How many deals `build_spot_deals` makes of each round."""
    counts = [len(_compatible_pairs(definition, board, weights))]
    left = definition.deck.size - 2 * definition.num_hole_cards - len(board)
    for board_cards in definition.num_board_cards[first_round + 1 :]:
        counts.append(counts[-1] * comb(left, board_cards))
        left -= board_cards
    return tuple(counts)


def build_spot_deals(
    definition: GameDefinition, board: Sequence[int], weights: Weights, *, first_round: int
) -> tuple[RoundDeals, ...]:
    """The deals of every round of a spot that begins with `board` in `first_round`."""
    pairs = _compatible_pairs(definition, board, weights)
    hand_cards = hands(definition.deck, definition.num_hole_cards)
    boards = np.tile(np.array(board, dtype=np.uint8), (len(pairs), 1))
    cards = np.hstack((hand_cards[pairs[:, 0]], hand_cards[pairs[:, 1]], boards))
    probability = weights[0][pairs[:, 0]] * weights[1][pairs[:, 1]]
    groups = (*(definition.num_hole_cards,) * 2, *definition.num_board_cards[: first_round + 1])
    stages = [_Stage(groups, cards, np.zeros(len(pairs), dtype=np.intp), probability / probability.sum())]
    for board_cards in definition.num_board_cards[first_round + 1 :]:
        groups = (*groups, board_cards)
        cards, parent = _dealt(definition.deck, cards, np.arange(len(cards)), board_cards)
        stages.append(_Stage(groups, cards, parent, 1 / np.bincount(parent)[parent]))
    labels = _Relabellings(definition.deck, merge_suits=False, flushes=_knows_flushes(definition))
    return _finished(definition, stages, labels)


def _compatible_pairs(definition: GameDefinition, board: Sequence[int], weights: Weights) -> NDArray[np.intp]:
    """The hands of both ranges that can be dealt together on the board, as rows of two numbers."""
    held = held_cards(definition.deck, definition.num_hole_cards)
    possible = ~held[:, list(board)].any(axis=1)
    first, second = (np.flatnonzero((own > 0) & possible) for own in weights)
    rows, columns = np.nonzero(held[first] @ held[second].T == 0)
    return np.column_stack((first[rows], second[columns]))


def _finished(
    definition: GameDefinition, stages: Sequence["_Stage"], labels: "_Relabellings"
) -> tuple[RoundDeals, ...]:
    """The stages with the players' hands numbered, and the equity of every deal over the boards to come."""
    equity = _showdown_equity(definition, stages[-1].cards)
    rounds: list[RoundDeals] = []
    for stage in reversed(stages):
        (first, first_labels), (second, second_labels) = (_number_hands(stage, player, labels) for player in (0, 1))
        rounds.append(
            RoundDeals(
                cards=stage.cards,
                parent=stage.parent,
                probability=stage.probability,
                hands=(first, second),
                hand_labels=(first_labels, second_labels),
                equity=equity,
            )
        )
        equity = np.bincount(stage.parent, weights=stage.probability * equity).astype(np.float64)
    return tuple(reversed(rounds))


@lru_cache(maxsize=64)
def label_hands(
    definition: GameDefinition, board: tuple[int, ...], *, merge_suits: bool = True
) -> tuple[str | None, ...]:
    """For each hand of the deck, how `build_deals` labels it on a board; None where they conflict."""
    labels = _Relabellings(definition.deck, merge_suits=merge_suits, flushes=_knows_flushes(definition))
    hole = hands(definition.deck, definition.num_hole_cards)
    on_board = np.array(board, dtype=np.uint8)
    possible: NDArray[np.bool_] = np.logical_not(np.isin(hole, on_board).any(axis=1))
    groups = [definition.num_hole_cards]
    for count in definition.num_board_cards:
        if sum(groups[1:]) < len(board):
            groups.append(count)
    keys = labels.keys(np.hstack((hole, np.broadcast_to(on_board, (len(hole), len(board))))), groups)
    texts = {key: labels.text(key, groups) for key in set(keys[possible].tolist())}
    return tuple(texts[key] if possible[hand] else None for hand, key in enumerate(keys.tolist()))


class _Stage(NamedTuple):
    groups: tuple[int, ...]  # how many cards: hole, hole, the board's rounds
    cards: Cards
    parent: NDArray[np.intp]
    probability: NDArray[np.float64]


def _deal_rounds(definition: GameDefinition, labels: "_Relabellings") -> list[_Stage]:
    stages: list[_Stage] = []
    groups: tuple[int, ...] = ()
    cards = np.zeros((1, 0), dtype=np.uint8)
    for board_cards in definition.num_board_cards:
        new_groups = (board_cards,) if stages else (*[definition.num_hole_cards] * 2, board_cards)
        groups += new_groups
        parent = np.arange(len(cards))
        for size in new_groups:
            cards, parent = _dealt(definition.deck, cards, parent, size)
        copies_of_parent = np.bincount(parent)
        _, first, copies = np.unique(labels.keys(cards, groups), return_index=True, return_counts=True)
        order = np.argsort(parent[first], kind="stable")
        first, copies = first[order], copies[order]
        cards, parent = cards[first], parent[first]
        stages.append(_Stage(groups, cards, parent, copies / copies_of_parent[parent]))
    return stages


def _number_hands(stage: _Stage, player: int, labels: "_Relabellings") -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """The hand of a player in every deal, as a number, and the labels of these."""
    hole, *groups = stage.groups[1:]
    own = stage.cards[:, player * hole : (player + 1) * hole]
    keys = labels.keys(np.hstack((own, stage.cards[:, 2 * hole :])), (hole, *groups))
    distinct, numbers = np.unique(keys, return_inverse=True)
    return numbers, tuple(labels.text(int(key), (hole, *groups)) for key in distinct)


class _Relabellings:
    """Tables from a card to the card, or the rank, that stands for it."""

    def __init__(self, deck: Deck, *, merge_suits: bool, flushes: bool) -> None:
        self._names = [deck.card_text(card) for card in range(deck.size)]
        cards = np.arange(deck.size, dtype=np.uint8)
        rank, suit = cards // deck.num_suits, cards % deck.num_suits
        if not merge_suits:
            self._tables = [cards]
        elif flushes:
            orders = permutations(range(deck.num_suits))
            self._tables = [rank * deck.num_suits + np.array(order, dtype=np.uint8)[suit] for order in orders]
        else:
            self._tables = [rank]
            self._names = list(deck.rank_names)

    def keys(self, cards: Cards, groups: Sequence[int]) -> NDArray[np.int64]:
        smallest: NDArray[np.int64] = np.minimum.reduce([_encode(table[cards], groups) for table in self._tables])
        return smallest

    def text(self, key: int, groups: Sequence[int]) -> str:
        """The cards of a key, highest first in each group: `AsKs/7h5d2c`."""
        digits = [key >> _BITS_A_CARD * place & _CARD_MASK for place in range(sum(groups))]
        texts = []
        for size in reversed(groups):
            texts.append("".join(self._names[digit] for digit in digits[:size]))
            digits = digits[size:]
        return "/".join(text for text in reversed(texts) if text)


def _encode(cards: Cards, groups: Sequence[int]) -> NDArray[np.int64]:
    keys = np.zeros(len(cards), dtype=np.int64)
    start = 0
    for size in groups:
        for card in np.sort(cards[:, start : start + size], axis=1).T:
            keys = keys << _BITS_A_CARD | card
        start += size
    return keys


def _dealt(deck: Deck, cards: Cards, parent: NDArray[np.intp], size: int) -> tuple[Cards, NDArray[np.intp]]:
    """Every way to deal `size` more cards to each row of `cards`, and the parent of the row that it came from."""
    groups = np.array(list(combinations(range(deck.size), size)), dtype=np.uint8)
    used = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1)
    wanted = np.bitwise_or.reduce(np.uint64(1) << groups.astype(np.uint64), axis=1)
    row, group = np.nonzero((used[:, np.newaxis] & wanted) == 0)
    return np.hstack((cards[row], groups[group])), parent[row]


def _showdown_equity(definition: GameDefinition, cards: Cards) -> NDArray[np.float64]:
    hole = definition.num_hole_cards
    board = cards[:, 2 * hole :]
    first = hand_strengths(definition.deck, np.hstack((cards[:, :hole], board)))
    second = hand_strengths(definition.deck, np.hstack((cards[:, hole : 2 * hole], board)))
    sign: NDArray[np.float64] = np.sign(first - second).astype(np.float64)
    return sign


def _knows_flushes(definition: GameDefinition) -> bool:
    return knows_flushes(definition.num_hole_cards + sum(definition.num_board_cards))
