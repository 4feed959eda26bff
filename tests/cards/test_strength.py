from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from errai._native import available_levels, load_level
from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.strength import Category, board_strengths, hand_category, hand_strengths
from errai.errors import InputError
from reference import strength as reference

FULL_DECK = Deck(13, 4)
DECKS = [FULL_DECK, Deck(13, 3), Deck(13, 2), Deck(13, 1), Deck(12, 4), Deck(9, 4), Deck(6, 3), Deck(5, 4)]


def random_hands(deck: Deck, count: int, num_cards: int, seed: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(seed).random((count, deck.size)).argsort(axis=1)
    return np.ascontiguousarray(order[:, :num_cards].astype(np.uint8))


def parse_hands(deck: Deck, *texts: str) -> NDArray[np.uint8]:
    return np.array([deck.parse(text) for text in texts], dtype=np.uint8)


def assert_same_order(strengths: NDArray[np.int32], keys: list[tuple[int, list[int]]]) -> None:
    """Sorted by one, the other is sorted as well, with ties at the same places."""
    order = np.argsort(strengths, kind="stable").tolist()
    for weaker, stronger in pairwise(order):
        assert keys[weaker] <= keys[stronger]
        assert (strengths[weaker] == strengths[stronger]) == (keys[weaker] == keys[stronger])


@pytest.mark.parametrize("num_cards", range(1, 8))
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_strength_orders_random_hands_like_the_reference(deck: Deck, num_cards: int) -> None:
    cards = random_hands(deck, 400, num_cards, seed=num_cards)
    assert_same_order(hand_strengths(deck, cards), [reference.strength(deck, row) for row in cards.tolist()])
    assert hand_category(deck, cards).tolist() == [reference.category(deck, row) for row in cards.tolist()]


@settings(deadline=None)
@given(data=st.data(), num_cards=st.integers(5, 7), deck=st.sampled_from(DECKS))
def test_strength_orders_pairs_of_hands_that_share_a_board_like_the_reference(
    data: st.DataObject, num_cards: int, deck: Deck
) -> None:
    dealt = data.draw(st.permutations(range(deck.size)))
    board = dealt[: num_cards - 2]
    pair = [[*board, *dealt[num_cards - 2 : num_cards]], [*board, *dealt[num_cards : num_cards + 2]]]
    first, second = hand_strengths(deck, np.array(pair, dtype=np.uint8)).tolist()
    first_key, second_key = (reference.strength(deck, cards) for cards in pair)
    assert (first < second, first == second) == (first_key < second_key, first_key == second_key)


def test_five_card_hands_have_the_known_frequencies() -> None:
    cards = hands(FULL_DECK, 5)
    # Known counts of all 2,598,960 hands; a royal flush is a straight flush.
    assert np.bincount(hand_category(FULL_DECK, cards)).tolist() == [
        1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40,
    ]  # fmt: skip
    assert len(np.unique(hand_strengths(FULL_DECK, cards))) == 7462


def test_three_card_hands_have_the_known_frequencies() -> None:
    counts = np.bincount(hand_category(FULL_DECK, hands(FULL_DECK, 3)), minlength=len(Category))
    # 12 straights from A-2-3 to Q-K-A: 12 x 4 straight flushes, 12 x (64 - 4) straights; flushes 4 x (C(13, 3) - 12).
    assert counts[Category.STRAIGHT_FLUSH] == 48
    assert counts[Category.TRIPS] == 52
    assert counts[Category.STRAIGHT] == 720
    assert counts[Category.FLUSH] == 1096
    assert counts[Category.PAIR] == 3744
    assert counts[Category.HIGH_CARD] == 16440


@pytest.mark.slow
def test_seven_card_hands_have_the_known_frequencies() -> None:
    counts = np.zeros(len(Category), dtype=np.int64)
    for second, highest in combinations(range(5, 52), 2):  # all 133,784,560 hands, by their two highest cards
        lowest = hands(FULL_DECK, 5)[: comb(second, 5)]
        top = np.tile(np.array([second, highest], dtype=np.uint8), (len(lowest), 1))
        categories = hand_category(FULL_DECK, np.concatenate([lowest, top], axis=1))
        counts += np.bincount(categories, minlength=len(Category))
    # Known counts; the straight flushes are 37,260 and 4,324 royal flushes.
    assert counts.tolist() == [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("AsKdQhJc9s", "2s2d3h4c5s"),
        ("AsAdKhQcJs", "2s2d3h3c4s"),
        ("AsAdKhKcQs", "2s2d2h3c4s"),
        ("AsAdAhKcQs", "As2d3h4c5s"),
        ("TsJdQhKcAs", "2s3s4s5s7s"),
        ("9sJsQsKsAs", "2s2d2h3c3s"),
        ("AsAdAhKcKs", "2s2d2h2c3s"),
        ("AsAdAhAcKs", "As2s3s4s5s"),
        ("As2d3h4c5s", "2s3d4h5c6s"),
    ],
)
def test_five_card_categories_rank_as_in_poker(weaker: str, stronger: str) -> None:
    low, high = hand_strengths(FULL_DECK, parse_hands(FULL_DECK, weaker, stronger))
    assert low < high


def test_three_card_categories_rank_as_in_rhode_island() -> None:
    ranking = parse_hands(FULL_DECK, "AsKdJh", "2s2d3h", "2s3s5s", "As2d3h", "2s2d2h", "As2s3s")
    assert np.all(np.diff(hand_strengths(FULL_DECK, ranking)) > 0)


def test_four_cards_know_neither_straights_nor_flushes() -> None:
    ranking = parse_hands(FULL_DECK, "2s3s4s5s", "3s4s5s6s", "AsKdQh9c", "2s2d3h4c", "2s2d3h3c", "2s2d2h3c", "2s2d2h2c")
    assert np.all(np.diff(hand_strengths(FULL_DECK, ranking)) > 0)
    assert hand_category(FULL_DECK, ranking).tolist() == [0, 0, 0, 1, 2, 3, 7]


def test_wheel_needs_thirteen_ranks() -> None:
    nine_ranks = Deck(9, 4)
    assert hand_category(FULL_DECK, parse_hands(FULL_DECK, "As2d3h4c5s")) == [Category.STRAIGHT]
    assert hand_category(nine_ranks, parse_hands(nine_ranks, "As6d7h8c9s")) == [Category.HIGH_CARD]


@pytest.mark.parametrize("num_cards", [3, 5, 6, 7])
def test_relabelled_suits_and_reordered_cards_give_the_same_strength(num_cards: int) -> None:
    cards = random_hands(FULL_DECK, 3000, num_cards, seed=7)
    suits = np.array([2, 0, 3, 1], dtype=np.uint8)
    relabelled = (cards // 4 * 4 + suits[cards % 4])[:, ::-1]
    assert np.array_equal(hand_strengths(FULL_DECK, cards), hand_strengths(FULL_DECK, relabelled))


@pytest.mark.parametrize("count", [0, 1, 7, 8, 15, 16, 17, 23, 24, 31, 32, 33, 63, 64, 65])
@pytest.mark.parametrize("num_suits", [3, 4])
def test_strength_does_not_depend_on_the_place_in_a_batch(count: int, num_suits: int) -> None:
    deck = Deck(13, num_suits)
    cards = random_hands(deck, 100, 7, seed=1)
    assert np.array_equal(hand_strengths(deck, cards[:count]), hand_strengths(deck, cards)[:count])


@pytest.mark.parametrize(("num_board_cards", "num_hole_cards"), [(5, 2), (4, 2), (3, 2), (0, 2), (2, 1), (1, 1)])
@pytest.mark.parametrize("deck", [FULL_DECK, Deck(6, 3)], ids=str)
def test_board_strengths_are_the_strengths_of_all_hands(deck: Deck, num_board_cards: int, num_hole_cards: int) -> None:
    boards = random_hands(deck, 5, num_board_cards, seed=3)
    every_hand = hands(deck, num_hole_cards)
    found = board_strengths(deck, boards, num_hole_cards=num_hole_cards)
    for board, strengths in zip(boards, found, strict=True):
        conflict = np.isin(every_hand, board).any(axis=1)
        together = np.concatenate([every_hand, np.tile(board, (len(every_hand), 1))], axis=1)
        assert np.array_equal(strengths, np.where(conflict, -1, hand_strengths(deck, together)))
        assert np.array_equal(strengths, board_strengths(deck, board, num_hole_cards=num_hole_cards))


@pytest.mark.parametrize("level", available_levels())
def test_every_level_gives_the_same_strengths(level: str) -> None:
    cards = random_hands(FULL_DECK, 1000, 7, seed=2)
    strengths = np.empty(len(cards), dtype=np.int32)
    load_level(level).hand_strengths(cards, 4, strengths)
    assert np.array_equal(strengths, hand_strengths(FULL_DECK, cards))


@pytest.mark.slow
@pytest.mark.parametrize(("hand", "equity"), [("AsAd", 0.852037), ("7s2d", 0.345836)])  # figures.md, section 3
def test_all_in_equity_against_a_random_hand(hand: str, equity: float) -> None:
    """Every board and every opposing hand: 2,118,760 boards of 990 hands."""
    own = np.array(FULL_DECK.parse(hand), dtype=np.uint8)
    boards = hands(FULL_DECK, 5)
    boards = boards[~np.isin(boards, own).any(axis=1)]
    own_hand = int(own.max()) * (int(own.max()) - 1) // 2 + int(own.min())
    shares_card = np.isin(hands(FULL_DECK, 2), own).any(axis=1)
    won = total = 0.0
    for some in np.array_split(boards, len(boards) // 2000):
        strengths = board_strengths(FULL_DECK, some)
        opposing = np.where(shares_card, -1, strengths)
        ours = strengths[:, own_hand, None]
        valid = opposing >= 0
        won += np.count_nonzero(valid & (opposing < ours)) + 0.5 * np.count_nonzero(opposing == ours)
        total += np.count_nonzero(valid)
    assert total == len(boards) * 990
    assert won / total == pytest.approx(equity, abs=5e-7)  # the figure has six digits


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (
            np.zeros((2, 8), np.uint8),
            r"`cards` must be a `uint8` array of shape \(n, k\), k = 1 to 7; got `uint8` \(2, 8\)",
        ),
        (
            np.zeros((2, 5), np.int64),
            r"`cards` must be a `uint8` array of shape \(n, k\), k = 1 to 7; got `int64` \(2, 5\)",
        ),
        (np.full((2, 5), 52, np.uint8), "cards of this deck are numbered 0 to 51; got `52`"),
    ],
)
def test_wrong_cards_are_refused(cards: NDArray[np.uint8], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        hand_strengths(FULL_DECK, cards)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([1, 2, 2], r"`board` must hold different cards of a 52-card deck; got `\[\[1, 2, 2\]\]`"),
        ([1, 2, 52], r"`board` must hold different cards of a 52-card deck; got `\[\[1, 2, 52\]\]`"),
        ([1, 2, 3, 4, 5, 6], "board and hand hold at most 7 cards; got 6 and 2"),
    ],
)
def test_wrong_boards_are_refused(board: list[int], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        board_strengths(FULL_DECK, board)
