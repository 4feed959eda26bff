"""Whole games from disk: the same numbers as in memory, whoever works on them."""

from dataclasses import replace
from pathlib import Path
from typing import Unpack

import numpy as np
import pytest
from numpy.typing import NDArray

from errai.agents.loading import load_agent
from errai.errors import InputError, StorageError
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.strategies import StrategyKind
from errai.passes.section_pass import read_node
from errai.reports.state import StateReport
from errai.runs.checkpoint import Checkpoint
from errai.runs.flop_executor import LocalFlops
from errai.runs.flop_worker import ArrayName
from errai.runs.run import WholeRun
from errai.runs.settings import RunMethod, RunSettings
from errai.runs.stored_run import StoredRun
from errai.solutions.solve import solve
from errai.solutions.stored_strategy import Work
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.solvers.variants import find_variant
from errai.storage.codec import CODINGS, Coding
from errai.trees.public_tree import build_public_tree
from errai.trees.whole_game import WholeGame, choose_flops
from reference.mini_game import MINI
from reference.small_holdem import small_holdem
from reference.stored_runs import assert_same_bits, logical_files

SMALL = small_holdem(max_raises=(1, 1, 1, 1))
# Few flops for what does not depend on them: forcing every file to the disk takes longer than computing it.
FLOPS = choose_flops(SMALL, "4")


def begin(directory: Path, flops: dict[tuple[int, ...], float] | None = FLOPS, **method: Unpack[RunMethod]) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(SMALL, flops, **method))


def crew(run: WholeRun, num_threads: int = 2, **options: object) -> LocalFlops:
    return LocalFlops(run.flop_worker(**options), num_threads)  # type: ignore[arg-type]


def advance(run: WholeRun, iterations: int, num_threads: int = 2) -> None:
    run.advance(crew(run, num_threads), iterations=iterations, measure_every=iterations)


@pytest.mark.parametrize(
    ("algorithm", "flops", "iterations", "num_threads"),
    [("cfr+", FLOPS, 4, 1), ("dcfr+", FLOPS, 4, 2), ("cfr+", FLOPS, 3, 3), ("cfr+", None, 2, 2)],
)
def test_a_lossless_run_has_the_bits_of_the_engine_in_memory(
    tmp_path: Path, algorithm: str, flops: dict[tuple[int, ...], float] | None, iterations: int, num_threads: int
) -> None:
    run = begin(tmp_path / "run", flops, algorithm=algorithm, scale=0.0, with_average=True)
    advance(run, iterations, num_threads)
    tree = build_public_tree(SMALL, next_boards=flops, precision="float32")
    solver = LaneSolver(tree, variant=find_variant(algorithm))
    solver.run(iterations)
    assert_same_bits(run, tree, "current", solver.regrets)
    assert_same_bits(run, tree, "average", solver.average_strategy())


@pytest.mark.parametrize("game", [SMALL, MINI], ids=["four rounds", "three rounds"])
def test_a_lossless_run_that_draws_boards_has_the_bits_of_the_engine_in_memory(
    tmp_path: Path, game: GameDefinition
) -> None:
    flops = choose_flops(game, "1")  # so that boards have the same numbers in both
    settings = RunSettings.of(game, flops, scale=0.0, averaging_delay=4, draw_boards=3, draw_until=4)
    run = WholeRun.create(tmp_path / "run", settings)
    advance(run, 6)
    tree = build_public_tree(game, next_boards=flops, precision="float32")
    solver = LaneSolver(tree, variant=find_variant("dcfr+"), averaging_delay=4)
    solver._steps.draw_boards, solver._steps.draw_until = 3, 4
    solver.run(6)
    assert_same_bits(run, tree, "current", solver.regrets)
    assert_same_bits(run, tree, "average", solver.average_strategy())


def test_a_lossless_run_of_a_game_without_flushes_has_the_bits_of_the_engine_in_memory(tmp_path: Path) -> None:
    game = replace(MINI, num_board_cards=(0, 2, 1))  # with the hand, four cards
    run = WholeRun.create(tmp_path / "run", RunSettings.of(game, None, algorithm="cfr+", scale=0.0, with_average=True))
    advance(run, 4)
    tree = build_public_tree(game, precision="float32")
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    solver.run(4)
    assert_same_bits(run, tree, "current", solver.regrets)
    assert_same_bits(run, tree, "average", solver.average_strategy())


@pytest.mark.parametrize("strategy", ["current", "average"])
def test_the_exploitability_of_a_run_is_that_of_the_same_strategy_in_memory(tmp_path: Path, strategy: str) -> None:
    run = begin(tmp_path / "run", algorithm="cfr+", scale=0.0, with_average=True)
    advance(run, 4)
    measured = run.measure(crew(run), strategy)  # type: ignore[arg-type]
    tree = build_public_tree(SMALL, next_boards=FLOPS, precision="float32")
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    solver.run(4)
    weights = solver.current_strategy() if strategy == "current" else solver.average_strategy()
    expected = exploitability_lanes(tree, weights)
    assert measured is not None
    # The same sums in the same order.
    assert measured.best_response_chips == expected.best_response_chips


def test_fixed_point_comes_as_close_as_the_table_of_precisions_says(tmp_path: Path) -> None:
    exact, fixed = begin(tmp_path / "exact", scale=0.0), begin(tmp_path / "fixed")
    for run in (exact, fixed):
        advance(run, 12)
    values = [run.measured("current") for run in (exact, fixed)]
    assert values[0] is not None
    assert values[1] is not None
    # At the default scale the table's turn is as exploitable as with floats, give or take a fifth.
    assert values[1].exploitability_mbb < 1.2 * values[0].exploitability_mbb
    # Chunks of a small deck are small, and so is what the codec gains.
    assert fixed.num_bytes < exact.num_bytes / 3


def test_a_run_that_is_coded_fast_has_the_regrets_of_one_that_is_coded_small(tmp_path: Path) -> None:
    small, fast = (begin(tmp_path / coding, coding=coding, with_average=False) for coding in CODINGS)
    for run in (small, fast):
        advance(run, 12)
    # All that is computed follows from the regrets of the iterations before, so one other code would change this.
    assert fast.measured("current") == small.measured("current") is not None
    for flop in range(small.num_flops):
        for player in (0, 1):
            expected, found = (decoded_section(run, flop, player) for run in (small, fast))
            assert expected.any()
            assert np.array_equal(found, expected)
    assert StoredRun.open(fast.directory).describe().to_json()["coding"] == "fast"
    StoredRun.open(fast.directory).verify()


def decoded_section(run: WholeRun, flop: int, player: int) -> NDArray[np.float32]:
    """A player's regrets at its first node on the first river, in all lanes."""
    tree = run.game.flop_tree(flop)
    last = len(tree.rounds) - 1
    node = next(i for i, node in enumerate(tree.rounds[last].groups[0].shape.nodes) if node.player == player)
    array = run.flop_worker().open_array(flop, ArrayName("current", player), PASSES_PER_ITERATION * run.iteration)
    lanes = range(tree.rounds[last].groups[0].num_lanes)
    return read_node(tree, array, round_index=last, board_index=0, node_index=node, lanes=lanes)


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("delay", [0, 5])
def test_an_average_in_fixed_point_is_that_of_the_same_iterations_in_memory(
    tmp_path: Path, delay: int, coding: Coding
) -> None:
    run = begin(tmp_path / "run", algorithm="dcfr+", scale=2000.0, averaging_delay=delay, coding=coding)
    advance(run, 12)
    measured = run.measure(crew(run), "average")
    tree = build_public_tree(SMALL, next_boards=FLOPS, precision="float32")
    solver = LaneSolver(tree, variant=find_variant("dcfr+"), averaging_delay=delay)
    solver.run(12)
    assert measured is not None
    # Fixed point at so fine a scale hardly changes the regrets; averages of other iterations differ by a third.
    expected = exploitability_lanes(tree, solver.average_strategy()).exploitability_mbb
    assert measured.exploitability_mbb == pytest.approx(expected, rel=0.02)


def test_an_average_grows_by_iterations_that_add_less_than_a_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def average_mbb(name: str, units: float) -> float:
        monkeypatch.setattr("errai.runs.settings.AVERAGE_UNITS", units / 2000.0)
        run = WholeRun.create(tmp_path / name, RunSettings.of(MINI, scale=2000.0, gamma=0.0))
        advance(run, 16)
        measured = run.measure(crew(run), "average")
        assert measured is not None
        return measured.exploitability_mbb

    # With 32 units an iteration of 16 adds at most 2 to a sum, and less than one to most of them.
    fine, coarse = average_mbb("fine", 2e6), average_mbb("coarse", 32.0)
    monkeypatch.setattr(RunSettings, "average_rounding", lambda *_: 0.5)
    nearest = average_mbb("nearest", 32.0)
    assert coarse - fine < (nearest - fine) / 2


def test_a_pass_that_does_not_average_leaves_the_file_of_the_average_as_it_is(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", averaging_delay=2)

    def versions(name: str) -> set[int]:
        return {int(path.name.split(".")[1]) for path in (tmp_path / "run").glob(f"flop-*/{name}.*.flop")}

    # Pass 2 t - 1 changes player 1's regrets and player 0's average, pass 2 t the others.
    for iterations in (2, 3, 4):
        advance(run, iterations)
        assert versions("regrets-1") == {2 * iterations - 1}
        assert versions("regrets-0") == {2 * iterations}
        assert versions("average-0") == ({2 * iterations - 1} if iterations > 2 else set())
        assert versions("average-1") == ({2 * iterations} if iterations > 2 else set())
    StoredRun.open(run.directory).verify()


@pytest.mark.parametrize("coding", CODINGS)
def test_any_number_of_threads_writes_the_same_bytes(tmp_path: Path, coding: Coding) -> None:
    for num_threads in (1, 3):
        run = begin(tmp_path / str(num_threads), averaging_delay=2, draw_boards=2, draw_until=2, coding=coding)
        advance(run, 4, num_threads)
    assert logical_files(tmp_path / "1") == logical_files(tmp_path / "3")


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole, stopped = begin(tmp_path / "whole"), begin(tmp_path / "stopped")
    advance(whole, 3)
    for asked in (1, 3, 6, 9):
        answers = iter(range(asked))
        stopped.advance(crew(stopped), iterations=3, should_stop=lambda answers=answers: next(answers, None) is None)  # type: ignore[misc]
        stopped.ledger.close()
        stopped = WholeRun.open(tmp_path / "stopped")
    advance(stopped, 3)
    assert logical_files(tmp_path / "whole") == logical_files(tmp_path / "stopped")
    assert whole.ledger.preflop_arrays() is not None
    for name, numbers in (whole.ledger.preflop_arrays() or {}).items():
        assert np.array_equal(numbers, (stopped.ledger.preflop_arrays() or {})[name])


def test_a_flop_whose_files_are_gone_is_computed_again(tmp_path: Path) -> None:
    undisturbed, run = begin(tmp_path / "undisturbed"), begin(tmp_path / "run")
    advance(undisturbed, 3)
    advance(run, 2)
    for path in next(run.directory.glob("flop-0002-*")).iterdir():
        path.unlink()
    advance(run, 3)
    assert logical_files(undisturbed.directory) == logical_files(run.directory)


def test_a_lost_flop_is_taken_from_the_checkpoint(tmp_path: Path) -> None:
    undisturbed, run = begin(tmp_path / "undisturbed"), begin(tmp_path / "run")
    advance(undisturbed, 4)
    copies = tmp_path / "copies"
    executor = crew(run, checkpoint=copies)
    run.advance(executor, iterations=3, measure_every=3, checkpoint=Checkpoint(copies, every=2))
    lost = next(run.directory.glob("flop-0002-*"))
    for path in lost.iterdir():
        path.unlink()
    run.advance(executor, iterations=4, measure_every=4)
    assert logical_files(undisturbed.directory) == logical_files(run.directory)
    assert WholeRun.open(copies).iteration == 2


@pytest.mark.parametrize("place", [0, 1000, -100, -1])
def test_a_flipped_byte_is_found_with_its_path(tmp_path: Path, place: int) -> None:
    run = begin(tmp_path / "run")
    advance(run, 2)
    path = sorted(run.directory.rglob("*.flop"))[5]
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)
    flop = int(path.parent.name.split("-")[1])
    with pytest.raises(StorageError, match=path.name):
        run.flop_worker().verify(flop, run.ledger.passes_done)
    with pytest.raises(StorageError, match=path.name):
        advance(run, 3)


def test_every_flipped_byte_of_a_record_of_the_ledger_is_found(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    advance(run, 1)
    run.ledger.close()
    path = run.directory / "ledger.sqlite"
    content = bytearray(path.read_bytes())
    place = content.rindex(b"regrets_0.npy")
    content[place - 200] ^= 1
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"ledger\.sqlite.*damaged.*preflop"):
        WholeRun.open(run.directory).ledger.verify()


@pytest.mark.parametrize(("number", "hint"), [(99, "upgrade"), (1, "solve again")])
def test_a_run_of_another_format_is_refused(tmp_path: Path, number: int, hint: str) -> None:
    run = begin(tmp_path / "run")
    run.ledger._put("run", f'{{"format": {number}, "settings": {{}}}}'.encode())
    with pytest.raises(StorageError, match=f"format {number}; this program reads format 10") as caught:
        WholeRun.open(run.directory)
    assert hint in str(caught.value.hint)


def test_a_directory_without_a_ledger_is_not_a_run(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is not a run"):
        WholeRun.open(tmp_path)


def test_a_game_of_two_rounds_cannot_be_cut_at_the_flop() -> None:
    with pytest.raises(InputError, match="cannot be cut at the flop"):
        WholeGame(small_holdem(num_rounds=2))


def test_all_flops_named_one_by_one_are_the_whole_game(tmp_path: Path) -> None:
    every = WholeGame(SMALL)
    named = choose_flops(SMALL, ",".join(every.flop_text(flop) for flop in range(len(every.flops))))
    runs = [begin(tmp_path / "all", None), begin(tmp_path / "named", named)]
    for run in runs:
        advance(run, 1)
    assert runs[0].measured("current") == runs[1].measured("current")


def test_flops_are_chosen_by_number_and_weigh_the_same() -> None:
    factors = choose_flops(SMALL, "3")
    game = WholeGame(SMALL, factors)
    shares = [board.multiplicity * factors[board.cards] for board in game.flops]
    assert len(shares) == 3
    assert shares == pytest.approx([sum(shares) / 3] * 3)
    assert sum(shares) == pytest.approx(sum(board.multiplicity for board in WholeGame(SMALL).flops))


def test_flops_that_repeat_or_are_no_flops_are_refused() -> None:
    with pytest.raises(InputError, match="are the same flop"):
        choose_flops(SMALL, "QcKcAc,QdKdAd")
    with pytest.raises(InputError, match="a flop has 3 different cards; got `QcKc`"):
        choose_flops(SMALL, "QcKc")
    for weight in ("0", "-1", "nan", "inf", "1e308", "1e-320", "heavy"):
        with pytest.raises(InputError, match=f"must be a number from 1e-06 to 1e.06; got `QcKcAc:{weight}`"):
            choose_flops(SMALL, f"QcKcAc:{weight}")


@pytest.mark.parametrize("scale", [-1.0, 1e308, 1e-300, float("nan"), float("inf")])
def test_a_scale_that_numbers_cannot_have_is_refused(scale: float) -> None:
    with pytest.raises(InputError, match=r"`scale` must be 0 or from 1e-09 to 1e\+09"):
        RunSettings.of(SMALL, FLOPS, scale=scale)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ({"coding": "tiny"}, "`coding` must be one of small, fast; got `tiny`"),
        ({"coding": "fast", "scale": 0.0}, "`fast` is one of numbers in fixed point"),
    ],
)
def test_codings_that_a_run_cannot_have_are_refused(method: RunMethod, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RunSettings.of(SMALL, FLOPS, **method)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ({"draw_boards": 0}, "`draw_boards` must be from 1 to 48; got `0`"),
        ({"draw_boards": 49, "draw_until": 5}, "`draw_boards` must be from 1 to 48; got `49`"),
        ({"draw_boards": 2, "draw_until": -1}, "`draw_until` must not be negative; got `-1`"),
        ({"draw_boards": 2}, "`draw_boards` and `draw_until` belong together; got `2` and `0`"),
        ({"draw_until": 5}, "`draw_boards` and `draw_until` belong together; got `1` and `5`"),
        ({"draw_boards": 2, "draw_until": 5, "averaging_delay": 4}, "it must begin after iteration 5"),
    ],
)
def test_draws_that_a_run_cannot_make_are_refused(method: RunMethod, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RunSettings.of(SMALL, FLOPS, **method)


@pytest.mark.parametrize("factor", [0.0, float("inf"), float("nan")])
def test_a_factor_that_no_chance_can_have_is_refused(factor: float) -> None:
    with pytest.raises(InputError, match="must be positive and finite"):
        RunSettings.of(SMALL, dict.fromkeys(FLOPS, factor))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = begin(tmp_path_factory.mktemp("finished") / "run", None, algorithm="cfr+", scale=0.0)
    advance(run, 3)
    return run.directory


@pytest.mark.parametrize(
    ("betting", "board"),
    [("", ""), ("c", ""), ("r", ""), ("cc/", "KdQhAc"), ("rc/r", "KdQhAc"), ("cc/cc/", "KdQhAcAd"),
     ("rc/rc/cr", "AhAsQcKh"), ("cc/rc/rc/c", "KdQhAcAdQs")],
)  # fmt: skip
def test_a_run_answers_queries_as_a_solution_in_memory_does(finished: Path, betting: str, board: str) -> None:
    solution = solve(SMALL, algorithm="cfr+", iterations=3, measure_every=3, precision="float32", engine="lanes")
    expected = solution.query(betting=betting, board=board, strategy="current")
    found = StoredRun.open(finished).query(
        betting=betting, board=board, strategy="current", with_values=True, work=Work(num_threads=2)
    )
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)
    for player in (0, 1):
        np.testing.assert_allclose(found.reach[player], expected.reach[player], atol=1e-6)
    for values, expected_values in (
        (found.value_chips, expected.value_chips),
        (found.best_response_chips, expected.best_response_chips),
    ):
        assert values is not None
        assert expected_values is not None
        for player in (0, 1):
            # Both judges sum floats, in different orders.
            np.testing.assert_allclose(values[player], expected_values[player], atol=1e-3)
    assert found.action_value_chips is not None
    assert expected.action_value_chips is not None
    np.testing.assert_allclose(found.action_value_chips, expected.action_value_chips, atol=1e-3)


@pytest.mark.parametrize("kind", ["average", "current"])
def test_what_both_players_get_in_a_run_in_fixed_point_is_the_pot(tmp_path: Path, kind: StrategyKind) -> None:
    run = begin(tmp_path / "run", None, scale=5.0, with_average=True)
    advance(run, 3)
    for betting, board in (("", ""), ("c", ""), ("rc/", "KdQhAc"), ("rc/cr", "KdQhAc"), ("cc/rc/", "KdQhAcAd")):
        report = StoredRun.open(run.directory).query(betting=betting, board=board, strategy=kind, with_values=True)
        both = report.average_value_chips(0) + report.average_value_chips(1)
        assert both == pytest.approx(report.pot_chips, abs=1e-3)
        assert report.value_chips is not None
        assert report.best_response_chips is not None
        for value, best in zip(report.value_chips, report.best_response_chips, strict=True):
            told = ~np.isnan(value)
            assert told.any()
            assert np.all(value[told] <= best[told] + 1e-3)


def test_a_state_where_nobody_comes_is_worth_nothing_to_tell() -> None:
    hands = np.zeros(66)
    state = parse_betting(SMALL, "c")
    report = StateReport(
        definition=SMALL,
        state=state,
        board=(),
        probabilities=np.zeros((66, 2)),
        reach=(hands, hands),
        value_chips=(hands, hands),
        best_response_chips=(hands, hands),
        action_value_chips=np.zeros((66, 2)),
    )
    assert np.isnan(report.average_value_chips(0))


def test_values_before_the_flop_are_told_when_asked_for(finished: Path) -> None:
    assert StoredRun.open(finished).query(betting="r").value_chips is None
    assert StoredRun.open(finished).query(betting="rc/", board="KdQhAc").value_chips is not None
    assert StoredRun.open(finished).query(betting="rc/", board="KdQhAc", with_values=False).value_chips is None
    told: list[tuple[int, int]] = []
    StoredRun.open(finished).query(
        betting="r", with_values=True, work=Work(on_progress=lambda *flops: told.append(flops))
    )
    num_flops = WholeRun.open(finished).num_flops
    assert told == [(done, num_flops) for done in range(1, num_flops + 1)]


def test_values_before_the_flop_need_all_flops(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", choose_flops(SMALL, "QcQdKc"), scale=0.0)
    advance(run, 1)
    with pytest.raises(InputError, match="takes all flops, each as likely as it is; this run has a choice of 1"):
        StoredRun.open(run.directory).query(with_values=True)


def test_a_run_plays_as_the_solution_in_memory_does(finished: Path) -> None:
    agent = load_agent(str(finished), SMALL)
    state = parse_betting(SMALL, "rc/r")
    board = SMALL.deck.parse("KdQhAc")
    found = agent.action_probabilities(state, board)
    expected = StoredRun.open(finished).query(betting="rc/r", board="KdQhAc").probabilities
    possible = ~np.isnan(expected[:, 0])
    np.testing.assert_array_equal(found.fold[possible], expected[possible, 0])
    np.testing.assert_array_equal(found.call[possible], expected[possible, 1])


def test_a_question_about_the_wrong_board_says_what_is_wrong(finished: Path) -> None:
    with pytest.raises(InputError, match="in round 2, which has 3 cards on the board; got 0"):
        StoredRun.open(finished).query(betting="cc/")
    with pytest.raises(InputError, match="the hand is over"):
        StoredRun.open(finished).query(betting="f")


def test_a_run_without_an_average_says_so(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", with_average=False)
    advance(run, 1)
    with pytest.raises(InputError, match="keeps no average strategy"):
        StoredRun.open(run.directory).query(strategy="average")


def test_a_flop_that_is_not_dealt_is_told(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", choose_flops(SMALL, "QcQdKc"), scale=0.0)
    advance(run, 1)
    with pytest.raises(InputError, match="`QcQdQh` is not dealt in this game"):
        StoredRun.open(run.directory).query(betting="cc/", board="QcQdQh")


@pytest.mark.slow
def test_the_whole_of_a_deck_of_three_ranks_has_the_bits_of_the_engine_in_memory(tmp_path: Path) -> None:
    definition = small_holdem()  # 83,285,652 infosets
    runs = [WholeRun.create(tmp_path / str(n), RunSettings.of(definition, scale=0.0)) for n in (1, 2, 3)]
    for num_threads, run in enumerate(runs, start=1):
        advance(run, 1, num_threads)
    assert logical_files(runs[0].directory) == logical_files(runs[1].directory) == logical_files(runs[2].directory)
    tree = build_public_tree(definition, precision="float32")
    solver = LaneSolver(tree, variant=find_variant("dcfr+"), with_average=False)
    solver.run(1)
    assert_same_bits(runs[0], tree, "current", solver.regrets)
