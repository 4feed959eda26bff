import pytest

from errai.cards.deck import Deck
from errai.errors import InputError


@pytest.mark.parametrize(
    ("deck", "cards"),
    [  # seen on the ACPC's dealer (see tests/data/acpc)
        (Deck(3, 1), "QsKsAs"),
        (Deck(3, 2), "QhQsKhKsAhAs"),
        (Deck(2, 3), "KdKhKsAdAhAs"),
        (Deck(1, 4), "AcAdAhAs"),
    ],
)
def test_a_small_deck_holds_the_highest_ranks_and_the_last_suits(deck: Deck, cards: str) -> None:
    assert deck.text(range(deck.size)) == cards
    assert deck.parse(cards) == tuple(range(deck.size))


def test_a_card_that_the_deck_does_not_hold_is_refused_with_those_that_it_holds() -> None:
    with pytest.raises(InputError, match="`Qc` is not a card of this deck") as refused:
        Deck(3, 2).parse("Qc")
    assert refused.value.hint == "ranks are Q K A; suits are h s"
