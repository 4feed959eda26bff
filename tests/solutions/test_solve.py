import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pytest

import errai
from errai.errors import InputError, SizeError, StorageError
from errai.games.definition import GameDefinition
from errai.reports.trace import TracePoint
from errai.solutions import machine_memory
from errai.solutions.engine import Plan
from errai.solutions.engines import plan_solve
from errai.solutions.method import Goal, Method
from errai.solutions.request import SolveOptions, SolveRequest
from errai.solutions.schedule import forecast_iterations, iterations_to_target, measuring_iterations
from errai.solutions.solution import Progress, Solution
from errai.solvers.flat_solver import Sampling
from errai.storage.solution_directory import read_solution, write_solution

# Exploitability of the average strategy of CFR+ in thousandths of a small bet, as printed by the original program
# of Tammelin et al. built with doubles: all digits shown are exact.
ORIGINAL_CFR_PLUS = {
    "kuhn": {1: 375.0, 2: 175.925926, 3: 108.796296, 10: 18.494382},
    "leduc": {1: 1378.801031, 2: 1280.941908, 3: 999.020378, 10: 180.418106},
}
# The same later on, by a program of a hundred lines in arithmetic of 113 bits. Differences grow: those of doubles are a
# part of 1e-9 after 50 iterations of Leduc and of 1e-5 after 100.
EXACT_CFR_PLUS = {
    "kuhn": {20: 10.265224947, 100: 1.726123105, 1000: 0.206620088},
    "leduc": {20: 53.415735008, 30: 27.161200791, 50: 12.793805191},
}
LEDUC_VALUE_CHIPS = -0.085606424078  # for the first player; from the sequence form's linear program


class MatchingPennies:
    """The first player wins the sum of both coins' worth when they match."""

    def initial(self) -> str:
        return ""

    def node(self, state: str) -> errai.Terminal | errai.Decision[str]:
        if len(state) == 2:
            return errai.Terminal(payoff={"hh": 3.0, "tt": 1.0}.get(state, -1.0))
        return errai.Decision(
            player=len(state), infoset=f"player {len(state)}", children={"heads": state + "h", "tails": state + "t"}
        )


@pytest.mark.parametrize("engine", ["lanes", "flat"])
@pytest.mark.parametrize("game", ORIGINAL_CFR_PLUS)
def test_cfr_plus_is_as_exploitable_as_the_original_program_after_each_iteration(game: str, engine: str) -> None:
    solution = errai.solve(game, iterations=10, engine=engine, measure_every=1)
    assert [point.iteration for point in solution.trace] == list(range(1, 11))
    for iteration, published in ORIGINAL_CFR_PLUS[game].items():
        # Half a unit of the last digit that is printed.
        assert solution.trace[iteration - 1].average_mbb == pytest.approx(published, abs=5e-7)


@pytest.mark.parametrize("engine", ["lanes", "flat"])
@pytest.mark.parametrize("game", EXACT_CFR_PLUS)
def test_cfr_plus_stays_on_the_path_of_exact_arithmetic(game: str, engine: str) -> None:
    figures = EXACT_CFR_PLUS[game]
    solution = errai.solve(game, iterations=max(figures), engine=engine, measure_every=10)
    measured = {point.iteration: point.average_mbb for point in solution.trace}
    for iteration, exact in figures.items():
        assert measured[iteration] == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "hs-dcfr"])
def test_both_engines_follow_the_same_path_with_every_variant(algorithm: str) -> None:
    lanes, flat = (
        errai.solve("leduc", algorithm=algorithm, engine=engine, iterations=20) for engine in ("lanes", "flat")
    )
    for ours, theirs in zip(lanes.trace, flat.trace, strict=True):
        # The engines add up in different orders. The difference, 1e-16 at first, grows up to tenfold every three
        # iterations of a discounting variant (measured: at most 1.2e-10 at iteration 20).
        assert ours.average_mbb == pytest.approx(theirs.average_mbb, rel=1e-8)
        assert ours.current_mbb == pytest.approx(theirs.current_mbb, rel=1e-8)


def test_both_engines_give_the_same_strategy_row_by_row() -> None:
    lanes, flat = (
        {
            (row.player, row.cards, row.betting): row.probabilities
            for row in errai.solve("leduc", engine=engine, iterations=20).infosets()
        }
        for engine in ("lanes", "flat")
    )
    assert len(lanes) == 288
    assert lanes.keys() == flat.keys()
    for key, probabilities in lanes.items():
        assert probabilities == pytest.approx(flat[key], abs=1e-9)


def test_rows_stop_after_the_last_round_asked_for() -> None:
    for engine in ("lanes", "flat"):
        rows = errai.solve("leduc", engine=engine, iterations=1).infosets(last_round=0)
        assert sorted({row.betting for row in rows}) == ["", "c", "cr", "crr", "r", "rr"]


def test_a_solve_stops_at_the_target() -> None:
    solution = errai.solve("leduc", target_mbb=1.0)
    assert solution.is_target_met
    before = solution.trace[-2].average_mbb
    assert before is not None
    assert solution.exploitability().exploitability_mbb <= 1.0 < before
    low, high = solution.exploitability().value_bounds_chips
    assert low <= LEDUC_VALUE_CHIPS <= high


def test_a_target_for_the_current_strategy_is_measured_on_it() -> None:
    solution = errai.solve("leduc", target_mbb=100.0, strategy="current")
    measured = solution.trace[-1].current_mbb
    assert measured is not None
    assert measured <= 100.0
    assert solution.exploitability().exploitability_mbb == measured


def test_iterations_end_a_solve_that_misses_its_target() -> None:
    solution = errai.solve("leduc", target_mbb=0.001, iterations=7)
    assert solution.iteration == 7
    assert not solution.is_target_met


@pytest.mark.parametrize("algorithm", ["lp", "sequence-form-lp", "normal-form-lp"])
def test_a_linear_program_solves_kuhn_in_its_only_iteration(algorithm: str) -> None:
    solution = errai.solve("kuhn", algorithm=algorithm)
    assert solution.iteration == 1
    # The tolerance of the linear program's solver, in thousandths of a chip.
    assert solution.exploitability().exploitability_mbb == pytest.approx(0, abs=1e-6)
    assert solution.exploitability().value_chips == pytest.approx(-1 / 18, abs=1e-9)


def test_sampling_starts_from_its_seed_and_uses_plain_cfr() -> None:
    first, again, other = (
        errai.solve("kuhn", sampling="external", seed=seed, iterations=500).trace for seed in (1, 1, 2)
    )
    assert first == again != other
    assert errai.solve("kuhn", sampling="outcome", iterations=1).method.algorithm == "cfr"


def test_a_game_made_in_python_is_solved_on_the_flat_engine_and_saved_with_its_tree(tmp_path: Path) -> None:
    form = errai.build_custom_form(MatchingPennies())
    solution = errai.solve(form, iterations=2000)
    # Heads with probability 1/3 makes the other indifferent: 3 p - (1 - p) = -p + (1 - p), and the value is 1/3.
    assert solution.exploitability().value_chips == pytest.approx(1 / 3, abs=1e-3)
    solution.save(tmp_path / "pennies")
    loaded = errai.Solution.open(tmp_path / "pennies")
    assert loaded.exploitability() == solution.exploitability()
    assert [row.cards for row in loaded.infosets()] == ["player 0", "player 1"]


@pytest.mark.parametrize(
    "settings",
    [
        {"engine": "lanes"},
        {"engine": "flat"},
        {"algorithm": "pcfr+"},
        {"algorithm": "hs-dcfr"},
        {"algorithm": "dcfr", "beta": -inf},
        {"sampling": "external", "seed": 3},
    ],
    ids=str,
)
def test_a_solve_that_was_saved_and_resumed_ends_with_the_same_bits(settings: dict[str, Any], tmp_path: Path) -> None:
    whole = errai.solve("leduc", iterations=30, **settings)
    asked = iter([False] * 4 + [True] * 100)
    part = errai.solve("leduc", iterations=30, should_stop=lambda: next(asked), **settings)
    assert 0 < part.iteration < 30
    part.save(tmp_path / "leduc")
    resumed = errai.Solution.open(tmp_path / "leduc")
    assert (resumed.iteration, resumed.method) == (part.iteration, part.method)
    resumed.resume()
    assert resumed.iteration == 30
    for name, array in whole.solver.state_arrays().items():
        np.testing.assert_array_equal(resumed.solver.state_arrays()[name], array)
    assert resumed.trace[-1] == whole.trace[-1]


def test_a_resumed_solve_may_be_given_another_goal() -> None:
    solution = errai.solve("leduc", iterations=10)
    solution.resume(iterations=20)
    assert solution.iteration == 20
    solution.resume(target_mbb=20.0)
    assert solution.is_target_met
    iteration = solution.iteration
    solution.resume()
    assert solution.iteration == iteration


def test_a_saved_solution_whose_arrays_do_not_fit_its_game_is_refused(tmp_path: Path) -> None:
    errai.solve("leduc", iterations=1).save(tmp_path / "leduc")
    stored = read_solution(tmp_path / "leduc")
    arrays = {name: array[1:] for name, array in stored.arrays.items()}
    write_solution(tmp_path / "leduc", description=stored.description, arrays=arrays)
    opened = errai.Solution.open(tmp_path / "leduc")  # builds no tree, and so does not know the shapes yet
    with pytest.raises(StorageError, match="holds no solution that this program understands") as caught:
        opened.query()
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("it was written by errai ")


def test_a_saved_solution_without_a_method_is_refused(tmp_path: Path) -> None:
    errai.solve("leduc", iterations=1).save(tmp_path / "leduc")
    stored = read_solution(tmp_path / "leduc")
    description = {key: value for key, value in stored.description.items() if key != "method"}
    write_solution(tmp_path / "leduc", description=description, arrays=dict(stored.arrays))
    with pytest.raises(StorageError, match="understands: 'method'"):
        errai.Solution.open(tmp_path / "leduc")


def test_threads_change_no_bit_of_the_result() -> None:
    one, two = (errai.solve("leduc", iterations=20, num_threads=threads) for threads in (1, 2))
    assert one.trace == two.trace
    for name, array in one.solver.state_arrays().items():
        np.testing.assert_array_equal(two.solver.state_arrays()[name], array)


def test_the_plan_is_told_before_memory_is_taken_and_progress_while_it_runs() -> None:
    plans: list[Plan[Any]] = []
    told: list[Progress] = []
    solution = errai.solve("leduc", iterations=1000, on_plan=plans.append, on_progress=told.append)
    assert [plan.memory_bytes for plan in plans] == [solution.plan.memory_bytes]
    assert told[-1].iteration == told[-1].iterations == 1000
    assert told[-1].seconds_left == 0
    assert told[-1].latest == solution.trace[-1]


MEASURE_MEMORY = """
import json
import re
import sys
from pathlib import Path
from typing import Unpack
import errai

def peak_bytes():
    # Not `ru_maxrss`, which a process inherits from the one that started it.
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

errai.solve("kuhn", iterations=1, engine="lanes")  # imports what it needs
before = peak_bytes()
options = json.loads(sys.argv[4])
solution = errai.solve(sys.argv[1], iterations=1, engine=sys.argv[2], num_threads=int(sys.argv[3]), **options)
print(solution.plan.memory_bytes, peak_bytes() - before)
"""
ONLY_LINUX = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the memory of a process this way"
)


def told_and_taken_bytes(game: str | Path, engine: str, num_threads: int, **options: Any) -> tuple[int, int]:
    command = [sys.executable, "-c", MEASURE_MEMORY, str(game), engine, str(num_threads), json.dumps(options)]
    told, taken = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(told), int(taken)


@ONLY_LINUX
@pytest.mark.parametrize(
    ("game", "num_threads"),
    [
        ("rhode-island", 1),
        pytest.param("2-1", 1, marks=pytest.mark.slow),
        pytest.param("2-1", 2, marks=pytest.mark.slow),
    ],
)
def test_the_memory_that_is_told_is_within_a_fifth_of_what_is_taken(game: str, num_threads: int) -> None:
    told, taken = told_and_taken_bytes(game, "lanes", num_threads)
    assert 0.8 * taken < told < 1.2 * taken


@ONLY_LINUX
@pytest.mark.slow
def test_the_memory_of_a_no_limit_flop_is_told_within_a_tenth() -> None:
    held = "88+,A8s+,A5s-A2s:0.5,AJo+,K9s+,KQo,Q9s+,J8s+,T8s+,97s+,87s"
    spot = {"board": "QsJh2h", "pot": 180, "stack": 910, "bets": "52% / 45%", "range_bb": held, "range_dealer": held}
    told, taken = told_and_taken_bytes("holdem.nolimit.2p", "lanes", 2, **spot)
    assert told > 490_000_000
    assert 0.9 * taken < told < 1.1 * taken


@ONLY_LINUX
def test_the_memory_of_a_tree_is_told_before_it_is_built(tmp_path: Path) -> None:
    # Three rounds and a million nodes, which take 60 MB: enough to tell them from what Python takes.
    game = replace(errai.load_game("rhode-island"), num_ranks=6, num_suits=2, max_raises=(1, 2, 1), stacks=(1000, 1000))
    plan = plan_solve(SolveRequest.of(game, engine="flat"))
    assert "tree" not in vars(plan)
    path = tmp_path / "small.game"
    path.write_text(errai.format_definition(game))
    told, taken = told_and_taken_bytes(path, "flat", 1)
    assert told == plan.memory_bytes
    assert 0.8 * taken < told < 1.2 * taken


def test_a_game_that_cannot_fit_is_refused_before_anything_is_built() -> None:
    # 35,888,449,446,577 infoset-actions, a regret and an average of 4 bytes each.
    with pytest.raises(
        SizeError, match=r"the solve takes 287,107\.6 GB of memory; this machine can give .* GB"
    ) as caught:
        errai.solve("holdem.limit.2p")
    assert (
        caught.value.hint
        == "whole games are solved from disk: `--memory 4G --out DIR`; `errai plan GAME` says what that takes"
    )


def test_where_the_system_does_not_tell_its_memory_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_memory, "available_bytes", lambda: None)
    assert errai.solve("kuhn", iterations=1).iteration == 1


def chosen_engine(game: GameDefinition, **options: Unpack[SolveOptions]) -> str:
    return plan_solve(SolveRequest.of(game, **options)).engine


def test_the_engine_is_chosen_by_the_game_and_the_method() -> None:
    limit = errai.load_game("kuhn")
    nolimit = replace(limit, is_limit=False, raise_sizes=(), max_raises=(), stacks=(3, 3))
    short = replace(limit, stacks=(2, 2), raise_sizes=(4,))
    assert chosen_engine(limit) == "lanes"
    assert chosen_engine(limit, sampling="external") == "flat"
    assert chosen_engine(limit, algorithm="lp") == "flat"
    assert chosen_engine(nolimit) == "flat"
    assert chosen_engine(short) == "lanes"


def test_a_solve_that_stops_before_its_average_begins_tells_of_the_current_strategy(tmp_path: Path) -> None:
    asked = iter([False] * 5 + [True] * 9)
    stopped = errai.solve(
        "leduc", iterations=30, averaging_delay=20, measure_every=1, should_stop=lambda: next(asked, True)
    )
    assert 0 < stopped.iteration <= 20
    assert stopped.trace == []
    report = stopped.describe()
    assert report.strategy == "current"
    assert report.exploitability == stopped.exploitability("current")
    stopped.save(tmp_path / "stopped")
    with pytest.raises(InputError, match=r"`.*stopped` has no average strategy yet: it begins in iteration 21"):
        errai.open(tmp_path / "stopped").exploitability()
    stopped.resume()
    assert [point.iteration for point in stopped.trace] == list(range(21, 31))
    whole = errai.solve("leduc", iterations=30, averaging_delay=20)
    assert stopped.exploitability() == whole.exploitability()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithm": "cfr++"}, "there is no algorithm `cfr++`"),
        ({"iterations": 0}, "`iterations` must be at least 1; got `0`"),
        ({"measure_every": -1}, "`measure_every` must be at least 1; got `-1`"),
        ({"target_mbb": -1.0}, "`target_mbb` must be a positive number; got `-1.0`"),
        ({"strategy": "best"}, "`strategy` must be one of average, current; got `best`"),
        ({"engine": "steam"}, "`engine` must be one of auto, lanes, flat; got `steam`"),
        ({"updates": "random"}, "`updates` must be one of alternating, simultaneous; got `random`"),
        ({"sampling": "some"}, "`sampling` must be one of external, outcome, public-chance; got `some`"),
        ({"averaging_delay": -1}, "`averaging_delay` must not be negative; got `-1`"),
        (
            {"averaging_delay": 5, "iterations": 5},
            "no iteration would be in the average: it begins after iteration 5, and 5 is the last one",
        ),
        ({"seed": -1}, "`seed` must not be negative; got `-1`"),
        ({"seed": float("nan")}, "`seed` must be a whole number; got `nan`"),
        ({"iterations": 2.5}, "`iterations` must be a whole number; got `2.5`"),
        ({"alpha": "steep"}, "`alpha` must be a number; got `steep`"),
        ({"num_threads": 0}, "`num_threads` must be at least 1; got `0`"),
        ({"algorithm": "lp", "gamma": 2.0}, "`gamma` means nothing to `sequence-form-lp`; got `2.0`"),
        ({"algorithm": "lp", "engine": "lanes"}, "`sequence-form-lp` needs the flat engine; got `lanes`"),
        ({"sampling": "external", "engine": "lanes"}, "the lanes engine does not sample"),
        ({"algorithm": "hs-dcfr", "alpha": 1.0}, "the exponents of `hs-dcfr` follow a schedule and cannot be set"),
        ({"algorithm": "hs-dcfr", "target_mbb": 1.0}, "`hs-dcfr` needs to know how many iterations are planned"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        errai.solve("kuhn", **settings)
    assert str(caught.value) == message


@pytest.mark.parametrize("sampling", [None, "external"])
def test_a_target_that_cannot_be_met_ends_the_solve(sampling: Sampling | None) -> None:
    solution = errai.solve("kuhn", target_mbb=1e-308, sampling=sampling, algorithm="cfr")
    assert solution.is_out_of_reach
    assert not solution.is_target_met
    assert 10_000 <= solution.iteration < 100_000


@pytest.mark.parametrize(
    ("algorithm", "exponents"),
    [("dcfr+", {"alpha": -inf}), ("dcfr+", {"alpha": 0.5}), ("pcfr+", {"alpha": 0.0}), ("dcfr+", {"gamma": 30.0})],
)
def test_exponents_whose_weights_would_overflow_give_both_engines_the_same_strategy(
    algorithm: str, exponents: dict[str, Any]
) -> None:
    lanes, flat = (
        errai.solve("kuhn", algorithm=algorithm, engine=engine, iterations=20, **exponents)
        for engine in ("lanes", "flat")
    )
    # The engines add up in different orders.
    assert lanes.exploitability().exploitability_mbb == pytest.approx(
        flat.exploitability().exploitability_mbb, rel=1e-8
    )
    long = errai.solve("kuhn", algorithm=algorithm, precision="float32", iterations=3000, **exponents)
    for array in long.solver.state_arrays().values():
        assert np.isfinite(array).all()


def test_a_tree_cannot_be_solved_in_lanes() -> None:
    form = errai.build_custom_form(MatchingPennies())
    with pytest.raises(InputError, match="lanes need a poker game; `MatchingPennies` is a tree"):
        errai.solve(form, engine="lanes")


def test_infinite_exponents_survive_json() -> None:
    method = Method(algorithm="dcfr", alpha=inf, beta=-inf, gamma=2.0)
    assert method.to_json()["alpha"] == "inf"
    assert Method.from_json(method.to_json()) == method


def first(iterations: Iterator[int], count: int) -> list[int]:
    return list(islice(iterations, count))


def test_measuring_points_grow_like_powers_and_end_with_the_last_iteration() -> None:
    assert first(measuring_iterations(after=0, last=None), 9) == [1, 2, 3, 5, 10, 20, 30, 50, 100]
    assert list(measuring_iterations(after=3, last=47)) == [5, 10, 20, 30, 47]
    assert list(measuring_iterations(after=0, last=30)) == [1, 2, 3, 5, 10, 20, 30]
    assert list(measuring_iterations(after=30, last=30)) == []


def test_measuring_points_lie_closer_toward_a_target_or_at_every_so_many() -> None:
    toward = first(measuring_iterations(after=0, last=None, toward_target=True), 12)
    assert toward == [1, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    assert list(measuring_iterations(after=5, last=17, every=5)) == [10, 15, 17]


def test_the_time_to_the_target_follows_the_power_law_of_the_trace() -> None:
    trace = [(t, 1000 / t**1.5) for t in (10, 20, 50, 100)]
    assert iterations_to_target(trace, 0.001) == pytest.approx(10_000)
    # Only the last three quarters count.
    assert iterations_to_target([(1, 9999.0), (24, 9999.0), *trace[2:]], 0.001) == pytest.approx(10_000)
    assert iterations_to_target(trace[:1], 0.001) is None
    assert iterations_to_target([(t, 5.0) for t in (1, 2, 3)], 0.001) is None


def test_the_points_on_the_way_to_a_target_follow_the_curve() -> None:
    curve: list[tuple[int, float]] = []

    def measured_at(mbb: Callable[[int], float], target_mbb: float, last: int | None = None) -> list[int]:
        curve.clear()
        for iteration in forecast_iterations(lambda: curve, target_mbb, after=0, last=last):
            curve.append((iteration, mbb(iteration)))
            if curve[-1][1] <= target_mbb or len(curve) == 12:
                break
        return [iteration for iteration, _ in curve]

    # The power law meets 1.02 at 99.01; two points show it. No step is longer than all that was before, and within four
    # times the target none is longer than three fifths of it.
    assert measured_at(lambda t: 1e4 / t**2, 1.02) == [5, 7, 14, 28, 56, 90, 100]
    assert measured_at(lambda t: 1e4 / t**2, 1.02, last=60) == [5, 7, 14, 28, 56, 60]
    # A curve that has gone flat is asked again a quarter later.
    assert measured_at(lambda t: 5.0, 1.0) == [5, 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75]


def test_a_goal_without_any_end_gets_a_thousand_iterations() -> None:
    assert Goal().iterations == 1000
    assert Goal(target_mbb=1).iterations is None
    assert Goal(target_mbb=1).is_met_by(TracePoint(1, average_mbb=1, current_mbb=2))


def test_the_front_door_lists_its_names_in_order_and_has_them_all() -> None:
    assert errai.__all__ == sorted(errai.__all__)
    assert all(hasattr(errai, name) for name in errai.__all__)
    wanted = [
        "open",
        "solve",
        "exploitability",
        "match",
        "lbr",
        "load_agent",
        "ActionProbabilities",
        "hands",
        "__version__",
    ]
    assert set(wanted) <= set(errai.__all__)
    assert errai.__version__ == version("errai")
    assert errai.Solution is Solution


def test_a_resume_that_is_stopped_at_once_adds_nothing_to_the_curve() -> None:
    solution = errai.solve("leduc", iterations=1)
    for _ in range(2):
        solution.resume(target_mbb=0.1, should_stop=lambda: True)
    assert [point.iteration for point in solution.trace] == [1]
    solution.resume(target_mbb=100)
    assert solution.is_target_met
