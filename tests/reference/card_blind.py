"""A best response against an opponent who looks at no cards, hand by hand and deal by deal."""

from itertools import combinations

import numpy as np

from errai.cards.hands import hands
from errai.cards.strength import board_strengths


def run(num_inputs, places, chips, outputs, ends):
    """The obvious twin of `BettingProgram.run`: [hand][output]."""
    values = [ends[:, column] for column in range(num_inputs)]
    for (is_own, call, raise_), (fold, p_fold, p_call, p_raise) in zip(places, chips, strict=True):
        sequels = [values[place] for place in (call, raise_) if place >= 0]
        if is_own:
            values.append(np.max([np.full(len(ends), fold), *sequels], axis=0))
            continue
        value = np.full(len(ends), p_fold * fold)
        for place, probability in ((call, p_call), (raise_, p_raise)):
            if place >= 0:
                value = value + probability * values[place]
        values.append(value)
    return np.stack([values[place] for place in outputs], axis=1)


def evaluate(deck, num_hole_cards, table, rounds, board):
    """The obvious twin of `CardBlindGame.evaluate`; a round is (num_inputs, places, chips, outputs), dealt after it."""
    cards = hands(deck, num_hole_cards)
    possible = ~np.isin(cards, board).any(axis=1)
    if not rounds:
        strengths = board_strengths(deck, np.array(board, dtype=np.uint8), num_hole_cards=num_hole_cards).astype(int)
        shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
        meets = ~shares & possible[:, None] & possible
        edges = (np.sign(strengths[:, None] - strengths) * meets).sum(axis=1)
        return np.where(possible[:, None], table[edges + len(table) // 2], 0.0)
    (program, num_dealt), *others = rounds
    left = [card for card in range(deck.size) if card not in board]
    total, count = 0.0, np.zeros(len(cards))
    for deal in combinations(left, num_dealt):
        total = total + evaluate(deck, num_hole_cards, table, others, (*board, *deal))
        count += possible & ~np.isin(cards, deal).any(axis=1)
    means = total / np.maximum(count, 1)[:, None]
    return np.where(possible[:, None], run(*program, means), 0.0)
