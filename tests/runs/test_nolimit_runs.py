"""Whole no-limit games from disk: the same numbers as in memory, asked, played and resumed like limit games."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.agents.loading import load_agent
from errai.errors import InputError
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import BettingState, initial_state
from errai.runs.flop_executor import LocalFlops
from errai.runs.run import WholeRun
from errai.runs.run_options import new_settings
from errai.runs.settings import RunSettings
from errai.runs.stored_run import StoredRun
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import EndKind, build_betting_tree
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.whole_game import choose_flops
from reference.stored_runs import assert_same_bits

ROYAL = load_game("royal.nolimit")
# Twelve cards and stacks of four big blinds: all streets have all-in ends, and lanes of several shapes.
SMALL = replace(ROYAL, name="royal.small", num_ranks=3, stacks=(400, 400))
FLOPS = choose_flops(SMALL, "2")
MENU = "100%,a"


def whole_tree(flops: dict[tuple[int, ...], float] | None = None) -> PublicTree:
    spot = Spot(SMALL, bets=MENU)
    betting = build_betting_tree(spot.root, spot.menu)
    return build_public_tree(SMALL, betting=betting, next_boards=flops, precision="float32")


def solved_run(
    directory: Path, iterations: int, flops: dict[tuple[int, ...], float] | None = FLOPS, *, algorithm: str = "dcfr+"
) -> WholeRun:
    settings = RunSettings.of(SMALL, flops, bets=MENU, algorithm=algorithm, scale=0.0, with_average=True)
    run = WholeRun.create(directory, settings)
    run.advance(LocalFlops(run.flop_worker(), 2), iterations=iterations, measure="average", measure_every=iterations)
    return run


def solved_in_memory(tree: PublicTree, iterations: int, *, algorithm: str = "dcfr+") -> LaneSolver:
    solver = LaneSolver(tree, variant=find_variant(algorithm))
    solver.run(iterations)
    return solver


def test_the_small_game_has_all_in_ends_and_several_shapes() -> None:
    streets = new_settings(SMALL, bets=MENU).game.betting.streets
    assert [street.num_ends(EndKind.ALL_IN) > 0 for street in streets] == [True, True, True, False]
    assert all(len(street.groups) > 1 for street in streets[1:])


@pytest.mark.parametrize(
    ("algorithm", "flops", "iterations"),
    [("dcfr+", FLOPS, 3), pytest.param("cfr+", None, 2, marks=pytest.mark.slow)],
)
def test_a_lossless_run_has_the_bits_of_the_engine_in_memory(
    tmp_path: Path, algorithm: str, flops: dict[tuple[int, ...], float] | None, iterations: int
) -> None:
    run = solved_run(tmp_path / "run", iterations, flops, algorithm=algorithm)
    tree = whole_tree(flops)
    solver = solved_in_memory(tree, iterations, algorithm=algorithm)
    assert_same_bits(run, tree, "current", solver.regrets)
    assert_same_bits(run, tree, "average", solver.average_strategy())
    measured = run.measured("average")
    expected = exploitability_lanes(tree, solver.average_strategy())
    assert measured is not None
    assert measured.best_response_chips == expected.best_response_chips


def test_a_run_answers_like_a_solution_in_memory(tmp_path: Path) -> None:
    stored = StoredRun(solved_run(tmp_path / "run", 2, None, algorithm="cfr+"))
    solution = errai.solve(Spot(SMALL, bets=MENU), algorithm="cfr+", iterations=2, precision="float32", engine="lanes")
    assert stored.definition == SMALL
    assert stored.start == solution.start
    assert stored.describe().infosets == solution.plan.num_infosets
    for betting, board in (
        ("", ""),
        ("r300", ""),
        ("cr300", ""),
        ("cc/", "AsKsQs"),
        ("cc/r300", "AhKsQd"),
        ("cc/cr300c/", "AhKsQdQs"),
        ("cc/cc/r300c/c", "AhKsQdQsAd"),
        ("r300c/cc/cr400", "AhKhQhQs"),
    ):
        expected = solution.query(betting=betting, board=board, with_values=True)
        found = stored.query(betting=betting, board=board, with_values=bool(board))
        assert found.actions == expected.actions
        held = ~np.isnan(expected.probabilities[:, 0])
        assert found.probabilities[held] == pytest.approx(expected.probabilities[held], abs=1e-5)
        for player in (0, 1):
            assert found.reach[player] == pytest.approx(expected.reach[player], abs=1e-5)
            if found.value_chips is not None and expected.value_chips is not None:
                known = ~np.isnan(expected.value_chips[player]) & ~np.isnan(found.value_chips[player])
                # Single precision, of values up to 800 chips.
                assert found.value_chips[player][known] == pytest.approx(expected.value_chips[player][known], abs=0.01)


def test_a_run_plays_with_the_sizes_of_its_menu_and_translates_others(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    stored = StoredRun(solved_run(directory, 1))
    root = initial_state(SMALL)
    assert stored.action_probabilities(root, ()).raise_totals.tolist() == [300, 400]
    agent = load_agent(f"{directory}:hard", SMALL)

    def facing(total: int) -> BettingState:
        return root.apply_raise(total)

    answer = agent.action_probabilities(facing(290), ())
    assert answer.fold == pytest.approx(stored.action_probabilities(facing(300), ()).fold)


def test_a_run_is_resumed_with_its_menu_and_no_other(tmp_path: Path) -> None:
    run = WholeRun.create(tmp_path, RunSettings.of(SMALL, FLOPS, bets="fcpa"))
    assert run.settings.bets == MENU
    opened = WholeRun.open(tmp_path)
    assert opened.settings == run.settings
    opened.verify_same(RunSettings.of(SMALL, FLOPS, bets=MENU))
    with pytest.raises(InputError, match="bets: 100%,a there, 50% here"):
        opened.verify_same(RunSettings.of(SMALL, FLOPS, bets="50%"))


def test_games_and_menus_must_fit() -> None:
    with pytest.raises(InputError, match="needs a bet menu"):
        new_settings(SMALL)
    with pytest.raises(InputError, match="`bets` is for no-limit games"):
        new_settings(load_game("royal"), bets="fcpa")
    with pytest.raises(InputError, match="no sizes for bb before the flop"):
        new_settings(SMALL, bets="flop 50%")


def test_royal_no_limit_has_the_infosets_of_its_tree() -> None:
    # As `errai tree royal.nolimit --stack 20bb --bets fcpa` counts them.
    settings = new_settings(ROYAL, bets="fcpa")
    assert settings.num_infosets == 192_789_860
    assert len(settings.game.flops) == 95
