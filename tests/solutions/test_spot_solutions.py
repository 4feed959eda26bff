from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errai
from errai.errors import InputError, SizeError
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solutions import machine_memory
from errai.solutions.engine import Plan
from errai.solutions.engines import ENGINES
from errai.solutions.schedule import has_stalled, is_out_of_reach
from errai.solutions.solution import Solution
from errai.solvers.linear_programs import solve_sequence_form
from reference.river_spots import RiverSpot

HOLDEM = load_game("holdem.limit.2p")
# Turn and river of limit hold'em on a deck of aces, kings and queens.
SMALL = replace(HOLDEM, name="small", num_ranks=3, num_board_cards=(0, 3, 1, 1), max_raises=(1, 1, 2, 2))


def solve_small_turn(**options: object) -> Solution:
    return errai.solve(SMALL, board="AsKsQdAh", betting="rc/cc/", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "range_bb", "range_dealer", "value_chips"),
    [
        # Kings full or better against hands that pair nothing: every pot of 20 + 20 goes to one side.
        ("KsKd8h7c2s", "KhKc,8s8d", "QhJh,QdJd,QcJd", 20.0),
        ("KsKd8h7c2s", "QhJh,QdJd,QcJd", "KhKc,8s8d", -20.0),
        # The best hand there is lies on the board.
        ("AsKsQsJsTs", "random", "random", 0.0),
        # A straight to the ace on the board, and no flush in any hand.
        ("AsKdQhJcTs", "22,33", "44,99", 0.0),
    ],
)
def test_spots_that_are_always_won_lost_or_tied_have_their_value(
    board: str, range_bb: str, range_dealer: str, value_chips: float
) -> None:
    solution = errai.solve(
        HOLDEM, board=board, betting="rc/cc/cc/", range_bb=range_bb, range_dealer=range_dealer, target_mbb=0.01
    )
    low, high = solution.exploitability().value_bounds_chips
    assert solution.is_target_met
    assert low == pytest.approx(value_chips, abs=1e-3)
    assert high == pytest.approx(value_chips, abs=1e-3)


def test_a_river_spot_has_the_value_of_its_sequence_form() -> None:
    spot = Spot(
        HOLDEM,
        betting="rc/rc/cc/",
        board="Ks8s3d7h2c",
        range_bb="KdQd,8h7d,AsQs:0.5,JsTs,Ac4c,9d9c",
        range_dealer="KhJh,AhAd:0.75,6s5s,QcTc,8d8c:0.5,AsQs,KcKd",
    )
    expected = solve_sequence_form(errai.build_custom_form(RiverSpot(spot))).value_chips
    solution = errai.solve(spot, precision="float64", algorithm="pcfr+", iterations=20_000, measure_every=20_000)
    low, high = solution.exploitability().value_bounds_chips
    assert low - 1e-9 <= expected <= high + 1e-9
    assert high - low < 2e-6
    assert solution.exploitability().value_chips == pytest.approx(expected, abs=1e-6)


def test_a_spot_is_solved_by_its_own_defaults() -> None:
    solution = solve_small_turn(iterations=3)
    assert (solution.method.algorithm, solution.method.precision, solution.plan.engine) == ("dcfr+", "float32", "lanes")
    # The average is what the goal is about, and only that is measured.
    assert all(point.average_mbb is not None and point.current_mbb is None for point in solution.trace)


def test_a_spot_measured_by_its_current_strategy_keeps_no_average() -> None:
    average, current = (solve_small_turn(iterations=50, strategy=strategy) for strategy in ("average", "current"))
    assert current.plan.memory_bytes < 0.6 * average.plan.memory_bytes
    assert all(point.average_mbb is None and point.current_mbb is not None for point in current.trace)
    with pytest.raises(InputError, match="this solver keeps no average strategy"):
        current.exploitability("average")


def test_ranges_may_be_weights() -> None:
    weights = np.zeros(66)
    weights[[1, 5, 40]] = 0.5, 1, 0.25
    by_weights = solve_small_turn(range_bb=weights, iterations=20)
    assert isinstance(by_weights.game, Spot)
    again = solve_small_turn(range_bb=by_weights.game.range_bb, iterations=20)
    assert again.trace == by_weights.trace


@pytest.mark.parametrize("algorithm", ["dcfr+", "dcfr"])
@pytest.mark.parametrize("precision", ["float32", "float64", "uint16"])
def test_a_spot_that_was_saved_and_resumed_ends_with_the_same_bits(
    precision: str, algorithm: str, tmp_path: Path
) -> None:
    options = {"range_dealer": "AA,KQs:0.5,AcQc", "precision": precision, "algorithm": algorithm}
    whole = solve_small_turn(iterations=40, **options)
    part = solve_small_turn(iterations=15, **options)
    part.save(tmp_path / "spot")
    loaded = errai.Solution.open(tmp_path / "spot")
    assert (loaded.game, loaded.method, loaded.iteration) == (part.game, part.method, 15)
    assert loaded.exploitability() == part.exploitability()
    loaded.resume(iterations=40)
    assert loaded.exploitability() == whole.exploitability()
    for name, array in whole.solver.state_arrays().items():
        np.testing.assert_array_equal(loaded.solver.state_arrays()[name], array)


def test_a_loaded_strategy_is_the_one_that_was_saved_without_reading_the_rest(tmp_path: Path) -> None:
    solution = solve_small_turn(iterations=15)
    solution.save(tmp_path / "spot")
    damaged = tmp_path / "spot" / "regrets_0.npy"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"!")
    loaded = errai.Solution.open(tmp_path / "spot")
    for ours, theirs in zip(loaded.strategy_arrays("average"), solution.strategy_arrays("average"), strict=True):
        np.testing.assert_array_equal(ours.values, theirs.values)
    with pytest.raises(errai.ErraiError, match=r"regrets_0.npy` is damaged"):
        loaded.resume(iterations=16)


def test_looking_at_a_loaded_solution_takes_no_memory_for_a_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve_small_turn(iterations=15)
    solution.save(tmp_path / "spot")
    monkeypatch.setattr(machine_memory, "available_bytes", lambda: 10_000)
    loaded = errai.Solution.open(tmp_path / "spot")
    assert loaded.iteration == 15
    assert loaded.query(betting="rc/cc/cr").frequencies == pytest.approx(
        solution.query(betting="rc/cc/cr").frequencies, abs=1e-12
    )
    assert loaded.exploitability() == solution.exploitability()
    with pytest.raises(SizeError, match="this machine can give"):
        loaded.resume(iterations=16)


@pytest.mark.parametrize("precision", ["float32", "uint16"])
@pytest.mark.parametrize("algorithm", ["dcfr+", "pcfr+"])
@pytest.mark.parametrize("strategy", ["average", "current"])
def test_the_shapes_of_the_arrays_are_known_before_the_arrays(precision: str, algorithm: str, strategy: str) -> None:
    solution = solve_small_turn(iterations=1, precision=precision, algorithm=algorithm, strategy=strategy)
    shapes = {name: array.shape for name, array in solution.solver.state_arrays().items()}
    assert ENGINES[solution.plan.engine].state_shapes(solution.plan) == shapes


def test_a_target_below_the_floor_of_the_precision_is_given_up() -> None:
    solution = solve_small_turn(target_mbb=1e-9, precision="uint16")
    assert solution.is_stalled
    assert not solution.is_target_met
    finer = solve_small_turn(iterations=solution.iteration, precision="float64")
    assert finer.exploitability().exploitability_mbb < solution.exploitability().exploitability_mbb


def test_a_curve_has_stalled_when_twice_the_iterations_gain_nothing() -> None:
    falling = [(t, 1000 / t) for t in (1, 10, 100, 200, 400)]
    assert not has_stalled([])
    assert not has_stalled(falling)
    assert has_stalled([*falling, (600, 2.6), (800, 2.5)])
    assert not has_stalled([*falling, (600, 2.6), (800, 2.3)])
    assert not has_stalled([*falling, (800, 2.6)])  # a single point may be one that jumped
    assert not has_stalled([(50, 1.0), (100, 1.0), (150, 1.0)])  # too early to judge
    assert not has_stalled([(1, 9.0), (2, 9.0), (3, 9.0), (5, 9.0), (10, 9.0)])


def test_a_curve_that_never_falls_has_stalled_after_twenty_iterations() -> None:
    flat = [(t, 9.0) for t in (1, 2, 3, 5, 10, 15, 20)]
    assert has_stalled(flat)
    assert not has_stalled([*flat[:-1], (20, 8.5)])
    assert not has_stalled(flat, averaging_delay=10)  # the average has only begun
    assert has_stalled([(10 + t, mbb) for t, mbb in flat], averaging_delay=10)


def test_a_target_is_out_of_reach_where_even_a_steeper_curve_would_take_too_long() -> None:
    sampled = [(t, 1000 / t**0.5) for t in (1_000, 2_000, 5_000, 10_000)]
    assert not is_out_of_reach([], 1.0, is_sampled=True)
    assert not is_out_of_reach(sampled[:-1], 1e-9, is_sampled=True)  # too early to judge
    assert not is_out_of_reach(sampled, 0.011, is_sampled=True)  # 10 mbb at 10,000 iterations: a million times as many
    assert is_out_of_reach(sampled, 0.009, is_sampled=True)
    assert not is_out_of_reach(sampled, 0.009, is_sampled=False)
    assert not is_out_of_reach([(t, 1e12 / t**3) for t, _ in sampled], 1e-9, is_sampled=False)  # it falls faster


def test_a_spot_that_cannot_fit_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_memory, "available_bytes", lambda: 10_000)
    plans: list[Plan[Any]] = []
    with pytest.raises(SizeError, match=r"the solve takes .* GB of memory; this machine can give 0\.0 GB") as caught:
        solve_small_turn(on_plan=plans.append)
    assert caught.value.hint == "`--measure current`, `--precision uint16` and narrower ranges take less"
    assert plans[0].memory_bytes > 10_000
    with pytest.raises(SizeError, match=r"the solve takes 287,107\.6 GB"):
        errai.solve("holdem.limit.2p", range_bb="AA")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "lp", "engine": "lanes"}, "`sequence-form-lp` needs the flat engine; got `lanes`"),
        (
            {"engine": "flat", "precision": "float32"},
            "the flat engine computes with doubles; got `float32`",
        ),
        ({"sampling": "external", "engine": "lanes"}, "the lanes engine does not sample"),
        ({"precision": "float16"}, "`precision` must be one of float32, float64, uint16; got `float16`"),
        ({"num_threads": 0}, "`num_threads` must be at least 1; got `0`"),
    ],
    ids=str,
)
def test_what_a_spot_cannot_be_solved_with_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        solve_small_turn(**options)
    assert str(caught.value) == message


def test_the_flat_engine_knows_only_doubles() -> None:
    with pytest.raises(InputError, match="the flat engine computes with doubles; got `float32`"):
        errai.solve("kuhn", engine="flat", precision="float32")


def test_a_tree_has_no_spots() -> None:
    form = errai.build_custom_form(RiverSpot(Spot(HOLDEM, "rc/cc/cc/", "Ks8s3d7h2c", "AA", "QQ")))
    with pytest.raises(InputError, match="only a poker game has spots; got `RiverSpot`"):
        errai.solve(form, board="Ks8s3d")
