from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errai.abstraction.bucket_table import random_table, single_bucket_table
from errai.abstraction.card_rounds import CardRounds
from errai.agents.agent import CheckedAgent
from errai.agents.baselines import BASELINES
from errai.agents.loading import load_strategy
from errai.errors import InputError
from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.flop_judges import build_judge
from errai.evaluate.flop_sample import FlopSample
from errai.evaluate.flop_totals import FlopJudge, total_over_flops
from errai.evaluate.in_abstraction import in_abstraction_exploitability
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import initial_state
from errai.solvers.bucket_solver import AbstractGame
from errai.trees.betting_tree import build_betting_tree
from errai.trees.bucket_layout import BucketLayout, HandBuckets, can_merge_suits
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.poker_form import build_extensive_form
from errai.trees.public_tree import build_public_tree
from reference.abstract_game import abstract_form, strategy_on_abstract_form
from reference.judged_strategies import strategy_on_form
from reference.random_games import tree_definitions

Posed = tuple[GameDefinition, HandBuckets]


def random_strategy(
    definition: GameDefinition, table: HandBuckets, seed: int, dtype: type[np.floating[Any]] = np.float64
) -> BucketedStrategy:
    """Weights drawn at random, a third of them zero or less."""
    layout = BucketLayout(build_betting_tree(initial_state(definition)), table.counts)
    random = np.random.default_rng(seed)
    first, second = (
        tuple((random.random(size) * 1.5 - 0.5).astype(dtype) for size in layout.sizes(player)) for player in (0, 1)
    )
    return BucketedStrategy(layout, table, (first, second))


def finish(judge: FlopJudge) -> Exploitability:
    return judge.finish(total_over_flops(judge).total)


@st.composite
def games_with_tables(draw: st.DrawFn, *, max_nodes: int, perfect_recall: bool | None = None) -> Posed:
    definition = draw(tree_definitions(merge_suits=False, max_nodes=max_nodes))
    counts = draw(st.tuples(*[st.integers(1, 3)] * definition.num_rounds))
    recall = draw(st.booleans()) if perfect_recall is None else perfect_recall
    table = random_table(CardRounds.of(definition), counts, seed=draw(st.integers(0, 99)), perfect_recall=recall)
    return definition, table


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(posed=games_with_tables(max_nodes=20_000), seed=st.integers(0, 99))
def test_the_judge_agrees_with_a_best_response_on_the_flat_tree(posed: Posed, seed: int) -> None:
    definition, table = posed
    strategy = random_strategy(definition, table, seed)
    form = build_extensive_form(definition, merge_suits=False)
    expected = exploitability_flat(form, strategy_on_form(form, definition, strategy))
    judged = finish(BucketedJudge(definition, strategy))
    # To the rounding of sums of doubles.
    assert judged.best_response_chips == pytest.approx(expected.best_response_chips, abs=1e-10 * judged.unit_chips)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(posed=games_with_tables(max_nodes=2_000, perfect_recall=True), seed=st.integers(0, 99))
def test_exploitability_in_the_abstraction_is_that_of_the_abstract_tree(posed: Posed, seed: int) -> None:
    definition, table = posed
    strategy = random_strategy(definition, table, seed)
    form = abstract_form(definition, table)
    expected = exploitability_flat(form, strategy_on_abstract_form(form, strategy.layout, strategy.weights))
    game = AbstractGame(build_public_tree(definition, merge_suits=can_merge_suits(definition)), table)
    judged = in_abstraction_exploitability(game.tree, game.bucketed_tree(), strategy.layout, strategy.weights)
    assert judged.best_response_chips == pytest.approx(expected.best_response_chips, abs=1e-9 * judged.unit_chips)


def test_four_rounds_are_judged_as_board_by_board() -> None:
    definition = replace(load_game("holdem.limit.2p"), name="small", num_ranks=3, num_suits=3, max_raises=(1, 1, 1, 1))
    table = random_table(CardRounds.of(definition), (3, 4, 5, 6), seed=3, perfect_recall=False)
    strategy = random_strategy(definition, table, 7)
    judge, twin = BucketedJudge(definition, strategy), BoardByBoardJudge(definition, strategy)
    for flop in (0, len(judge.multiplicities) - 1):
        ours = judge.judge_flop(flop)
        np.testing.assert_allclose(ours, twin.judge_flop(flop)[:2], atol=1e-9)


def test_always_call_as_one_bucket_is_judged_as_always_call() -> None:
    definition = load_game("rhode-island")
    table = single_bucket_table(CardRounds.of(definition))
    strategy = random_strategy(definition, table, 0)
    for player in (0, 1):
        for values in strategy.layout.all_nodes(player, strategy.weights[player]):
            values[:] = 0.0
    for street_index, street in enumerate(strategy.layout.betting.streets):
        for node_index, node in enumerate(street.groups[0].shape.nodes):
            values = np.zeros((1, node.num_actions, street.num_lanes))
            values[:, int(node.has_fold)] = 1.0
            strategy.layout.set_node_values(
                strategy.weights[node.player], values, round_index=street_index, node_index=node_index
            )
    expected = finish(CardBlindJudge(definition, CheckedAgent(BASELINES["always-call"])))
    judged = finish(BucketedJudge(definition, strategy))
    assert judged.best_response_chips == pytest.approx(expected.best_response_chips, rel=1e-12)


@pytest.mark.slow
def test_flops_of_limit_holdem_are_worth_what_the_judge_of_card_blind_strategies_finds() -> None:
    definition = load_game("holdem.limit.2p")
    strategy = random_strategy(definition, single_bucket_table(CardRounds.of(definition)), 0, np.float32)
    for street_index, street in enumerate(strategy.layout.betting.streets):
        for node_index, node in enumerate(street.groups[0].shape.nodes):
            can_raise = node.num_actions > 1 + node.has_fold
            fold = [0.2] if node.has_fold else []
            call = 1.0 - sum(fold) - 0.3 * can_raise
            probabilities = [*fold, call, 0.3] if can_raise else [*fold, call]
            values = np.repeat(np.array(probabilities)[np.newaxis, :, np.newaxis], street.num_lanes, axis=2)
            strategy.layout.set_node_values(
                strategy.weights[node.player], values, round_index=street_index, node_index=node_index
            )
    blind = load_strategy("fold=0.2,call=0.5,raise=0.3", definition)
    judges: list[FlopJudge] = [BucketedJudge(definition, strategy), CardBlindJudge(definition, blind)]
    monotone = [flop for flop, stands_for in enumerate(judges[0].multiplicities) if stands_for == 4][::150]

    def on_some_flops(judge: FlopJudge) -> Exploitability:
        return judge.finish(np.sum([judge.judge_flop(flop, lambda: False) for flop in monotone], axis=0))

    found, expected = map(on_some_flops, judges)
    # Sums of a thousand hands in single precision.
    assert found.best_response_chips == pytest.approx(expected.best_response_chips, rel=1e-5)


def test_single_precision_is_enough() -> None:
    definition = load_game("leduc")
    table = random_table(CardRounds.of(definition), (2, 4), seed=1, perfect_recall=False)
    double, single = (random_strategy(definition, table, 5, dtype) for dtype in (np.float64, np.float32))
    expected, judged = finish(BucketedJudge(definition, double)), finish(BucketedJudge(definition, single))
    # A float32 has seven digits, and sums of a few hundred of them lose one.
    assert judged.exploitability_mbb == pytest.approx(expected.exploitability_mbb, rel=1e-5)


def test_a_bucketed_strategy_finds_its_judge() -> None:
    definition = load_game("leduc")
    table = random_table(CardRounds.of(definition), (2, 4), seed=1, perfect_recall=False)
    strategy = random_strategy(definition, table, 5)
    assert isinstance(build_judge(definition, CheckedAgent(strategy)), BucketedJudge)


def test_a_sample_of_flops_brackets_the_truth() -> None:
    definition = load_game("rhode-island")
    table = random_table(CardRounds.of(definition), (3, 5, 7), seed=1, perfect_recall=False)
    judge = BucketedJudge(definition, random_strategy(definition, table, 3, np.float32))
    whole = finish(judge).exploitability_mbb
    sample = FlopSample(judge, num_flops=12, seed=1)
    sums = total_over_flops(sample)
    assert sums.total.shape[0] == 12
    summary = sample.summarise(sums.total)
    assert summary.cross_fitted_mbb <= summary.plug_in_mbb == sample.finish(sums.total).exploitability_mbb
    low, high = summary.interval_mbb
    assert low <= whole <= high
    # Rhode Island hold'em has 13 flops of 4 cards each: 12 of them are nearly all.
    assert summary.plug_in_mbb == pytest.approx(whole, rel=0.05)


def test_a_sample_of_every_flop_is_the_truth() -> None:
    definition = load_game("rhode-island")
    table = random_table(CardRounds.of(definition), (3, 5, 7), seed=1, perfect_recall=False)
    judge = BucketedJudge(definition, random_strategy(definition, table, 5))
    # All 13 flops stand for four cards, so that equal steps hit each of them once.
    sample = FlopSample(judge, num_flops=13)
    assert sample.flops == list(range(13))
    sampled, whole = finish(sample), finish(judge)
    assert sampled.best_response_chips == pytest.approx(whole.best_response_chips, rel=1e-12)
    with pytest.raises(InputError, match="a sample has 4 to 13 of the 13 flops; got `14`"):
        FlopSample(judge, num_flops=14)
