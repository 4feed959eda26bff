"""Which deals are the same game: the relabellings of cards that leave a public state as it is.

Where a showdown knows flushes, the relabellings are those of the suits, the same for all ranks; a board keeps those
that map each of its rounds onto itself. Where it does not (one, two or four cards), suits of each rank can be
relabelled on their own, and only ranks matter. A symmetry numbers hands and sets of cards so that equal keys mean equal
games.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands
from errai.cards.isomorphism_counts import knows_flushes
from errai.games.definition import GameDefinition
from errai.games.locks import NodeLock

Keys = NDArray[np.int64]


class Symmetry(Protocol):
    """The relabellings that leave the cards on the board, and the ranges, as they are."""

    @property
    def deck(self) -> Deck: ...

    def hand_keys(self) -> Keys:
        """A key for each hand of the deck."""
        ...

    def card_keys(self) -> Keys:
        """A key for each card of the deck."""
        ...

    def deal_keys(self, deals: NDArray[np.uint8]) -> Keys:
        """A key for each row of `deals`, whose cards are in ascending order."""
        ...

    def after(self, deal: NDArray[np.uint8]) -> Self:
        """The relabellings that are left when `deal` comes on the board."""
        ...

    def relabelling(self, deal: NDArray[np.uint8], target: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        """One that takes the cards of `deal` to those of `target`: the new card of each card; None without any."""
        ...


@dataclass(frozen=True)
class SuitSymmetry:
    """Relabellings of the suits: one row a relabelling, giving the new card of each card."""

    deck: Deck
    num_hole_cards: int
    relabellings: NDArray[np.uint8]

    def hand_keys(self) -> Keys:
        keys: Keys = _relabelled_hands(self.deck, self.num_hole_cards, self.relabellings.tobytes()).min(axis=0)
        return keys

    def card_keys(self) -> Keys:
        keys: Keys = self.relabellings.min(axis=0).astype(np.int64)
        return keys

    def deal_keys(self, deals: NDArray[np.uint8]) -> Keys:
        keys: Keys = self._relabelled_deals(deals).min(axis=0)
        return keys

    def after(self, deal: NDArray[np.uint8]) -> Self:
        keys = self._relabelled_deals(deal[None, :])[:, 0]
        same = keys == _ordered_key(deal[None, :], self.deck)[0]
        return replace(self, relabellings=self.relabellings[same])

    def relabelling(self, deal: NDArray[np.uint8], target: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        matches = np.all(np.sort(self.relabellings[:, deal], axis=1) == np.sort(target), axis=1)
        return self.relabellings[np.argmax(matches)] if matches.any() else None

    def keeping(self, weights: NDArray[np.float64]) -> Self:
        """Those that leave the weights of all hands as they are."""
        relabelled = _relabelled_hands(self.deck, self.num_hole_cards, self.relabellings.tobytes())
        same = np.all(weights[relabelled] == weights, axis=1)
        return replace(self, relabellings=self.relabellings[same])

    def _relabelled_deals(self, deals: NDArray[np.uint8]) -> Keys:
        return _ordered_key(np.sort(self.relabellings[:, deals], axis=-1), self.deck)


@dataclass(frozen=True)
class RankSymmetry:
    """Every relabelling of suits within a rank."""

    deck: Deck
    num_hole_cards: int

    def hand_keys(self) -> Keys:
        return self.deal_keys(hands(self.deck, self.num_hole_cards))

    def card_keys(self) -> Keys:
        return np.arange(self.deck.size, dtype=np.int64) // self.deck.num_suits

    def deal_keys(self, deals: NDArray[np.uint8]) -> Keys:
        return _ordered_key(deals // np.uint8(self.deck.num_suits), self.deck)

    def after(self, deal: NDArray[np.uint8]) -> Self:
        return self

    def leaves(self, weights: NDArray[np.float64], possible: NDArray[np.bool_]) -> bool:
        """Whether the weights of all possible hands stay as they are."""
        keys, weights = self.hand_keys()[possible], weights[possible]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        return bool(np.all(weights == weights[first][number]))

    def relabelling(self, deal: NDArray[np.uint8], target: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        deal, target = np.sort(deal), np.sort(target)
        if not np.array_equal(deal // self.deck.num_suits, target // self.deck.num_suits):
            return None
        # Any exchange of suits within a rank will do; cards on the board are in neither deal and stay.
        relabelling = np.arange(self.deck.size, dtype=np.uint8)
        for source, wanted in zip(deal, target, strict=True):
            holder = int(np.flatnonzero(relabelling == wanted)[0])
            relabelling[[source, holder]] = relabelling[[holder, source]]
        return relabelling


def no_symmetry(definition: GameDefinition) -> SuitSymmetry:
    """Only the identity."""
    cards = np.arange(definition.deck.size, dtype=np.uint8)
    return SuitSymmetry(definition.deck, definition.num_hole_cards, cards[None, :])


def suit_symmetry(definition: GameDefinition) -> SuitSymmetry:
    """The relabellings of the suits, the identity first."""
    deck = definition.deck
    cards = np.arange(deck.size, dtype=np.uint8)
    rows = [
        cards // deck.num_suits * deck.num_suits + np.array(suits, dtype=np.uint8)[cards % deck.num_suits]
        for suits in permutations(range(deck.num_suits))
    ]
    return SuitSymmetry(deck, definition.num_hole_cards, np.array(rows, dtype=np.uint8))


def full_symmetry(definition: GameDefinition) -> SuitSymmetry | RankSymmetry:
    """The relabellings that leave the rules of a game as they are."""
    if not knows_flushes(definition.num_hole_cards + sum(definition.num_board_cards)):
        return RankSymmetry(definition.deck, definition.num_hole_cards)
    return suit_symmetry(definition)


def root_symmetry(
    definition: GameDefinition,
    board: NDArray[np.uint8],
    weights: Sequence[NDArray[np.float64]],
    locks: Sequence[NodeLock] = (),
) -> SuitSymmetry | RankSymmetry:
    """The relabellings that leave the board, round by round, the weights of all hands and the locks as they are."""
    symmetry = full_symmetry(definition)
    if not isinstance(symmetry, SuitSymmetry):
        hole = hands(definition.deck, definition.num_hole_cards)
        possible: NDArray[np.bool_] = np.logical_not(np.isin(hole, board).any(axis=1))
        keeps_weights = all(symmetry.leaves(own, possible) for own in weights)
        return symmetry if keeps_weights and not locks else no_symmetry(definition)
    symmetry = _keeping_board(definition, symmetry, board)
    for own in weights:
        symmetry = symmetry.keeping(own)
    for lock in locks:
        if lock.board is not None:
            symmetry = _keeping_board(definition, symmetry, np.array(lock.board, dtype=np.uint8))
        for own in (lock.is_locked.astype(np.float64), *lock.probabilities.T):
            symmetry = symmetry.keeping(own)
    return symmetry


def _keeping_board(definition: GameDefinition, symmetry: SuitSymmetry, board: NDArray[np.uint8]) -> SuitSymmetry:
    """The relabellings that leave the cards of every round as they are."""
    first = 0
    for count in definition.num_board_cards:
        if first >= len(board):
            break
        if count:
            symmetry = symmetry.after(np.sort(board[first : first + count]))
        first += count
    return symmetry


def all_deals(cards: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Every set of `count` of the `cards`, in ascending order."""
    if count == 1:
        return cards[:, None]
    return np.array(list(combinations(cards.tolist(), count)), dtype=np.uint8).reshape(-1, count)


def _ordered_key(deals: NDArray[np.uint8], deck: Deck) -> Keys:
    key = np.zeros(deals.shape[:-1], dtype=np.int64)
    for position in range(deals.shape[-1]):
        key = key * deck.size + deals[..., position]
    return key


@lru_cache(maxsize=64)
def _relabelled_hands(deck: Deck, num_hole_cards: int, relabellings: bytes) -> Keys:
    table = np.frombuffer(relabellings, dtype=np.uint8).reshape(-1, deck.size)
    return hand_index(table[:, hands(deck, num_hole_cards)])
