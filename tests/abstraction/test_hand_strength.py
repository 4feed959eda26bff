from math import isnan

import numpy as np
import pytest

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.hand_strength import first_round_counts, hand_strength
from errai.abstraction.hand_text import parse_hand
from errai.abstraction.opponent_clusters import NO_CLUSTER, clusters_of_ranges, default_clusters
from errai.abstraction.showdowns import BLOCKED, ONE, Showdowns
from errai.abstraction.strength_scale import StrengthScale, earth_movers_distance
from errai.cards.deck import Deck
from errai.errors import InputError
from errai.games.library import load_game
from reference import abstraction as reference

HOLDEM = CardRounds.of(load_game("holdem.limit.2p"))
# The last has one hole card.
SMALL = [
    CardRounds(Deck(4, 3), 2, (0, 2, 1)),
    CardRounds(Deck(5, 2), 2, (0, 3)),
    CardRounds(Deck(4, 2), 1, (0, 1, 1)),
]


@pytest.fixture(scope="module", autouse=True)
def _forget_counts() -> None:
    first_round_counts.cache_clear()


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_features_are_those_of_dealing_every_board_to_every_opponent(cards: CardRounds) -> None:
    clusters = (np.arange(len(cards.hands)) % 3).astype(np.uint8)
    every_hand = [tuple(hand) for hand in cards.hands.tolist()]
    for board in ((), tuple(range(cards.deck.size))[3 : 3 + cards.board_sizes[1]]):
        for hand in [hand for hand in every_hand if not set(hand) & set(board)][::13]:
            found = hand_strength(cards, hand, board, num_bars=7, clusters=clusters)
            strengths = reference.strengths(cards, hand, board)
            assert found.ehs == pytest.approx(np.mean(strengths), abs=1e-12)
            assert found.ehs2 == pytest.approx(np.mean(np.square(strengths)), abs=1e-12)
            np.testing.assert_allclose(found.histogram, reference.histogram(strengths, 7), atol=1e-12)
            expected = [
                reference.cluster_equity(cards, hand, board, [every_hand[i] for i in np.flatnonzero(clusters == c)])
                for c in range(3)
            ]
            np.testing.assert_allclose(found.ochs, expected, atol=1e-12)


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_kernels_count_the_points_and_cluster_strengths_of_every_hand(cards: CardRounds) -> None:
    showdowns = Showdowns(cards)
    boards = np.array([[1, 2, 3], [0, 5, 7]], dtype=np.uint8)[:, : cards.board_sizes[-1]].copy()
    clusters = (np.arange(len(cards.hands)) % 11).astype(np.uint8)
    points = showdowns.points(boards)
    strengths = showdowns.cluster_strengths(boards, clusters)
    every_hand = cards.hands.tolist()
    for place, board in enumerate(boards.tolist()):
        for number, hand in enumerate(every_hand):
            if set(hand) & set(board):
                assert points[place, number] == BLOCKED
                assert not strengths[place, number].any()
                continue
            assert points[place, number] == reference.points(cards, hand, board)[0]
            for cluster in range(int(clusters.max()) + 1):
                opponents = [every_hand[i] for i in np.flatnonzero(clusters == cluster)]
                equity = reference.cluster_equity(cards, hand, board, opponents)
                expected = ONE // 2 if isnan(equity) else equity * ONE
                assert strengths[place, number, cluster] == pytest.approx(expected, abs=0.5001)  # rounded


def test_rollouts_are_the_sums_over_all_boards_to_come() -> None:
    cards = SMALL[0]
    showdowns = Showdowns(cards)
    rollouts = showdowns.roll_out(np.array([[0, 4], [6, 7]], dtype=np.uint8), num_bars=5)
    for place, board in enumerate(([0, 4], [6, 7])):
        for number, hand in enumerate(cards.hands.tolist()):
            if set(hand) & set(board):
                assert not rollouts.histograms[place, number].any()
                continue
            strengths = reference.strengths(cards, hand, board)
            most = showdowns.scale.most_points
            assert rollouts.points[place, number] == pytest.approx(most * sum(strengths), abs=1e-9)
            assert rollouts.squares[place, number] == pytest.approx(most**2 * sum(np.square(strengths)), abs=1e-6)
            expected = len(strengths) * reference.histogram(strengths, 5)
            np.testing.assert_allclose(rollouts.histograms[place, number], expected, atol=1e-9)


def test_figures_before_the_flop_are_the_published_ones() -> None:
    """Figures.md, section 9: E[HS] and distances of Johanson et al., AAMAS 2013; equities of section 3."""
    found = {
        text: hand_strength(
            HOLDEM, parse_hand(HOLDEM, text, ()), (), num_bars=50, clusters=default_clusters(HOLDEM), num_threads=2
        )
        for text in ("44", "66", "JTs", "AA", "72o")
    }
    assert [round(found[text].ehs, 3) for text in ("44", "66")] == [0.570, 0.633]
    assert [round(found[text].ehs, 6) for text in ("AA", "72o")] == [0.852037, 0.345836]
    distances = [earth_movers_distance(found["44"].histogram, found[text].histogram) for text in ("66", "JTs")]
    assert [round(distance, 3) for distance in distances] == [3.101, 6.212]
    # Eight clusters hold all hands, so that their mean is E[HS], each weighted by its hands that are still possible.
    clusters = default_clusters(HOLDEM)
    possible = ~np.isin(HOLDEM.hands, parse_hand(HOLDEM, "44", ())).any(axis=1)
    weights = np.bincount(clusters[possible])
    assert len(weights) == 8
    assert float(found["44"].ochs @ weights / weights.sum()) == pytest.approx(found["44"].ehs, abs=1e-12)


def test_a_strength_of_one_is_in_the_last_bar() -> None:
    scale = StrengthScale.of(HOLDEM)
    assert scale.num_opponents == 990
    bars = scale.bar_of_points(50, 1981)
    assert (bars[0], bars[-1]) == (0, 49)
    assert np.all(np.diff(bars.astype(int)) >= 0)


def test_default_clusters_are_those_of_the_chart() -> None:
    clusters = default_clusters(HOLDEM)
    number = {text: parse_hand(HOLDEM, text, ()) for text in ("AA", "22", "65s", "65o", "A2s", "98o", "T9o", "JTs")}
    index = {text: int(np.flatnonzero((HOLDEM.hands == sorted(hand)).all(axis=1))[0]) for text, hand in number.items()}
    found = {text: int(clusters[place]) + 1 for text, place in index.items()}
    assert found == {"AA": 8, "22": 4, "65s": 3, "65o": 1, "A2s": 6, "98o": 3, "T9o": 5, "JTs": 5}


def test_own_clusters_are_ranges_without_a_common_hand() -> None:
    clusters = clusters_of_ranges(HOLDEM, ("AA,KK", "AKs"))
    assert [int((clusters == number).sum()) for number in (0, 1, NO_CLUSTER)] == [12, 4, 1310]
    with pytest.raises(InputError, match=r"^a hand is in one cluster only; `A.K.` is in `AK` and in another$"):
        clusters_of_ranges(HOLDEM, ("AKs", "AK"))


def test_a_class_of_hands_must_be_alike_on_the_board() -> None:
    deck = HOLDEM.deck
    assert parse_hand(HOLDEM, "TcQd", ()) == deck.parse("TcQd")
    assert set(parse_hand(HOLDEM, "44", deck.parse("4h5h6h"))) <= set(deck.parse("4c4d4s"))
    with pytest.raises(InputError, match=r"^the hands of `QQ` differ in strength here$"):
        parse_hand(HOLDEM, "QQ", deck.parse("7h9h2h"))
    with pytest.raises(InputError, match=r"^`AA` names no hand that is possible here$"):
        parse_hand(HOLDEM, "AA", deck.parse("AsAhAd"))
