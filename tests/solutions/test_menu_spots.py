"""Spots of no-limit games, from the request to the saved solution."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.cards.hands import number_of_hand
from errai.errors import InputError, SizeError
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import Raise
from errai.solutions.solution import Solution
from errai.trees.betting_tree import build_betting_tree
from errai.trees.public_tree import build_public_tree
from errai.trees.tree_memory import table_bytes

NO_LIMIT = load_game("holdem.nolimit.2p")
POLAR = Spot(NO_LIMIT, pot=20, stack=10, board="2s3h4d6c7c", range_bb="AsAh,QsQh", range_dealer="KsKh", bets="a")
TURN = Spot(NO_LIMIT, pot=10, stack=30, board="As7h4d2c", range_bb="KsKh,5s3s", range_dealer="QsQh,AdKd", bets="100%,a")
LIMIT_RIVER = Spot(
    load_game("holdem.limit.2p"), "rc/cc/cc/", "Ks8s3d7h2c", "AsAd,KdQd:0.5,9h9d,JsTs", "KcJc,QhQc,8d8c:0.25,AhTh"
)


def hand(text: str) -> int:
    return number_of_hand(NO_LIMIT.deck.parse(text))


def opened_solution(path: Path) -> Solution:
    opened = errai.open(path)
    assert isinstance(opened, Solution)
    return opened


def test_a_polar_river_is_solved_and_looked_at() -> None:
    solution = errai.solve(POLAR, algorithm="lp")
    report = solution.query()
    assert (report.betting, report.pot_chips, report.actions) == ("", 20, ("c", "r10"))
    assert report.probabilities[hand("AsAh")] == pytest.approx([0, 1])
    assert report.probabilities[hand("QsQh")] == pytest.approx([2 / 3, 1 / 3])
    assert np.isnan(report.probabilities[hand("JsJh")]).all()
    assert report.value_chips is not None
    assert report.value_chips[0][hand("AsAh")] == pytest.approx(
        20 + 20 / 3
    )  # the pot, and a bet called two times in three
    assert report.value_chips[0][hand("QsQh")] == pytest.approx(0)
    assert report.average_value_chips(0) + report.average_value_chips(1) == pytest.approx(20)
    facing = solution.query(betting="r10")
    assert (facing.pot_chips, facing.actions) == (30, ("f", "c"))
    assert facing.probabilities[hand("KsKh")] == pytest.approx([1 / 3, 2 / 3])
    assert facing.reach[0][hand("QsQh")] == pytest.approx(1 / 3)


def test_a_saved_spot_opens_with_its_menu(tmp_path: Path) -> None:
    solution = errai.solve(POLAR, iterations=50)
    solution.save(tmp_path / "spot")
    opened = opened_solution(tmp_path / "spot")
    assert opened.start == POLAR
    assert np.array_equal(opened.query().probabilities, solution.query().probabilities, equal_nan=True)
    opened.resume(iterations=80)
    assert opened.exploitability() == errai.solve(POLAR, iterations=80).exploitability()


def test_the_answer_of_a_spot_has_the_sizes_of_its_menu() -> None:
    spot = Spot(NO_LIMIT, pot=20, stack=40, board="2s3h4d6c7c", range_bb="AA,QQ", range_dealer="KK", bets="50%,100%")
    answer = errai.solve(spot, iterations=20).action_probabilities(spot.root, spot.board_cards)
    assert answer.raise_totals.tolist() == [10, 20]
    assert spot.actions(spot.root)[1:] == (Raise(10), Raise(20))


def test_both_engines_look_at_a_limit_spot_alike() -> None:
    lanes, flat = (
        errai.solve(LIMIT_RIVER, engine=engine, iterations=6, algorithm="cfr+", precision="float64")
        for engine in ("lanes", "flat")
    )
    assert (lanes.plan.engine, flat.plan.engine) == ("lanes", "flat")
    assert flat.exploitability().best_response_chips == pytest.approx(lanes.exploitability().best_response_chips)
    for betting in ("rc/cc/cc/", "rc/cc/cc/c", "rc/cc/cc/r", "rc/cc/cc/crr"):
        first, second = (solution.query(betting=betting) for solution in (lanes, flat))
        player = first.player
        held = first.reach[player] > 0
        assert second.probabilities[held] == pytest.approx(first.probabilities[held], abs=1e-9)
        for of_player in (0, 1):
            assert second.reach[of_player] == pytest.approx(first.reach[of_player], abs=1e-9)
            known = first.reach[of_player] > 0
            assert first.value_chips is not None
            assert second.value_chips is not None
            assert second.value_chips[of_player][known] == pytest.approx(first.value_chips[of_player][known], abs=1e-9)


def test_values_of_a_turn_and_its_rivers_add_up_to_the_pot() -> None:
    solution = errai.solve(TURN, iterations=30)
    turns = [(None, None, 10), ("c", None, 10), ("r10", None, 20)]
    rivers = [("cc/", "As7h4d2cTd", 10), ("r10c/c", "As7h4d2cQc", 30)]
    for betting, board, pot in turns + rivers:
        report = solution.query(betting=betting, board=board)
        assert report.pot_chips == pot
        assert report.average_value_chips(0) + report.average_value_chips(1) == pytest.approx(pot)


@pytest.mark.parametrize(
    ("betting", "error"),
    [
        ("r9", "the betting tree has no action `r9` where the spot begins"),
        ("cr9", "the betting tree has no action `r9` after `c`"),
        ("r10x", "character 4 (`x`) of the betting `r10x`: expected `f`, `c` or `r`"),
        ("f", "character 1 (`f`) of the betting `f`: player 0 cannot fold"),
    ],
)
def test_a_line_that_is_not_there_has_an_error_about_what_was_written(betting: str, error: str) -> None:
    with pytest.raises(InputError, match=re.escape(error)):
        errai.solve(POLAR, iterations=1).query(betting=betting)


def test_a_spot_that_the_flat_engine_cannot_hold_is_refused() -> None:
    with pytest.raises(SizeError, match="has more than 50000000 nodes"):
        errai.solve("holdem.nolimit.2p", pot=20, stack=100, board="2s3h4d", bets="fcpa", engine="flat")


def test_the_flat_engine_refuses_rake() -> None:
    with pytest.raises(InputError, match="not zero-sum"):
        errai.solve(replace(POLAR, rake="5%"), engine="flat")


def test_a_turn_is_solved_by_lanes_and_saved_resumed_and_exported(tmp_path: Path) -> None:
    whole = errai.solve(TURN, iterations=30)
    assert (whole.plan.engine, whole.method.precision) == ("lanes", "float32")
    errai.solve(TURN, iterations=10).save(tmp_path / "turn")
    opened = opened_solution(tmp_path / "turn")
    opened.resume(iterations=30)
    opened.save(tmp_path / "turn")
    assert opened.exploitability() == whole.exploitability()
    assert opened.verify().problems == ()
    assert opened.export(tmp_path / "state.csv", betting="r10c/", board="As7h4d2cTd") == 2
    assert opened.export(tmp_path / "all.csv", whole=True) > whole.plan.num_infosets


def test_both_engines_look_at_a_no_limit_turn_alike() -> None:
    lanes, flat = (
        errai.solve(TURN, engine=engine, iterations=6, algorithm="cfr+", precision="float64")
        for engine in ("lanes", "flat")
    )
    assert flat.exploitability().best_response_chips == pytest.approx(lanes.exploitability().best_response_chips)
    for betting, board in ((None, None), ("r10", None), ("r30", None), ("cr30", None), ("r10c/c", "As7h4d2cQc")):
        first, second = (solution.query(betting=betting, board=board) for solution in (lanes, flat))
        held = first.reach[first.player] > 0
        assert first.actions == second.actions
        assert second.probabilities[held] == pytest.approx(first.probabilities[held], abs=1e-9)


def test_the_memory_of_a_turn_counts_the_edges_of_all_in_calls() -> None:
    betting = build_betting_tree(TURN.root, TURN.menu, dead_pot=10)
    tree = build_public_tree(NO_LIMIT, betting=betting, board=TURN.board_cards, ranges=TURN.weights)
    without = replace(TURN, bets="turn none, river 100%,a".replace(", ", "\n"))
    plain = build_betting_tree(without.root, without.menu, dead_pot=10)
    small = build_public_tree(NO_LIMIT, betting=plain, board=TURN.board_cards, ranges=TURN.weights)
    # Two hands each, and a number of 4 bytes per pair and player.
    assert table_bytes(tree) - table_bytes(small) == 2 * 2 * 2 * 4


def test_rake_is_taken_at_every_end_and_each_player_has_a_distance(tmp_path: Path) -> None:
    # One hand each, and aces win. A pot of 20 is raked by 1 chip, one of 40 by the cap.
    spot = replace(POLAR, range_bb="AsAh", rake="5% cap 1.5")
    solution = errai.solve(spot, iterations=300)
    measured = solution.exploitability()
    # Kings never call, so betting or checking wins 20 less 1: 9 more than the half of the pot that was put in.
    assert measured.value_chips == pytest.approx(9, abs=0.01)
    assert measured.second_value_chips == pytest.approx(-10, abs=0.01)
    assert measured.best_response_chips == pytest.approx((9, -10), abs=0.01)
    assert measured.exploitability_chips == pytest.approx(sum(measured.distance_chips) / 2)
    assert measured.exploitability_chips == pytest.approx(0, abs=0.01)
    assert solution.describe().to_json()["expected_value_chips"] == pytest.approx([19, 0], abs=0.01)
    solution.save(tmp_path / "raked")
    opened = opened_solution(tmp_path / "raked")
    assert opened.start == spot
    assert opened.describe().exploitability == opened.exploitability() == measured


def test_the_values_of_a_raked_river_are_those_of_all_pairs_of_hands() -> None:
    spot = replace(POLAR, rake="5% cap 1.5")
    solution = errai.solve(spot, iterations=3, precision="float64")
    first, facing = solution.query(with_values=False), solution.query(betting="r10", with_values=False)
    behind = solution.query(betting="c", with_values=False)
    call = facing.probabilities[hand("KsKh"), 1]
    bet_behind = behind.probabilities[hand("KsKh"), 1]
    values = np.zeros(2)
    for text, sign in (("AsAh", 1), ("QsQh", -1)):
        check, bet = first.probabilities[hand(text)]
        respond = solution.query(betting="cr10", with_values=False).probabilities[hand(text)]
        ends = (
            (check * (1 - bet_behind), sign, 10, 1.0),
            (check * bet_behind * respond[0], -1, 10, 1.0),
            (check * bet_behind * respond[1], sign, 20, 1.5),
            (bet * (1 - call), 1, 10, 1.0),
            (bet * call, sign, 20, 1.5),
        )
        for share, winner, chips, rake in ends:
            paid = np.array([chips * winner, -chips * winner], dtype=np.float64)
            paid[0 if winner > 0 else 1] -= rake
            values += share * paid / 2
    measured = solution.exploitability()
    assert (measured.value_chips, measured.second_value_chips) == pytest.approx(tuple(values))


def test_a_target_in_percent_of_the_pot_is_met() -> None:
    solution = errai.solve(POLAR, target_pot_percent=0.1)
    assert solution.goal.target_mbb == pytest.approx(0.001 * 20 * 1000 / 100)
    assert solution.describe().to_json()["exploitability_percent_of_pot"] <= 0.1
    with pytest.raises(InputError, match="one target"):
        errai.solve(POLAR, target_pot_percent=0.1, target_mbb=1)
    with pytest.raises(InputError, match="is for spots"):
        errai.solve("kuhn", target_pot_percent=0.1)


def test_a_spot_reports_equity_values_and_first_actions() -> None:
    content = errai.solve(POLAR, target_pot_percent=0.01).describe().to_json()
    assert content["equity"] == pytest.approx([0.5, 0.5])
    assert sum(content["expected_value_chips"]) == pytest.approx(20)
    # Aces bet, and one queen in two bluffs at an all-in of half the pot: 1/3 per value bet.
    assert content["root_frequencies"] == pytest.approx({"check": 1 / 3, "all-in": 2 / 3}, abs=0.02)
    # Both players: open or check behind with two actions each, and a call or fold of an all-in.
    assert (content["infosets"], content["infoset_actions"]) == (6, 12)


def test_equity_counts_every_runout_and_removes_cards() -> None:
    # Of 44 rivers, two queens win for the dealer's queens; a king is drawing dead against aces.
    spot = replace(TURN, range_bb="KsKh", range_dealer="QsQh")
    assert spot.equity == pytest.approx((42 / 44, 2 / 44))
    blocked = replace(TURN, range_bb="KsKh,QsQd", range_dealer="QsQh")
    assert blocked.equity == spot.equity
