"""Hands that begin at a spot: dealt from the ranges, played from there, judged from there."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.cards.hands import hands, number_of_hand
from errai.cards.strength import hand_strengths
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.play.hand_start import HandStart
from reference.small_holdem import small_holdem

SMALL = small_holdem(num_ranks=4)


def spot_of(range_bb: str = "random", range_dealer: str = "random") -> Spot:
    return Spot(SMALL, betting="rc/cc/", board="AsKsQdJh", range_bb=range_bb, range_dealer=range_dealer)


def test_the_start_of_a_game_deals_every_card_alike() -> None:
    kuhn = HandStart(load_game("kuhn"))
    dealt = [kuhn.deal(seed=1, number=number).hole_cards for number in range(6_000)]
    for first, second in permutations(range(3), 2):
        assert dealt.count(((first,), (second,))) == pytest.approx(1_000, abs=150)


def test_hole_cards_come_from_the_ranges_as_often_as_their_weights_say() -> None:
    spot = spot_of(range_bb="KdKh,QhQc:0.5", range_dealer="KdQs,QhQs:0.25,AdAh")
    start = HandStart(SMALL, spot)
    deck, cards = SMALL.deck, hands(SMALL.deck, 2)
    first, second = spot.weights
    joint = {
        (a, b): first[a] * second[b]
        for a in np.flatnonzero(first).tolist()
        for b in np.flatnonzero(second).tolist()
        if not set(cards[a]) & set(cards[b])
    }
    num_deals, total = 8_000, sum(joint.values())
    found: dict[tuple[int, int], int] = {}
    boards = set()
    for number in range(num_deals):
        deal = start.deal(seed=3, number=number)
        assert deck.text(deal.board[:4]) == "AsKsQdJh"
        known = [*deal.hole_cards[0], *deal.hole_cards[1], *deal.board]
        assert len(set(known)) == len(known)
        pair = (number_of_hand(deal.hole_cards[0]), number_of_hand(deal.hole_cards[1]))
        found[pair] = found.get(pair, 0) + 1
        boards.add(deal.board)
    assert found.keys() == joint.keys()
    for pair, weight in joint.items():
        expected = num_deals * weight / total
        assert found[pair] == pytest.approx(expected, abs=5 * expected**0.5)  # five standard deviations
    assert len(boards) > 5
    assert start.deal(seed=3, number=7) == HandStart(SMALL, spot).deal(seed=3, number=7)


def test_the_mean_edge_is_that_of_all_pairs_on_all_boards() -> None:
    spot = spot_of(range_bb="KdKh,QhQc:0.5", range_dealer="KdQs,QhQs:0.25,AdAh")
    cards = hands(SMALL.deck, 2)
    total = weight = 0.0
    for a in np.flatnonzero(spot.weights[0]):
        for b in np.flatnonzero(spot.weights[1]):
            known = {*cards[a].tolist(), *cards[b].tolist(), *spot.board_cards}
            if len(known) < 4 + len(spot.board_cards):
                continue
            pair_weight = spot.weights[0][a] * spot.weights[1][b]
            for river in set(range(SMALL.deck.size)) - known:
                both = np.array([[*cards[hand], *spot.board_cards, river] for hand in (a, b)], dtype=np.uint8)
                mine, theirs = hand_strengths(SMALL.deck, both).tolist()
                total += pair_weight * ((mine > theirs) - (mine < theirs))
                weight += pair_weight
    start = HandStart(SMALL, spot)
    assert start.mean_edge(0) == pytest.approx(total / weight, abs=1e-12)
    assert start.mean_edge(1) == -start.mean_edge(0)


def test_all_estimates_of_local_best_response_at_a_spot_have_the_same_mean(tmp_path: Path) -> None:
    solution = errai.solve(spot_of(), iterations=3)
    directory = tmp_path / "spot"
    solution.save(directory)
    report = errai.lbr(str(directory), hands=3_000, seed=2)
    assert report.game == spot_of().name
    assert report.rounds == (3, 4)
    plain = report.techniques["duplicate"]
    for technique in report.techniques.values():
        distance = abs(technique.mean - plain.mean)
        assert distance <= 3 * (technique.half_width**2 + plain.half_width**2) ** 0.5 / 1.96 * 1.5
    best = errai.open(directory).exploitability()
    assert report.mean_mbb - 1.5 * report.wins_mbb.half_width <= best.exploitability_mbb
