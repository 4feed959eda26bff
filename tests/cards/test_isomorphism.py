import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.isomorphism import HandIndexer
from errai.cards.isomorphism_counts import count_canonical_deals
from errai.errors import InputError
from reference import isomorphism as reference

FULL_DECK = Deck(13, 4)
DECKS = [FULL_DECK, Deck(6, 4), Deck(13, 3), Deck(5, 2), Deck(13, 1)]


def split_rounds(cards: list[int], cards_per_round: list[int]) -> list[list[int]]:
    ends = np.cumsum(cards_per_round).tolist()
    return [cards[end - size : end] for end, size in zip(ends, cards_per_round, strict=True)]


def random_deals(deck: Deck, count: int, num_cards: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(num_cards).random((count, deck.size)).argsort(axis=1)
    return np.ascontiguousarray(order[:, :num_cards].astype(np.uint8))


def test_sizes_for_holdem_are_the_published_ones() -> None:
    indexer = HandIndexer(FULL_DECK, [2, 3, 1, 1])
    # figures.md, section 1
    assert [indexer.size(round) for round in range(4)] == [169, 1_286_792, 55_190_538, 2_428_287_420]


@pytest.mark.parametrize(("cards_per_round", "size"), [([3], 1755), ([3, 1], 63_193), ([3, 1, 1], 2_554_656)])
def test_sizes_for_boards_are_the_published_ones(cards_per_round: list[int], size: int) -> None:
    assert HandIndexer(FULL_DECK, cards_per_round).size(len(cards_per_round) - 1) == size  # figures.md, section 1


@pytest.mark.parametrize("deck", DECKS, ids=str)
@pytest.mark.parametrize(
    "cards_per_round", [[1, 1, 1], [2, 3], [5], [1, 2, 1, 1], [2, 3, 1, 1], [1] * 7, [2, 5, 2]], ids=str
)
def test_size_is_the_count_of_burnside(deck: Deck, cards_per_round: list[int]) -> None:
    if sum(cards_per_round) > deck.size:
        pytest.skip("more cards than the deck has")
    indexer = HandIndexer(deck, cards_per_round)
    for round in range(len(cards_per_round)):
        expected = count_canonical_deals(deck, cards_per_round[: round + 1], flushes=True)
        assert indexer.size(round) == expected


@pytest.mark.parametrize(
    ("deck", "cards_per_round"),
    [
        (FULL_DECK, [1, 1, 1]),
        (FULL_DECK, [3, 1]),
        (FULL_DECK, [2, 3]),
        (Deck(5, 4), [2, 3, 1, 1]),
        (Deck(6, 3), [2, 3, 1]),
        (Deck(4, 2), [1, 2, 1]),
        (Deck(2, 4), [1, 1, 1, 1, 1]),
        (Deck(13, 1), [3, 2]),
    ],
    ids=str,
)
def test_every_number_comes_back(deck: Deck, cards_per_round: list[int]) -> None:
    indexer = HandIndexer(deck, cards_per_round)
    for round in range(len(cards_per_round)):
        numbers = np.arange(min(indexer.size(round), 1_500_000), dtype=np.uint64)
        cards = indexer.unindex(numbers, round)
        assert np.array_equal(indexer.index(cards), numbers)
        assert np.all(np.diff(np.sort(cards, axis=1).astype(int), axis=1) > 0)


@pytest.mark.parametrize("round", [2, 3])
def test_random_numbers_of_large_rounds_come_back(round: int) -> None:
    indexer = HandIndexer(FULL_DECK, [2, 3, 1, 1])
    numbers = np.random.default_rng(round).integers(0, indexer.size(round), 200_000, dtype=np.uint64)
    numbers[:2] = [0, indexer.size(round) - 1]
    assert np.array_equal(indexer.index(indexer.unindex(numbers, round)), numbers)


@settings(deadline=None)
@given(
    data=st.data(), deck=st.sampled_from(DECKS), cards_per_round=st.sampled_from([[2, 3, 1, 1], [1, 1, 1], [3, 2], [7]])
)
def test_two_deals_have_the_same_number_if_they_have_the_same_canonical_deal(
    data: st.DataObject, deck: Deck, cards_per_round: list[int]
) -> None:
    dealt = st.permutations(range(deck.size)).map(lambda order: order[: sum(cards_per_round)])
    first = data.draw(dealt)
    suits = data.draw(st.permutations(range(deck.num_suits)))
    relabelled = reference.relabel(deck, split_rounds(first, cards_per_round), suits)
    deals = [first, [card for cards in relabelled for card in cards], data.draw(dealt)]
    numbers = HandIndexer(deck, cards_per_round).index(np.array(deals, dtype=np.uint8)).tolist()
    keys = [reference.canonical_deal(deck, split_rounds(deal, cards_per_round)) for deal in deals]
    assert numbers[0] == numbers[1]
    assert (numbers[0] == numbers[2]) == (keys[0] == keys[2])


def test_numbers_do_not_depend_on_suit_names_nor_on_the_order_in_a_round() -> None:
    indexer = HandIndexer(FULL_DECK, [2, 3, 1, 1])
    cards = random_deals(FULL_DECK, 20_000, 7)
    suits = np.random.default_rng(0).permuted(np.tile(np.arange(4, dtype=np.uint8), (len(cards), 1)), axis=1)
    relabelled = cards // 4 * 4 + np.take_along_axis(suits, cards % 4, axis=1)
    assert np.array_equal(indexer.index(cards), indexer.index(relabelled[:, [1, 0, 4, 2, 3, 5, 6]]))


def test_unindexed_hand_is_a_relabelling_of_the_hand() -> None:
    cards_per_round = [2, 3, 1, 1]
    indexer = HandIndexer(FULL_DECK, cards_per_round)
    cards = random_deals(FULL_DECK, 300, 7)
    for before, after in zip(cards.tolist(), indexer.unindex(indexer.index(cards), 3).tolist(), strict=True):
        same = reference.relabellings(FULL_DECK, split_rounds(before, cards_per_round))
        assert tuple(tuple(cards) for cards in split_rounds(after, cards_per_round)) in same


@pytest.mark.parametrize(
    ("deck", "cards_per_round"), [(FULL_DECK, []), (FULL_DECK, [2, 0]), (FULL_DECK, [5, 5]), (Deck(3, 1), [4])], ids=str
)
def test_impossible_rounds_are_refused(deck: Deck, cards_per_round: list[int]) -> None:
    with pytest.raises(InputError, match=r"^`cards_per_round` must be positive numbers with a sum of 1 to [39]; got"):
        HandIndexer(deck, cards_per_round)


def test_wrong_arguments_are_refused() -> None:
    indexer = HandIndexer(FULL_DECK, [2, 3])
    with pytest.raises(
        InputError, match=r"^`cards` must be a `uint8` array with 2 or 5 columns; got `uint8` \(1, 3\)$"
    ):
        indexer.index(np.zeros((1, 3), dtype=np.uint8))
    with pytest.raises(InputError, match=r"^cards of this deck are numbered 0 to 51; got `60`$"):
        indexer.index(np.array([[1, 60]], dtype=np.uint8))
    with pytest.raises(InputError, match=r"^hands of round 0 are numbered 0 to 168; got `169`$"):
        indexer.unindex(np.array([169]), 0)
    with pytest.raises(InputError, match=r"^rounds are numbered 0 to 1; got `2`$"):
        indexer.size(2)
