from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai._native import available_levels, kernels, load_level
from errai.cards.deck import Deck
from errai.cards.equity import compute_preflop_points, edge_against_each, edge_matrix, showdown_equity
from errai.cards.hands import hand_index, hands, held_cards
from errai.errors import InputError
from reference import equity as reference

DECK = Deck(13, 4)


def preflop_equity(first: str, second: str) -> float:
    edge = edge_against_each(DECK, DECK.parse(first), (), num_board_cards=5)
    return float(1 + edge[hand_index(np.array(DECK.parse(second)))]) / 2


@st.composite
def deals(draw: st.DrawFn) -> tuple[Deck, tuple[int, ...], tuple[int, ...], int]:
    """A small deck, a hand, a board, and how many cards the board will have."""
    deck = Deck(draw(st.integers(3, 6)), draw(st.integers(2, 4)))
    num_hole_cards = draw(st.integers(1, 2))
    num_board_cards = draw(st.integers(0, min(7 - num_hole_cards, deck.size - 2 * num_hole_cards, 5)))
    num_dealt = draw(st.integers(0, num_board_cards))
    cards = draw(st.permutations(range(deck.size)))
    return deck, tuple(cards[:num_hole_cards]), tuple(cards[num_hole_cards:][:num_dealt]), num_board_cards


@settings(max_examples=60, deadline=None)
@given(deals())
def test_edge_is_that_of_dealing_every_board_to_every_pair_of_hands(
    deal: tuple[Deck, tuple[int, ...], tuple[int, ...], int],
) -> None:
    deck, hole_cards, board, num_board_cards = deal
    expected = reference.edge_against_each(deck, hole_cards, board, num_board_cards=num_board_cards)
    found = edge_against_each(deck, hole_cards, board, num_board_cards=num_board_cards)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("board", ["Ks8s3d", "7d7s2h", "ThJhQc7c", "ThJhQhKhAh"])
def test_edge_of_one_hand_over_another_is_the_negative_of_the_reverse(board: str) -> None:
    first, second = DECK.parse("9h8h"), DECK.parse("As4d")
    cards = DECK.parse(board)
    over_second = edge_against_each(DECK, first, cards, num_board_cards=5)[hand_index(np.array(second))]
    over_first = edge_against_each(DECK, second, cards, num_board_cards=5)[hand_index(np.array(first))]
    assert over_second == pytest.approx(-over_first, abs=1e-12)


# All-in equity against a random hand: figures.md, section 3, exact.
@pytest.mark.parametrize(("hand", "equity"), [("AsAd", 0.852037), ("7h2c", 0.345836)])
def test_preflop_equity_against_a_random_hand_is_the_published_one(hand: str, equity: float) -> None:
    edge = edge_against_each(DECK, DECK.parse(hand), (), num_board_cards=5)
    assert (1 + edge.sum() / 1225) / 2 == pytest.approx(equity, abs=5e-7)


# Aces against kings, no suit in common and both: 81.2555 % and 82.6366 %, as every odds calculator has it.
@pytest.mark.parametrize(("kings", "equity"), [("KcKh", 0.812555), ("KsKd", 0.826366)])
def test_preflop_equity_of_aces_over_kings_depends_on_shared_suits(kings: str, equity: float) -> None:
    assert preflop_equity("AsAd", kings) == pytest.approx(equity, abs=5e-7)


def test_preflop_table_gives_both_sides_of_every_pair_the_same_boards() -> None:
    for hand in ("AsKs", "2c2d", "9h4s"):
        edge = edge_against_each(DECK, DECK.parse(hand), (), num_board_cards=5)
        number = int(hand_index(np.array(DECK.parse(hand))))
        for opponent in (5, 500, 1300):
            cards = hands(DECK, 2)[opponent].tolist()
            if not set(cards) & set(DECK.parse(hand)):
                reverse = edge_against_each(DECK, cards, (), num_board_cards=5)[number]
                assert edge[opponent] == pytest.approx(-reverse, abs=1e-12)


@pytest.mark.slow
def test_preflop_table_is_what_dealing_all_boards_gives() -> None:
    from errai.cards.equity import _preflop_table

    assert np.array_equal(compute_preflop_points(DECK, 5), _preflop_table(DECK, 5))


@pytest.mark.parametrize("level", available_levels())
def test_every_level_counts_the_same_points(level: str) -> None:
    every_hand = hands(DECK, 2)
    arguments: dict[str, Any] = {
        "hand": np.array(DECK.parse("AsKd"), dtype=np.uint8),
        "board": np.array(DECK.parse("Ks8s3d"), dtype=np.uint8),
        "hands": every_hand,
        "deck_size": 52,
        "num_suits": 4,
        "num_dealt": 2,
    }
    found, expected = (np.empty(len(every_hand), dtype=np.int32) for _ in range(2))
    load_level(level).rollout_points(**arguments, points=found)
    kernels.rollout_points(**arguments, points=expected)
    assert np.array_equal(found, expected)


def test_hands_that_share_a_card_have_no_edge() -> None:
    edge = edge_against_each(DECK, DECK.parse("AsKd"), DECK.parse("Ks8s3d"), num_board_cards=5)
    every_hand = hands(DECK, 2)
    shares = np.isin(every_hand, DECK.parse("AsKdKs8s3d")).any(axis=1)
    assert not edge[shares].any()
    assert np.count_nonzero(edge[~shares]) > 1000


@pytest.mark.parametrize(
    ("hand", "board", "num_board_cards", "message"),
    [
        ((0, 0), (), 5, "different cards"),
        ((0, 60), (), 5, "of a 52-card deck"),
        ((0, 1), (2, 3, 4), 2, "a board of 3 cards cannot grow to 2 cards"),
        ((0, 1), (2, 3, 4), 6, "a board of 3 cards cannot grow to 6 cards"),
    ],
)
def test_cards_that_cannot_be_are_refused(
    hand: tuple[int, ...], board: tuple[int, ...], num_board_cards: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        edge_against_each(DECK, hand, board, num_board_cards=num_board_cards)


@pytest.mark.parametrize("board", ["Ks8s3d7h2c", "AsKsQsJsTs", "Ks8s3d"])
def test_equity_on_the_last_board_is_that_of_all_pairs_of_hands(board: str) -> None:
    cards = DECK.parse(board)
    weights = np.random.default_rng(1).random(1326) ** 3
    weights[::5] = 0
    edges = edge_matrix(DECK, cards, num_hole_cards=2, num_board_cards=len(cards))
    held = held_cards(DECK, 2)
    possible = ~held[:, list(cards)].any(axis=1)
    meets = np.outer(possible, weights * possible) * (held @ held.T == 0)
    expected = np.full(1326, np.nan)
    expected[possible] = ((1 + edges) / 2 * meets).sum(axis=1)[possible] / meets.sum(axis=1)[possible]
    np.testing.assert_allclose(showdown_equity(DECK, cards, weights), expected, rtol=1e-9)


def test_a_hand_that_meets_nothing_has_no_equity() -> None:
    weights = np.zeros(1326)
    weights[0] = 1.0
    equity = showdown_equity(DECK, DECK.parse("Ks8s3d7h2s"), weights)
    assert np.isnan(equity[0])
    assert np.nanmin(equity) >= 0.0
