"""A best response against an opponent who looks at no cards, hand by hand and deal by deal."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.strength import board_strengths

Float64Array = NDArray[np.float64]


class Program(NamedTuple):
    """The betting of a round: a row per decision, and where the values of its starts are found."""

    num_inputs: int
    places: NDArray[np.int32]  # whether the decision is the judge's own, and where a call and a raise lead or -1
    chips: Float64Array  # what a fold wins, and the probabilities of fold, call and raise
    outputs: NDArray[np.int32]


def run(program: Program, ends: Float64Array) -> Float64Array:
    """The obvious twin of `BettingProgram.run`: [hand][output]."""
    values = [ends[:, column] for column in range(program.num_inputs)]
    for (is_own, call, raise_), (fold, p_fold, p_call, p_raise) in zip(program.places, program.chips, strict=True):
        sequels = [values[place] for place in (call, raise_) if place >= 0]
        if is_own:
            values.append(np.max([np.full(len(ends), fold), *sequels], axis=0))
            continue
        value = np.full(len(ends), p_fold * fold)
        for place, probability in ((call, p_call), (raise_, p_raise)):
            if place >= 0:
                value = value + probability * values[place]
        values.append(value)
    return np.stack([values[place] for place in program.outputs], axis=1)


def evaluate(
    deck: Deck, num_hole_cards: int, table: Float64Array, rounds: Sequence[tuple[Program, int]], board: tuple[int, ...]
) -> Float64Array:
    """The obvious twin of `CardBlindGame.evaluate`; a round is its program and the cards dealt after it."""
    cards = hands(deck, num_hole_cards)
    possible = np.all(~np.isin(cards, board), axis=1)
    if not rounds:
        strengths = board_strengths(deck, np.array(board, dtype=np.uint8), num_hole_cards=num_hole_cards).astype(int)
        shares = np.any(cards[:, None, :, None] == cards[None, :, None, :], axis=(2, 3))
        meets = ~shares & possible[:, None] & possible
        edges = (np.sign(strengths[:, None] - strengths) * meets).sum(axis=1)
        return np.where(possible[:, None], table[edges + len(table) // 2], 0.0)
    (program, num_dealt), *others = rounds
    left = [card for card in range(deck.size) if card not in board]
    total: Float64Array | float = 0.0
    count = np.zeros(len(cards))
    for deal in combinations(left, num_dealt):
        total = total + evaluate(deck, num_hole_cards, table, others, (*board, *deal))
        count += possible & ~np.isin(cards, deal).any(axis=1)
    means = total / np.maximum(count, 1)[:, None]
    return np.where(possible[:, None], run(program, means), 0.0)
