import numpy as np
import pytest

from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands, num_hands
from errai.errors import InputError


@pytest.mark.parametrize("num_hole_cards", [1, 2, 3])
@pytest.mark.parametrize("deck", [Deck(13, 4), Deck(5, 4), Deck(3, 1)], ids=str)
def test_hand_numbers_count_all_hands_in_order(deck: Deck, num_hole_cards: int) -> None:
    table = hands(deck, num_hole_cards)
    assert len(table) == num_hands(deck, num_hole_cards)
    assert np.all(np.diff(table.astype(int), axis=1) > 0)
    assert np.array_equal(hand_index(table), np.arange(len(table)))


def test_two_cards_have_the_number_that_the_engine_counts_on() -> None:
    for number, (a, b) in enumerate(hands(Deck(13, 4), 2).astype(int)):
        assert number == b * (b - 1) // 2 + a


def test_hand_number_does_not_depend_on_the_order_of_cards() -> None:
    assert hand_index(np.array([51, 3])) == hand_index(np.array([3, 51])) == 51 * 50 // 2 + 3


def test_table_of_hands_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        hands(Deck(13, 4), 2)[0, 0] = 1


def test_hand_of_no_cards_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a hand of a 52-card deck has 1 to 52 cards; got `0`$"):
        hands(Deck(13, 4), 0)
