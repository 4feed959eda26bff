"""Random small no-limit games and spots with menus: both engines do the same, and close in on the linear program.

Iteration by iteration the engines have the same strategies up to rounding, where an infoset has regrets. Where all of
them are zero but for rounding, which is common in poker, the last bit of a sum decides what is played next, and sums
are taken in another order. From such a tie on the two may part, to other equilibria of the same value.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from errai.errors import InputError
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.definition import UNLIMITED
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import find_variant
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_spot_form, count_spot_form
from errai.trees.spot_tree import build_spot_tree
from reference.random_games import menu_games
from solvers.test_engines_agree import strategy_on_form
from solvers.test_lane_spots import small_deck

SIZES = st.lists(st.sampled_from(["25%", "33%", "50%", "75%", "100%", "150%", "2c", "5c", "e", "2e", "a"]), min_size=1)
RAISES = st.lists(st.sampled_from(["2x", "2.5x", "3x", "40%", "60%", "100%", "3c", "e", "a"]), min_size=1, max_size=2)
BOARDS = st.sampled_from(["AsKdQhJc", "AsKsQdQh", "KsQsTdTsAh", "AsAdKhKcQs", "AsKdQhJcTs"])
HANDS = st.sampled_from(
    ["AhTs", "QcJh", "JdJs", "AcKc", "KhTh", "QsJd", "ThTc", "AhKs", "KcJs", "AdJh", "JsTd", "QcTd"]
)


@st.composite
def random_spots(draw: st.DrawFn) -> Spot:
    """A turn or river of a deck of 20 cards, with two ranges, a menu and maybe thresholds."""
    entries = [
        f"{','.join(draw(SIZES)[:3])} / {','.join(draw(RAISES))}{draw(st.sampled_from(['', ' cap 1', ' cap 3']))}"
    ]
    if draw(st.booleans()):
        entries.append(f"river dealer {','.join(draw(SIZES)[:2])} / {','.join(draw(RAISES))}")
    if draw(st.booleans()):
        entries.append(f"river bb lead {draw(SIZES)[0]}")
    thresholds = ("add-all-in 1.5", "force-all-in 0.2", "merge 0.1")
    entries += draw(st.lists(st.sampled_from(thresholds), unique=True, max_size=3))
    first, second = (
        ",".join(f"{hand}:{draw(st.sampled_from(['1', '0.5', '0.25']))}" for hand in draw(st.sets(HANDS, min_size=2)))
        for _ in range(2)
    )
    try:
        spot = Spot(
            small_deck(5),
            pot=draw(st.integers(1, 60)),
            stack=draw(st.integers(1, 90)),
            board=draw(BOARDS),
            range_bb=first,
            range_dealer=second,
            bets="\n".join(entries),
        )
    except InputError:
        assume(False)
        raise
    assume(count_spot_form(spot).num_actions < 6000)
    return spot


@settings(max_examples=15, deadline=None)
@given(spot=random_spots())
def test_both_engines_close_in_on_the_value_of_the_linear_program(spot: Spot) -> None:
    tree, form = build_spot_tree(spot), build_spot_form(spot)
    value = solve_sequence_form(form).value_chips
    lanes, flat = LaneSolver(tree, variant=find_variant("cfr+")), FlatSolver(form, variant=find_variant("cfr+"))
    lanes.run(300)
    flat.run(300)
    most_chips = spot.pot_chips + 2 * min(spot.rules.stacks)
    on_tree = exploitability_lanes(tree, lanes.average_strategy(), with_value=True)
    on_form = exploitability_flat(form, flat.average_strategy(), with_value=True)
    for measured in (on_tree, on_form):
        low, high = measured.value_bounds_chips
        # The tolerance of the program is 1e-10 of the numbers in it.
        assert low - 1e-7 <= value <= high + 1e-7
        assert high - low <= 0.02 * most_chips
    assert on_tree.value_chips == pytest.approx(on_form.value_chips, abs=0.02 * most_chips)


ITERATIONS = 6


@settings(max_examples=20, deadline=None)
@given(spot=menu_games(max_nodes=1_000), variant=st.sampled_from(["cfr+", "dcfr", "dcfr+"]))
def test_both_engines_have_the_same_strategies_until_a_tie(spot: Spot, variant: str) -> None:
    event(f"iterations without a tie: {compare_until_a_tie(spot, variant)}")


def test_games_without_early_ties_are_compared_to_the_end() -> None:
    definition = replace(load_game("leduc"), is_limit=False, raise_sizes=(), max_raises=(UNLIMITED,) * 2)
    spots = [
        Spot(replace(definition, stacks=stacks), bets=menu)
        for stacks in ((7, 7), (11, 9))
        for menu in ("fcpa", "50%,a / 3x")
    ]
    compared = [compare_until_a_tie(spot, "dcfr") for spot in spots]
    assert compared.count(ITERATIONS) >= len(compared) // 2


def compare_until_a_tie(spot: Spot, variant: str) -> int:
    """The number of iterations after which all strategies were the same; a difference that is no tie is an error."""
    tree, form = build_spot_tree(spot), build_spot_form(spot)
    lanes, flat = LaneSolver(tree, variant=find_variant(variant)), FlatSolver(form, variant=find_variant(variant))
    for iteration in range(ITERATIONS):
        lanes.run(1)
        flat.run(1)
        difference = np.abs(strategy_on_form(form, tree, lanes.current_strategy()) - flat.current_strategy())
        # What an infoset plays is regrets over their total: the smaller the total, the more their rounding shows.
        error_chips = difference * _totals(form, np.maximum(flat.regrets, 0.0))
        for player in (1, 0):  # in the order in which they are updated: the second player's tie is met by the first
            own = np.repeat(form.infoset_player, np.diff(form.first_action)) == player
            assert (error_chips[own] <= 1e-10 * max(spot.rules.stacks)).all()
            if (difference[own] > 1e-11).any():
                return iteration
        average = strategy_on_form(form, tree, lanes.average_strategy())
        # A hand that never gets to an infoset has an average there of nothing but rounding.
        is_reached = _totals(form, flat.state_arrays()["average"]) > 1e-9
        assert average[is_reached] == pytest.approx(flat.average_strategy()[is_reached], abs=1e-6)
    return ITERATIONS


def _totals(form: ExtensiveForm, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every action, the sum over the actions of its infoset."""
    totals: NDArray[np.float64] = np.add.reduceat(numbers, form.first_action[:-1])
    return np.repeat(totals, np.diff(form.first_action))


def test_a_round_without_cards_that_nobody_bets_on() -> None:
    """Both players are all-in before it comes, so the tree has no board there, and the first round can be asked for."""
    leduc = load_game("leduc")
    definition = replace(
        leduc,
        is_limit=False,
        raise_sizes=(),
        max_raises=(UNLIMITED,) * 2,
        num_board_cards=(0, 0),
        blinds=(1, 0),
        stacks=(1, 1),
    )
    compare_until_a_tie(Spot(definition, bets="fcpa"), "cfr+")
