"""Locked decisions: the lane engine, the flat engine and the linear program play the same locked game."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errai
from errai.evaluate.flat_best_response import best_response_flat, expected_value_flat, exploitability_flat
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.locks import action_names
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.passes.tree_values import root_value
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import find_variant
from errai.trees.poker_form import build_spot_form
from errai.trees.spot_tree import build_spot_tree
from solvers.test_lane_spots import SPOTS, small_deck

# FACTS: pot 20, stack 10, all-in the only bet; aces or queens against kings.
POLAR = Spot(
    errai.load_game("holdem.nolimit.2p"),
    pot=20,
    stack=10,
    board="2s3h4d6c7c",
    range_bb="AsAh,QsQh",
    range_dealer="KsKh",
    bets="a",
)


def decisions(spot: Spot) -> list[BettingState]:
    """Every point of the betting where a player acts."""
    found, left = [], [spot.root]
    while left:
        state = left.pop()
        if not state.is_terminal:
            found.append(state)
            left += [state.apply(action) for action in spot.actions(state)]
    return found


@st.composite
def locked_spots(draw: st.DrawFn) -> tuple[Spot, str]:
    """A small spot with locks for all or some hands, on all boards or on one, and a variant to solve it by."""
    board, bets, pot, stack, range_bb, range_dealer, variant = draw(st.sampled_from(SPOTS))
    spot = Spot(
        small_deck(5), pot=pot, stack=stack, board=board, range_bb=range_bb, range_dealer=range_dealer, bets=bets
    )
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    states = decisions(spot)
    locks = []
    for _ in range(draw(st.integers(1, 4))):
        state = states[generator.integers(len(states))]
        shares = generator.integers(1, 10, size=len(action_names(spot, state)))
        text = ",".join(f"{n}={s}/{shares.sum()}" for n, s in zip(action_names(spot, state), shares, strict=True))
        assert state.actor is not None
        in_range = (spot.range_bb, spot.range_dealer)[state.actor].replace(":0.5", "").split(",")
        chosen = [hand for hand in in_range if generator.random() < 0.5] or in_range
        on = ""
        if len(board) == 8 and state.round == 3 and generator.random() < 0.5:
            cards = [card for card in ("Ac", "Jd", "Th", "Qc") if card not in board]
            card = cards[generator.integers(len(cards))]
            chosen = [hand for hand in chosen if card not in (hand[:2], hand[2:])]
            on = f" on {board}{card}"
        if chosen:
            locks.append(f"{spot.format_betting(state) or 'root'}{on}: {','.join(chosen)} {text}")
    return replace(spot, locks="\n".join(locks)), variant


@settings(max_examples=40, deadline=None)
@given(locked=locked_spots())
def test_both_engines_play_the_same_locked_game(locked: tuple[Spot, str]) -> None:
    spot, variant = locked
    tree, form = build_spot_tree(spot), build_spot_form(spot)
    lanes, flat = LaneSolver(tree, variant=find_variant(variant)), FlatSolver(form, variant=find_variant(variant))
    lanes.run(3)
    flat.run(3)
    for ours, theirs in (
        (lanes.average_strategy(), flat.average_strategy()),
        (lanes.current_strategy(), flat.current_strategy()),
    ):
        for player in (0, 1):
            best = root_value(tree, ours, player, best_response=True)
            expected = best_response_flat(form, theirs, player=player).value_chips
            assert best == pytest.approx(expected, rel=1e-8, abs=1e-8)
        value = root_value(tree, ours, 0, best_response=False)
        assert value == pytest.approx(expected_value_flat(form, theirs), rel=1e-8, abs=1e-8)


@settings(max_examples=10, deadline=None)
@given(locked=locked_spots())
def test_a_locked_game_converges_to_the_value_of_its_linear_program(locked: tuple[Spot, str]) -> None:
    spot, _ = locked
    exact = solve_sequence_form(build_spot_form(spot))
    solver = LaneSolver(tree := build_spot_tree(spot), variant=find_variant("cfr+"))
    solver.run(500)
    low, high = exploitability_lanes(tree, solver.average_strategy()).value_bounds_chips
    assert low - 1e-8 <= exact.value_chips <= high + 1e-8
    assert high - low <= 0.01 * (spot.pot_chips + 2 * (spot.stack or 0))
    form = build_spot_form(spot)
    assert exploitability_flat(form, exact.strategy).exploitability_chips == pytest.approx(0, abs=1e-7)
    assert form.locks is not None
    is_locked = np.repeat(form.locks.is_locked, np.diff(form.first_action))
    assert exact.strategy[is_locked] == pytest.approx(form.locks.strategy[is_locked])


@pytest.mark.parametrize(
    "options", [{"engine": "lanes"}, {"engine": "flat", "precision": "float64"}, {"algorithm": "lp"}]
)
def test_the_locked_river_has_its_known_answer(options: dict[str, str]) -> None:
    """In position folds 25 %: queens check and are worth 0, aces bet and are worth 27.5, kings 6.25."""
    solution = errai.solve(POLAR, locks="r10: fold=25%,call=75%", **options)  # type: ignore[arg-type]
    report = solution.query()
    assert report.value_chips is not None
    aces, queens = (report.hand_texts.index(hand) for hand in ("AsAh", "QsQh"))
    kings = report.hand_texts.index("KsKh")
    assert report.probabilities[aces] == pytest.approx([0, 1], abs=1e-6)
    assert report.probabilities[queens] == pytest.approx([1, 0], abs=1e-6)
    assert report.value_chips[0][aces] == pytest.approx(27.5, abs=1e-4)
    assert report.value_chips[0][queens] == pytest.approx(0, abs=1e-4)
    assert report.value_chips[1][kings] == pytest.approx(6.25, abs=1e-4)
    assert solution.query(betting="r10").action_shares == pytest.approx({"fold": 0.25, "call": 0.75})
    assert solution.exploitability().exploitability_chips == pytest.approx(0, abs=1e-6)


def test_a_lock_holds_in_its_own_line_and_in_no_other() -> None:
    """Two lanes of one shape on the turn: after a check-through, and after a bet that was called."""
    spot = Spot(
        errai.load_game("holdem.nolimit.2p"),
        pot=20,
        stack=200,
        board="QsJh2h8c",
        range_bb="AA,KQs,JTs",
        range_dealer="QQ,AJs,T9s",
        bets="50% / none",
        locks="r10c/: check=1",
    )
    solution = errai.solve(spot, iterations=50)
    for river in ("8d", "Ah", "3c"):
        locked = solution.query(betting="r10c/", board=f"QsJh2h8c{river}")
        free = solution.query(betting="cc/", board=f"QsJh2h8c{river}")
        possible = locked.reach[0] > 0
        assert np.all(locked.probabilities[possible][:, 0] == 1)
        assert np.all(free.probabilities[possible][:, 0] < 1)


def test_a_lock_of_one_suit_is_not_spread_to_the_others() -> None:
    """Without the lock, diamonds and clubs could be exchanged on this board, and the two hands would be one."""
    spot = Spot(
        errai.load_game("holdem.nolimit.2p"),
        pot=20,
        stack=40,
        board="QsJh2h8s",
        range_bb="AA,KQs",
        range_dealer="KK,TT",
        bets="50%,a",
        locks="root: KdQd all-in=1",
    )
    report = errai.solve(spot, iterations=20).query(with_values=False)
    locked, twin = (report.probabilities[report.hand_texts.index(hand)] for hand in ("KdQd", "KcQc"))
    assert locked.tolist() == [0, 0, 1]
    assert twin[2] < 1


def test_a_lock_on_one_board_leaves_the_other_boards_free() -> None:
    spot = Spot(
        errai.load_game("holdem.nolimit.2p"),
        pot=20,
        stack=40,
        board="QsJs2h8h",
        range_bb="AA,KTs",
        range_dealer="KK,99",
        bets="50%",
        locks="cc/ on QsJs2h8h9s: all bet 10=1",
    )
    solution = errai.solve(spot, iterations=50)
    locked = solution.query(betting="cc/", board="QsJs2h8h9s", with_values=False)
    twin = solution.query(betting="cc/", board="QsJs2h8h9h", with_values=False)
    assert locked.action_shares["bet 10"] == pytest.approx(1)
    assert twin.action_shares["bet 10"] < 1


def test_a_locked_solution_is_saved_resumed_and_opened_with_its_locks(tmp_path: Path) -> None:
    locks = ["r10: fold=25%,call=75%"]
    whole = errai.solve(POLAR, locks=locks, iterations=40)
    half = errai.solve(POLAR, locks=locks, iterations=20)
    half.save(tmp_path / "half")
    resumed = errai.Solution.open(tmp_path / "half")
    assert resumed.start is not None
    assert resumed.start.locks == "r10: all fold=0.25,call=0.75"
    resumed.resume(iterations=40)
    for name, array in whole.solver.state_arrays().items():
        assert np.array_equal(array, resumed.solver.state_arrays()[name])


def test_threads_do_not_change_a_locked_solve() -> None:
    spot = Spot(
        errai.load_game("holdem.nolimit.2p"),
        pot=20,
        stack=60,
        board="QsJh2h8c",
        range_bb="AA,KQs,JTs,98s",
        range_dealer="QQ,AJs,T9s",
        bets="50% / 60%",
        locks="cc/r10: fold=1/2,call=1/2\nroot: AA check=1",
    )
    one, two = (errai.solve(spot, iterations=5, num_threads=number) for number in (1, 2))
    for name, array in one.solver.state_arrays().items():
        assert np.array_equal(array, two.solver.state_arrays()[name])
