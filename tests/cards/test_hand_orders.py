import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.cards.deck import Deck
from errai.cards.hand_orders import HAND_ORDERS, HandOrder, format_weights, from_order, hands_in_order, to_order
from errai.cards.hands import hands
from errai.cards.ranges import parse_range
from errai.errors import InputError

DECK = Deck(13, 4)


@pytest.mark.parametrize(
    ("order", "first", "last"),
    [
        ("pio", "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d", "AsAh"),
        ("libratus", "2s2h 2s2d 2s2c 2s3s 2s3h 2s3d 2s3c 2s4s", "AdAc"),
        ("postflop-solver", "2c2d 2c2h 2c2s 2c3c 2c3d 2c3h 2c3s 2c4c", "AhAs"),
    ],
)
def test_an_order_begins_and_ends_as_its_program_lists_hands(order: HandOrder, first: str, last: str) -> None:
    texts = [set(DECK.parse(DECK.text(cards))) for cards in hands(DECK, 2)[hands_in_order(order)].tolist()]
    assert texts[:8] == [set(DECK.parse(text)) for text in first.split()]
    assert texts[-1] == set(DECK.parse(last))
    assert len({frozenset(cards) for cards in texts}) == 1326


@pytest.mark.parametrize("order", HAND_ORDERS)
@given(seed=st.integers(0, 2**32))
def test_weights_read_back_from_any_order(order: HandOrder, seed: int) -> None:
    weights = np.random.default_rng(seed).choice([0.0, 1.0, 0.25, 1e-5, 1 / 3], size=1326)
    assert np.array_equal(from_order(to_order(weights, order), order), weights)
    text = format_weights(weights, order)
    assert text.startswith(f"{order}: ")
    assert np.array_equal(parse_range(text, DECK), weights)


def test_a_row_may_have_commas_and_line_ends() -> None:
    weights = parse_range("AA,K7s:0.5", DECK)
    text = format_weights(weights, "pio").replace(" ", ",\n")
    assert np.array_equal(parse_range(text.replace("pio:", " PIO :"), DECK), weights)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pio: 1 0 1", "has 1,326 numbers, one per hand; got 3"),
        ("pio:", "has 1,326 numbers, one per hand; got 0"),
        ("pio: " + "2 " * 1326, "holds numbers from 0 to 1; got `2`"),
        ("pio: " + "nan " * 1326, "holds numbers from 0 to 1; got `nan`"),
        ("pio: " + "-1 " * 1326, "holds numbers from 0 to 1; got `-1`"),
        ("pio: " + "1e-40 " * 1326, "a weight must be 0, or a number from 1e-30 to 1"),
        ("pio: " + "\u0661 " * 1326, "holds numbers from 0 to 1"),
        ("1 " * 1326, "is not a term of a range"),
    ],
)
def test_a_row_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_range(text, DECK)


def test_a_row_is_for_the_full_deck() -> None:
    with pytest.raises(InputError, match="for a deck of 52 cards; this one has 20"):
        parse_range(format_weights(np.ones(1326), "pio"), Deck(5, 4))


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="there is no order of hands `gto`"):
        hands_in_order("gto")
