from collections import Counter
from itertools import combinations
from math import comb

import pytest

from errai.cards.boards import canonical_boards
from errai.cards.deck import Deck
from reference import isomorphism as reference

FULL_DECK = Deck(13, 4)


@pytest.mark.parametrize(
    ("cards_per_round", "num_boards", "num_raw_boards"),  # figures.md, section 1
    [([3], 1755, comb(52, 3)), ([3, 1], 63_193, comb(52, 3) * 49), ([3, 1, 1], 2_554_656, comb(52, 3) * 49 * 48)],
)
def test_canonical_boards_stand_for_all_boards(
    cards_per_round: list[int], num_boards: int, num_raw_boards: int
) -> None:
    boards = canonical_boards(FULL_DECK, cards_per_round)
    assert boards.cards.shape == (num_boards, sum(cards_per_round))
    assert boards.multiplicity.sum() == num_raw_boards


def test_royal_has_95_flops() -> None:
    assert len(canonical_boards(Deck(5, 4), [3]).cards) == 95  # figures.md, section 1


@pytest.mark.parametrize("deck", [Deck(5, 4), Deck(4, 3), Deck(6, 2)], ids=str)
def test_multiplicity_counts_the_boards_of_a_class(deck: Deck) -> None:
    counts = Counter(
        reference.canonical_deal(deck, (flop, (turn,)))
        for flop in combinations(range(deck.size), 3)
        for turn in set(range(deck.size)) - set(flop)
    )
    boards = canonical_boards(deck, [3, 1])
    found = {
        reference.canonical_deal(deck, (cards[:3], cards[3:])): multiplicity
        for cards, multiplicity in zip(boards.cards.tolist(), boards.multiplicity.tolist(), strict=True)
    }
    assert found == counts
