"""The names of hands on boards, against examples that any player would agree with, and a twin that counts outs."""

import numpy as np
import pytest

from errai.cards.deck import Deck
from errai.cards.hand_classes import DRAWS, MADE_HANDS, can_classify, classify_hands
from errai.cards.hands import hand_index, hands
from errai.cards.strength import Category, hand_category
from errai.errors import InputError

DECK = Deck(13, 4)


def names(hand: str, board: str) -> tuple[str, str]:
    classes = classify_hands(DECK, DECK.parse(board))
    number = int(hand_index(np.array([sorted(DECK.parse(hand))]))[0])
    return MADE_HANDS[classes.made[number]], DRAWS[classes.draw[number]]


@pytest.mark.parametrize(
    ("hand", "board", "made", "draw"),
    [
        ("8c8d", "Ks8s3d", "set", "no draw"),
        ("AsAh", "Ks8s3d", "overpair", "no draw"),
        ("AsQs", "Ks8s3d", "ace high", "flush draw"),
        ("Kh2h", "Ks8s3d", "top pair", "no draw"),
        ("QcQd", "Ks8s3d", "middle pair", "no draw"),
        ("9h8h", "Ks8s3d", "middle pair", "no draw"),
        ("4h3h", "Ks8s3d", "weak pair", "no draw"),
        ("2h2c", "Ks8s3d", "weak pair", "no draw"),
        ("Kh8h", "Ks8s3d", "two pair", "no draw"),
        ("JcTd", "Qs9h2d", "nothing", "open-ended"),
        ("KcJd", "Qs9h2d", "nothing", "gutshot"),
        ("8h7h", "Ts6d2c", "nothing", "gutshot"),
        ("5h4c", "As3d2c", "straight", "no draw"),
        ("Ah4c", "3d2cKs", "ace high", "gutshot"),
        ("Kc2d", "KsKh7d", "trips", "no draw"),
        ("AcQd", "KsKh7d", "ace high", "no draw"),
        ("9c9d", "KsKh7d", "middle pair", "no draw"),
        ("7c2d", "KsKh7d", "middle pair", "no draw"),
        ("7c7s", "KsKh7d", "full house", "no draw"),
        ("2c3d", "AsKsQsJsTs", "nothing", "no draw"),
        ("As2d", "KsQsJs9s3h", "flush", "no draw"),
        ("4c4d", "KsKhKd7d7c", "nothing", "no draw"),
    ],
)
def test_a_hand_has_the_name_that_players_give_it(hand: str, board: str, made: str, draw: str) -> None:
    assert names(hand, board) == (made, draw)


@pytest.mark.parametrize("board", ["Ks8s3d", "7h6h5d", "AsTs4s9d", "QcJc2h2d"])
def test_draws_are_those_that_the_next_card_completes(board: str) -> None:
    """The twin deals every next card and looks at what is made then."""
    classes = classify_hands(DECK, DECK.parse(board))
    cards = DECK.parse(board)
    every_hand = hands(DECK, 2)
    for number in range(0, len(every_hand), 7):
        hand = tuple(every_hand[number].tolist())
        if set(hand) & set(cards):
            assert (classes.made[number], classes.draw[number]) == (-1, -1)
            continue
        rest = [card for card in range(52) if card not in (*hand, *cards)]
        dealt = np.array([[*hand, *cards, card] for card in rest], dtype=np.uint8)
        now = hand_category(DECK, np.array([[*hand, *cards]], dtype=np.uint8))[0]
        after = hand_category(DECK, dealt)
        num_flushes = int((after == Category.FLUSH).sum() + (after == Category.STRAIGHT_FLUSH).sum())
        straight_ranks = {card // 4 for card, made in zip(rest, after, strict=True) if made == Category.STRAIGHT}
        if len(cards) == 3 and now < Category.STRAIGHT:  # on the turn the board may draw by itself
            drawn = DRAWS[classes.draw[number]]
            assert (drawn == "flush draw") == (num_flushes >= 9)
            if drawn != "flush draw":
                assert {"open-ended": 2, "gutshot": 1, "no draw": 0}[drawn] == min(2, len(straight_ranks))


def test_only_boards_of_hold_em_have_names() -> None:
    assert can_classify(DECK, 2, 3)
    assert not can_classify(DECK, 1, 3)
    assert not can_classify(DECK, 2, 0)
    with pytest.raises(InputError, match="3 to 5 cards"):
        classify_hands(DECK, DECK.parse("KsQs"))
