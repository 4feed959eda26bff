"""Abstract games: how fast they are solved and judged. Buckets are drawn, since only their number matters for speed."""

from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import BucketTable, RoundBuckets
from errai.abstraction.card_rounds import CardRounds
from errai.bench.rates import items_per_second
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import initial_state
from errai.reports.bench_report import Figures
from errai.solvers.dense_solver import DenseSolver
from errai.solvers.sampled_bucket_solver import SampledBucketSolver
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import build_betting_tree, build_betting_trees
from errai.trees.bucket_layout import BucketLayout
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.joint_tree import build_joint_tree
from errai.trees.sampled_boards import SampledBoards, infosets_per_board

_BOARDS = 50  # of an iteration, which discounts all regrets once
_DENSE_BUCKETS = 10_000  # of the last round of `pr-10`
_DENSE_LANES = 16  # of its 567
_DRAWN_LABELS = 1 << 20


def measure_sampled_boards() -> Figures:
    """Limit hold'em on drawn boards with 570 and with 9,000 buckets per round, the trees of the boards included."""
    game = load_game("holdem.limit.2p")
    betting = build_betting_tree(initial_state(game))
    figures: Figures = {}
    for buckets in (570, 9_000):
        boards = SampledBoards(game, betting, _drawn_table(game, (169, buckets, buckets, buckets)))
        solver = SampledBucketSolver(boards, variant=find_variant("lcfr"), boards_per_iteration=_BOARDS)
        infosets = _BOARDS * infosets_per_board(game, betting)
        rate = items_per_second(partial(solver.run, 1), infosets, repeats=2)
        figures[f"hand_infosets_per_second_per_core_{buckets}_buckets"] = rate
    return figures


def measure_dense() -> Figures:
    """A river of limit hold'em, 16 lanes and 10,000 buckets: an early iteration, where little is skipped.

    Operations are those of products with all buckets; buckets that do not reach an ending are skipped.
    """
    game = load_game("holdem.limit.2p")
    whole = build_betting_tree(initial_state(game))
    betting = build_betting_trees(whole.streets[-1].groups[0].starts[:_DENSE_LANES])
    random = np.random.default_rng(0)
    weight = random.integers(1, 100, size=(_DENSE_BUCKETS, _DENSE_BUCKETS), dtype=np.int16)
    edge = (weight * np.sign(np.arange(_DENSE_BUCKETS)[:, None] - np.arange(_DENSE_BUCKETS))).astype(np.int16)
    tree = build_joint_tree(game, betting, _DrawnPairs((_DENSE_BUCKETS,), (), weight, edge))
    solver = DenseSolver(tree, variant=find_variant("dcfr+"))
    solver.run(1)
    rate = items_per_second(lambda: solver.run(1), tree.layout.num_infosets, repeats=2)
    (street,) = betting.streets
    operations = 4 * _DENSE_BUCKETS**2 * street.num_lanes * len(street.groups[0].shape.ends)
    return {
        "infosets_per_second_per_core": rate,
        "operations_per_second_per_core": operations * rate / tree.layout.num_infosets,
    }


def measure_bucketed_judge() -> Figures:
    """The exact judge of a bucketed strategy: all of `flop-holdem`; limit hold'em, from one turn of a flop."""
    flop_holdem, holdem = load_game("flop-holdem"), load_game("holdem.limit.2p")
    judge = _judge(flop_holdem, (169, 9_000))
    started = process_time()
    for flop in range(len(judge.multiplicities)):
        judge.judge_flop(flop)
    flop_holdem_seconds = process_time() - started
    judge = _judge(holdem, (169, 9_000, 9_000, 9_000))
    started, on_clock = process_time(), perf_counter()
    cost = judge.estimate_cost(num_threads=1)
    # The estimate is in time on the clock, in which other programs have their share of a core.
    own_share = (process_time() - started) / (perf_counter() - on_clock)
    return {
        "flop_holdem_core_seconds": flop_holdem_seconds,
        "limit_holdem_core_hours": cost.seconds * own_share / 3600,
    }


@dataclass(frozen=True)
class _DrawnPairs:
    counts: tuple[int, ...]
    parents: tuple[NDArray[np.int32], ...]
    weight: NDArray[np.int16]
    edge: NDArray[np.int16]


def _judge(game: GameDefinition, counts: tuple[int, ...]) -> BucketedJudge:
    layout = BucketLayout(build_betting_tree(initial_state(game)), counts)
    random = np.random.default_rng(0)
    first, second = (
        tuple(np.resize(random.random(_DRAWN_LABELS, dtype=np.float32), size) for size in layout.sizes(player))
        for player in (0, 1)
    )
    return BucketedJudge(game, BucketedStrategy(layout, _drawn_table(game, counts), (first, second)))


def _drawn_table(game: GameDefinition, counts: tuple[int, ...]) -> BucketTable:
    cards = CardRounds.of(game)
    random = np.random.default_rng(0)
    rounds = []
    for index, count in enumerate(counts):
        drawn = random.integers(count, size=_DRAWN_LABELS).astype(np.uint16)
        labels = np.resize(drawn, cards.num_hands(cards.unordered(index)))
        rounds.append(RoundBuckets(count, cards.unordered(index), labels))
    return BucketTable("drawn", cards, False, tuple(rounds))
