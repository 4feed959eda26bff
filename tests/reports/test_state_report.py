"""What a report derives from reach, probabilities and values: frequencies, equity, averages over a range."""

from dataclasses import replace

import numpy as np
import pytest

import errai
from errai.cards.equity import edge_matrix
from errai.cards.hands import hand_index
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.reports.state import StateReport
from reference.equity import edge_against_each

HOLDEM = load_game("holdem.nolimit.2p")
SMALL = replace(HOLDEM, name="small", num_ranks=4)  # jacks to aces: 16 cards
# Ranges that block each other: an ace of spades on both sides, and weights.
BLOCKING = Spot(
    SMALL,
    board="AhKhQh",
    range_bb="AsKs,AsQs:0.5,KdKc,JJ",
    range_dealer="AsAd,QsQd,KsJs,JdJc:0.25",
    pot=20,
    stack=40,
    bets="50%,a / a",
)


def hand(text: str) -> int:
    return int(hand_index(np.array(SMALL.deck.parse(text))))


@pytest.fixture(scope="module")
def solved() -> errai.Solution:
    return errai.solve(BLOCKING, iterations=25, precision="float64")


def query(solved: errai.Solution, betting: str, board: str = "AhKhQh") -> StateReport:
    return solved.query(betting=betting, board=board)


@pytest.mark.parametrize(("betting", "board"), [("", "AhKhQh"), ("r10", "AhKhQh"), ("cc/", "AhKhQhJd")])
def test_averages_count_each_pair_of_hands_that_can_be_dealt(solved: errai.Solution, betting: str, board: str) -> None:
    report = query(solved, betting, board)
    assert report.value_chips is not None
    cards = [{text[place : place + 2] for place in (0, 2)} for text in report.hand_texts]
    first, second = report.reach
    pairs = [
        (a, b, first[a] * second[b])
        for a in np.flatnonzero(first)
        for b in np.flatnonzero(second)
        if not cards[a] & cards[b]
    ]
    total = sum(weight for *_, weight in pairs)
    own = [(pair[report.player], pair[2] / total) for pair in pairs]
    expected = sum(report.probabilities[hand] * weight for hand, weight in own)
    np.testing.assert_allclose(report.frequencies, expected, atol=1e-12)
    for player in (0, 1):
        value = sum(report.value_chips[player][pair[player]] * pair[2] / total for pair in pairs)
        assert report.average_value_chips(player) == pytest.approx(value, abs=1e-9)
    assert sum(report.average_value_chips(player) for player in (0, 1)) == pytest.approx(report.pot_chips)


def test_the_first_actions_of_a_solution_are_the_frequencies_at_its_root(solved: errai.Solution) -> None:
    report = query(solved, "")
    assert solved.describe().root_frequencies == dict(zip(report.action_names, report.frequencies, strict=True))
    # By reach alone it would be another number: the hands of these ranges meet unequally often.
    alone = np.average(report.probabilities[report.reach[0] > 0], axis=0, weights=report.reach[0][report.reach[0] > 0])
    assert np.abs(alone - report.frequencies).max() > 0.005


@pytest.mark.parametrize(("betting", "board"), [("", "AhKhQh"), ("cr10", "AhKhQh"), ("cc/c", "AhKhQhJd")])
def test_equity_is_what_dealing_every_board_to_every_pair_gives(
    solved: errai.Solution, betting: str, board: str
) -> None:
    report = query(solved, betting, board)
    for player in (0, 1):
        opponent = report.reach[1 - player]
        for number in np.flatnonzero(report.reach[player]):
            cards = SMALL.deck.parse(report.hand_texts[number])
            edge = edge_against_each(SMALL.deck, cards, report.board, num_board_cards=5)
            met = np.array([not {*cards} & {*SMALL.deck.parse(text)} for text in report.hand_texts]) * opponent
            assert report.equity[player][number] == pytest.approx((1 + (edge @ met) / met.sum()) / 2, abs=1e-12)
    assert sum(report.average_equity(player) for player in (0, 1)) == pytest.approx(1)


def test_a_flop_game_knows_its_equities_before_the_flop() -> None:
    """Three cards are dealt to a deck of 16: the table of classes against every board."""
    matrix = edge_matrix(SMALL.deck, (), num_hole_cards=2, num_board_cards=3)
    for text in ("AsAd", "KsQs", "AhJc"):
        expected = edge_against_each(SMALL.deck, SMALL.deck.parse(text), (), num_board_cards=3)
        np.testing.assert_allclose(matrix[hand(text)], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("bb", "dealer", "equity"), [("AsAd", "QsQd", 1.0), ("QsQd", "AsAd", 0.0), ("QsQd", "QhQc", 0.5)]
)
def test_hands_that_always_win_lose_or_tie(bb: str, dealer: str, equity: float) -> None:
    spot = Spot(HOLDEM, board="2s3h4d6c7c", range_bb=bb, range_dealer=dealer, pot=20, stack=10, bets="a")
    report = errai.solve(spot, iterations=200, precision="float64").query()
    assert report.action_value_chips is not None
    number = int(hand_index(np.array(HOLDEM.deck.parse(bb))))
    assert report.equity[0][number] == equity
    assert report.average_value_chips(0) == pytest.approx(20 * equity, abs=0.05)
    # The loser's bet is called, the winner's is folded to, and equal hands split.
    assert report.action_value_chips[number][1] == pytest.approx({1.0: 20, 0.0: -10, 0.5: 10}[equity], abs=0.1)


def test_a_report_without_values_has_frequencies_and_says_nothing_of_worth(solved: errai.Solution) -> None:
    content = solved.query(with_values=False).to_json()
    assert content["value"] == content["equity"] == content["equity_realisation"] == [None, None]
    assert sum(content["frequencies"].values()) == pytest.approx(1)
    assert all(row["values"] is None and row["value"] is None for row in content["hands"])


@pytest.mark.parametrize("engine", ["lanes", "flat"])
@pytest.mark.parametrize("betting", ["", "c", "cr10", "r10", "r40", "cr40"])
def test_each_action_is_worth_what_the_state_after_it_is(engine: str, betting: str) -> None:
    """The value of a hand after its raise is that at the next state, less what the raise put in."""
    spot = replace(BLOCKING, board="AhKhQhJd", range_bb="AsKs,AsQs:0.5,KdKc")
    solution = errai.solve(spot, engine=engine, iterations=20, precision="float64")
    report = solution.query(betting=betting)
    assert report.value_chips is not None
    assert report.action_value_chips is not None
    player = report.player
    here = report.reach[player] > 1e-6
    mixed = np.nansum(report.probabilities * report.action_value_chips, axis=1)
    np.testing.assert_allclose(report.value_chips[player][here], mixed[here], atol=1e-9)
    for place, (letter, action) in enumerate(zip(report.actions, spot.actions(report.state), strict=True)):
        if letter[0] == "f":
            np.testing.assert_allclose(report.action_value_chips[here, place], 0.0, atol=1e-9)
        if letter[0] != "r" or report.state.apply(action).actor is None:
            continue
        total = int(letter[1:])
        after = solution.query(betting=betting + letter)
        assert after.value_chips is not None
        put_in = total - report.state.committed[player]
        expected = after.value_chips[player] - put_in
        known = here & ~np.isnan(expected)
        np.testing.assert_allclose(report.action_value_chips[known, place], expected[known], atol=1e-9)
