"""Spots with bet menus: the lane engine against the flat engine, and against linear programs."""

from dataclasses import replace

import pytest

from errai.evaluate.flat_best_response import best_response_flat, expected_value_flat
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.passes.tree_values import root_value
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import build_betting_tree
from errai.trees.lane_arrays import LaneArray
from errai.trees.poker_form import build_spot_form
from errai.trees.public_tree import PublicTree, build_public_tree
from reference.mini_game import MINI

HOLDEM = load_game("holdem.nolimit.2p")


def small_deck(num_ranks: int) -> GameDefinition:
    return GameDefinition(
        name="small",
        is_limit=False,
        blinds=(2, 1),
        first_player=(1, 0, 0, 0),
        num_suits=4,
        num_ranks=num_ranks,
        num_hole_cards=2,
        num_board_cards=(0, 3, 1, 1),
        stacks=(100, 100),
    )


def build_tree(spot: Spot) -> PublicTree:
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips, rake=spot.rake_rule)
    return build_public_tree(spot.definition, betting=betting, board=spot.board_cards, ranges=spot.weights)


def assert_engines_agree(spot: Spot, *, variant: str, iterations: int, rtol: float = 1e-8) -> None:
    tree, form = build_tree(spot), build_spot_form(spot)
    lanes, flat = (LaneSolver(tree, variant=find_variant(variant)), FlatSolver(form, variant=find_variant(variant)))
    lanes.run(iterations)
    flat.run(iterations)
    strategy, expected = lanes.average_strategy(), flat.average_strategy()
    for player in (0, 1):
        ours = root_value(tree, strategy, player, best_response=True)
        assert ours == pytest.approx(best_response_flat(form, expected, player=player).value_chips, rel=rtol, abs=rtol)
    value = root_value(tree, strategy, 0, best_response=False)
    assert value == pytest.approx(expected_value_flat(form, expected), rel=rtol, abs=rtol)


MANY = "25%,50%,75%,100%,150%,a / 2x,a"
# Drawn at random, with odd sizes, so that ties are rare: where two actions are worth exactly the same, no two orders of
# summation break the tie alike.
SPOTS = [
    ("AsKsQdQh", "a", 7, 5, "KdTh,QcTc,AcTd,JsJh", "KcTs,AcKc:0.5,QcTd:0.5,AhTc", "cfr+"),
    ("KsQsTdTsAh", "a", 7, 5, "KhJc,QdTc,AcTh,AsQc", "KdJd,AcKd:0.5,QdTh:0.5,AsTc", "cfr+"),
    ("KsQsTdTsAh", "e / 50%\nturn bb lead 25%", 11, 53, "AsJs,AsTh,KdJd,AcKh", "KhTh,KhKc:0.5,AdQc:0.5,JdTh", "dcfr"),
    ("KsQsTdTsAh", "50%,a / 3x", 23, 17, "KhQh,QhQc,KdJc,QhJc", "QdTc,QhTh:0.5,AcJh:0.5,KhTc", "pcfr+"),
    (
        "AsAdKhKc",
        MANY,
        23,
        5,
        "KsJh,QdTh,TsTc,KdTh",
        "QcJd,QcTc:0.5,KsQs:0.5,KdQs",
        "pcfr+",
    ),
    ("AsKsQdQh", "e / 50%\nturn bb lead 25%", 11, 17, "KdTh,JdJc,KdJh,JsTh", "AdJs,KcQc:0.5,JcTd:0.5,JdTs", "pcfr+"),
    (
        "KsQsTdTsAh",
        MANY,
        23,
        17,
        "KdJh,AcTc,KhJc,JhTh",
        "AcQc,KhKd:0.5,AdJc:0.5,KhKc",
        "dcfr",
    ),
    ("KsQsTdTsAh", "50%,a / 3x", 37, 29, "KhJd,QdJs,QhJd,AdQh", "ThTc,AcKc:0.5,AsQc:0.5,AcTc", "pcfr+"),
    ("AsAdKhKc", "e / 50%\nturn bb lead 25%", 23, 5, "QdJs,ThTd,QhJd,AhTc", "AhTh,AcTh:0.5,KsQh:0.5,AcJh", "dcfr"),
    ("AsKsQsJsTs", "1c,3c,a / 2c,a cap 3", 23, 53, "JhJd,KhKd,QhJc,ThTc", "KdKc,QhQc:0.5,AhQd:0.5,KcTc", "cfr+"),
    (
        "AsAdKhKc",
        MANY,
        37,
        53,
        "AhTs,QhJc,JhTd,JdTh",
        "KsJd,QhTh:0.5,AcKd:0.5,KsTd",
        "dcfr",
    ),
    ("AsKsQsJsTs", "e / 50%\nturn bb lead 25%", 11, 17, "JdJc,QhJd,AdTd,KhTh", "TdTc,AhTc:0.5,KdJd:0.5,AhQc", "cfr+"),
]


@pytest.mark.parametrize(("board", "bets", "pot", "stack", "range_bb", "range_dealer", "variant"), SPOTS)
def test_the_lane_engine_equals_the_flat_engine_on_random_spots(
    board: str, bets: str, pot: int, stack: int, range_bb: str, range_dealer: str, variant: str
) -> None:
    spot = Spot(
        small_deck(5), pot=pot, stack=stack, board=board, range_bb=range_bb, range_dealer=range_dealer, bets=bets
    )
    assert_engines_agree(spot, variant=variant, iterations=3)


@pytest.mark.parametrize(("betting", "board"), [("", ""), ("cc/", "Ah"), ("cc/cc/", "AhJs")])
@pytest.mark.parametrize("range_bb", ["AsKs,QQ", "AK,QQ", "AK:0.5,KsQh,QQ", "random"])
def test_suits_are_told_apart_where_a_range_does_and_showdowns_do_not(range_bb: str, betting: str, board: str) -> None:
    """Four cards make no flush, and all suits of a rank are one where the ranges are the same for all of them."""
    game = replace(MINI, num_ranks=4, num_hole_cards=2)
    spot = Spot(game, betting=betting, board=board, range_bb=range_bb, range_dealer="AQ,KK,QsJs")
    value = root_value(tree := build_tree(spot), solved(tree), 0, best_response=False)
    assert value == pytest.approx(solve_sequence_form(build_spot_form(spot)).value_chips, abs=0.01)


def solved(tree: PublicTree) -> tuple[LaneArray, LaneArray]:
    solver = LaneSolver(tree, variant=find_variant("dcfr"))
    solver.run(2_000)
    return solver.average_strategy()


@pytest.mark.parametrize("bets", ["a", "100%; turn none; river none"])
def test_all_in_calls_on_the_flop_are_worth_their_exact_equity(bets: str) -> None:
    spot = Spot(
        small_deck(5),
        pot=10,
        stack=25,
        board="AsKdQh",
        range_bb="AhTs,QcJh,JdJc",
        range_dealer="AhJc,QcJs,AhQc",
        bets=bets,
    )
    assert_engines_agree(spot, variant="cfr+", iterations=3)


def test_a_polar_range_bluffs_and_the_defender_calls_as_often_as_theory_says() -> None:
    """One street, a bet of half the pot: b / (1 + b) bluffs per value bet, calls 1 / (1 + b)."""
    spot = Spot(HOLDEM, pot=20, stack=10, board="2s3h4d6c7c", range_bb="AsAh,QsQh", range_dealer="KsKh", bets="a")
    tree = build_tree(spot)
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    solver.run(2000)
    value = root_value(tree, solver.average_strategy(), 0, best_response=False)
    assert 10 + value == pytest.approx(40 / 3, abs=1e-3)  # the pot is worth two thirds to the polar range
    exact = solve_sequence_form(build_spot_form(spot))
    assert value == pytest.approx(exact.value_chips, abs=1e-3)


@pytest.mark.parametrize(
    ("range_bb", "range_dealer", "share"), [("AsAh", "KsKh", 1.0), ("KsKh", "AsAh", 0.0), ("AsKd", "AhKs", 0.5)]
)
def test_who_always_wins_gets_the_pot_and_who_always_ties_half_of_it(
    range_bb: str, range_dealer: str, share: float
) -> None:
    spot = Spot(
        HOLDEM, pot=30, stack=90, board="Ad7h2c9s", range_bb=range_bb, range_dealer=range_dealer, bets="50%,a / 3x"
    )
    tree = build_tree(spot)
    solver = LaneSolver(tree, variant=find_variant("dcfr+"))
    solver.run(400)
    value = 15 + root_value(tree, solver.average_strategy(), 0, best_response=False)
    if share == 0.5:
        assert value == pytest.approx(15, abs=1e-9)
    else:
        assert value == pytest.approx(30 * share, abs=3.0)  # a king may still come


def test_relabelled_suits_give_the_same_values() -> None:
    values = []
    for board, own, other in (
        ("QsJh2h8c", "AsKs,9h8h,QdQc", "JdJc,AhKh,Ts9s"),
        ("QcJd2d8h", "AcKc,9d8d,QsQh", "JsJh,AdKd,Tc9c"),
    ):
        spot = Spot(HOLDEM, pot=40, stack=100, board=board, range_bb=own, range_dealer=other, bets="60%,a / 3x")
        tree = build_tree(spot)
        solver = LaneSolver(tree, variant=find_variant("dcfr+"))
        solver.run(50)
        values.append(root_value(tree, solver.average_strategy(), 0, best_response=False))
    assert values[0] == pytest.approx(values[1], rel=1e-9)


def test_rake_is_taken_from_every_pot() -> None:
    """All hands are checked down: each player gets its share of a pot that is smaller by the rake."""
    spot = Spot(
        HOLDEM,
        pot=100,
        stack=50,
        board="2s3h4d6c7c",
        range_bb="AsAh",
        range_dealer="KsKh",
        bets="none",
        rake="5% cap 3",
    )
    tree = build_tree(spot)
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    solver.run(1)
    first, second = (root_value(tree, solver.average_strategy(), p, best_response=False) for p in (0, 1))
    assert (50 + first, 50 + second) == pytest.approx((97, 0))
