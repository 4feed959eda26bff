from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.deck import Deck
from errai.cards.isomorphism_counts import count_canonical_deals, count_deals, knows_flushes

FULL = Deck(13, 4)
Deal = tuple[frozenset[int], ...]


@pytest.mark.parametrize(
    ("groups", "hands"),
    [((2,), 169), ((2, 3), 1_286_792), ((2, 3, 1), 55_190_538), ((2, 3, 1, 1), 2_428_287_420)],  # figures.md, section 1
)
def test_holdem_hands_up_to_suit_isomorphism(groups: tuple[int, ...], hands: int) -> None:
    assert count_canonical_deals(FULL, groups, flushes=True) == hands


@pytest.mark.parametrize(
    ("groups", "boards"),
    [((3,), 1_755), ((3, 1), 63_193), ((3, 1, 1), 2_554_656)],  # figures.md, section 1
)
def test_holdem_boards_up_to_suit_isomorphism(groups: tuple[int, ...], boards: int) -> None:
    assert count_canonical_deals(FULL, groups, flushes=True) == boards


def test_royal_has_95_flops() -> None:
    assert count_canonical_deals(Deck(5, 4), (3,), flushes=True) == 95  # figures.md, section 1


def test_hands_without_flushes_are_told_apart_by_ranks_alone() -> None:
    leduc = Deck(3, 2)
    assert count_canonical_deals(leduc, (1,), flushes=False) == 3
    assert count_canonical_deals(leduc, (1, 1), flushes=False) == 9
    assert count_canonical_deals(Deck(3, 1), (1, 1), flushes=False) == 6


def test_one_two_and_four_cards_know_no_flushes() -> None:
    assert [cards for cards in range(1, 8) if knows_flushes(cards)] == [3, 5, 6, 7]


def deals(cards: frozenset[int], groups: tuple[int, ...]) -> list[Deal]:
    if not groups:
        return [()]
    return [
        (frozenset(group), *rest)
        for group in combinations(sorted(cards), groups[0])
        for rest in deals(cards - set(group), groups[1:])
    ]


def relabelled(deck: Deck, deal: Deal, suits: tuple[int, ...]) -> Deal:
    return tuple(frozenset(deck.card(deck.rank(card), suits[deck.suit(card)]) for card in group) for group in deal)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4), st.lists(st.integers(0, 2), min_size=1, max_size=3))
def test_counts_are_those_of_listing_every_deal(num_ranks: int, num_suits: int, sizes: list[int]) -> None:
    deck = Deck(num_ranks, num_suits)
    groups = tuple(sizes)
    every = deals(frozenset(range(deck.size)), groups)
    renamings = list(permutations(range(num_suits)))
    up_to_suits = {frozenset(relabelled(deck, deal, suits) for suits in renamings) for deal in every}
    up_to_ranks = {tuple(tuple(sorted(map(deck.rank, group))) for group in deal) for deal in every}
    assert count_deals(deck, groups) == len(every)
    assert count_canonical_deals(deck, groups, flushes=True) == len(up_to_suits)
    assert count_canonical_deals(deck, groups, flushes=False) == len(up_to_ranks)
