"""What a whole game costs: plain arithmetic on what was measured."""

from pathlib import Path

import pytest

from errai.errors import InputError
from errai.games.library import load_game
from errai.reports.cost_plan import SOLVED_GAMES, Cluster, Growth, RunRates, expected_iterations
from errai.runs.cost_plan import plan_cost, rates_of_run
from errai.runs.cost_sample import SAMPLE_FLOPS, measure_sample
from errai.runs.flop_executor import LocalFlops
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.trees.whole_game import WholeGame
from reference.mini_game import MINI
from reference.small_holdem import small_holdem

PUBLISHED_RATES = RunRates("the published run", 1579, 4855 * 3600 / 13_803_249_787_132, 10.9e12 / 13_803_249_787_132)


def test_the_rates_of_the_published_run_give_its_cost() -> None:
    # figures.md, section 4: 200 nodes of 24 cores, 61 minutes an iteration, 1,579 iterations, 900 core-years, 10.9 TB.
    cost = plan_cost(
        RunSettings.of(load_game("holdem.limit.2p")), PUBLISHED_RATES, cluster=Cluster(200, 24, 1e12), iterations=1579
    )
    assert cost.infosets == 13_803_249_787_132
    assert cost.num_flops == 1755
    assert cost.disk_bytes == pytest.approx(10.9e12)
    assert cost.core_hours_per_iteration == pytest.approx(4855)
    assert cost.minutes_per_iteration == pytest.approx(61, abs=0.5)
    assert cost.core_years == pytest.approx(900, rel=0.05)
    assert cost.days == pytest.approx(68.5, rel=0.05)  # the paper: 68 days
    assert cost.least_nodes == 11


def test_disks_move_the_files_three_times_an_iteration() -> None:
    cost = plan_cost(
        RunSettings.of(load_game("royal")), RunRates("royal", 1, 1e-6, 0.5), cluster=Cluster(4, 2, 1e12), iterations=10
    )
    seconds = 60 * cost.minutes_per_iteration
    assert seconds == pytest.approx(cost.infosets * 1e-6 / 8)
    assert cost.disk_bytes_per_second_per_node == pytest.approx(3 * cost.infosets * 0.5 / 4 / seconds)
    # 25 hands before the flop and at most 120 on it, 8 lanes of 4 bytes, 95 flops, two passes.
    hands = 25 + max(board.hands[0].num_hands for board in WholeGame(load_game("royal")).flops)
    assert cost.network_bytes_per_second == pytest.approx(2 * 95 * hands * 8 * 4 / seconds)


def test_the_average_costs_only_the_last_quarter_of_the_iterations() -> None:
    rates = RunRates("royal", 1, 1e-6, 0.75, average_core_seconds_per_infoset=5e-7, average_bytes_per_infoset=0.25)
    cost = plan_cost(RunSettings.of(load_game("royal")), rates, cluster=Cluster(4, 2, 1e12), iterations=256)
    assert cost.average_updates == 64  # the last quarter
    assert (cost.regret_bytes, cost.average_bytes) == (0.5 * cost.infosets, 0.25 * cost.infosets)
    assert cost.bytes_written == pytest.approx((256 * 0.5 + 64 * 0.25) * cost.infosets)
    assert cost.core_hours_per_iteration == pytest.approx(cost.infosets * (1e-6 + 0.25 * 5e-7) / 3600)
    seconds = 60 * cost.minutes_per_iteration
    assert cost.disk_bytes_per_second_per_node == pytest.approx(
        (3 * 0.5 + 0.25 * 2 * 0.25) * cost.infosets / 4 / seconds
    )
    assert cost.days_on_one_node == pytest.approx(4 * cost.days)
    alone, with_average = cost.phases
    assert (alone.iterations, with_average.iterations) == (192, 64)
    assert alone.core_hours_per_iteration == pytest.approx(cost.infosets * 1e-6 / 3600)
    assert with_average.core_hours_per_iteration == pytest.approx(cost.infosets * 1.5e-6 / 3600)
    assert alone.core_years + with_average.core_years == pytest.approx(cost.core_years)
    assert alone.bytes_written + with_average.bytes_written == pytest.approx(cost.bytes_written)


def test_late_iterations_cost_more_than_those_that_were_measured() -> None:
    rates = RunRates("royal", 1, 1e-6, 0.75, average_core_seconds_per_infoset=5e-7, average_bytes_per_infoset=0.25)
    settings, cluster = RunSettings.of(load_game("royal")), Cluster(4, 2, 1e12)
    flat = plan_cost(settings, rates, cluster=cluster, iterations=256)
    grown = plan_cost(settings, rates, cluster=cluster, iterations=256, growth=Growth(1.25, 2.0, 0.5))
    assert grown.early_core_hours_per_iteration == flat.regret_core_hours_per_iteration
    assert grown.core_years == pytest.approx(1.25 * flat.core_years)
    assert grown.core_years_bounds == pytest.approx((flat.core_years, grown.core_years))
    assert (grown.early_regret_bytes, grown.regret_bytes) == (flat.regret_bytes, 2 * flat.regret_bytes)
    assert grown.average_bytes == 0.5 * flat.average_bytes
    assert grown.disk_bytes == grown.regret_bytes + grown.average_bytes


def test_the_iterations_are_those_of_the_published_run_by_the_ratios_of_games_that_were_solved() -> None:
    ratios = [ours / current for ours, current in SOLVED_GAMES.values()]
    fewest, expected, most = expected_iterations()
    # An average of the last quarter takes 5 % more than one of all iterations.
    assert (fewest, most) == (round(1579 * 1.05 * min(ratios)), round(1579 * 1.05 * max(ratios)))
    assert fewest <= expected <= most
    rates = RunRates("royal", 1, 1e-6, 0.75)
    cost = plan_cost(
        RunSettings.of(load_game("royal")),
        rates,
        cluster=Cluster(1, 1, 1e12),
        iterations=expected,
        iterations_bounds=(fewest, most),
    )
    low, high = cost.core_years_bounds
    assert low <= cost.core_years <= high
    assert high / low == pytest.approx(most / fewest)


def test_iterations_that_draw_boards_do_not_count(tmp_path: Path) -> None:
    run = WholeRun.create(tmp_path / "run", RunSettings.of(MINI, averaging_delay=3, draw_boards=2, draw_until=2))
    for iterations, done in ((0, "not completed an iteration yet"), (2, "visited only a part of the boards so far")):
        run.advance(LocalFlops(run.flop_worker(), 1), iterations=iterations, measure_every=9)
        with pytest.raises(InputError, match=f"has {done}"):
            rates_of_run(run)
    run.advance(LocalFlops(run.flop_worker(), 1), iterations=4, measure_every=9)
    seconds = run.ledger.pass_core_seconds()
    rates = rates_of_run(run)
    assert rates.core_seconds_per_infoset == pytest.approx(sum(seconds[4:6]) / run.settings.num_infosets)


def test_a_sample_is_run_and_measured() -> None:
    settings = RunSettings.of(small_holdem(max_raises=(1, 1, 1, 1)))
    rates = measure_sample(settings, num_threads=1, iterations=8)
    assert rates.iteration == 8
    assert rates.game == f"{SAMPLE_FLOPS} flops of holdem.3.ranks, 1 turn of each"
    assert rates.core_seconds_per_infoset > 0
    assert 0 < rates.average_bytes_per_infoset < rates.bytes_per_infoset < 10.4
