"""The measurements of `errai bench`, one function each.

A rate is for one core, in processor time, and the best of several runs, since other work on the machine can only make
a run slower. Beside it stands the rate of a plainer form of the same work: one lane instead of many, NumPy over pairs
of hands, one call per hand. Ratios of one run can be compared between machines; rates cannot.
"""

import platform
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels, level
from errai.agents.loading import load_agent
from errai.bench.abstract_games import measure_bucketed_judge, measure_dense, measure_sampled_boards
from errai.bench.codec import measure_codec
from errai.bench.rates import items_per_second
from errai.bench.signature import result_signature
from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.cards.isomorphism import HandIndexer
from errai.cards.strength import board_strengths, hand_strengths
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState, Fold, initial_state
from errai.play.bet_sets import parse_bets
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from errai.reports.bench_report import BenchReport, Figures
from errai.solutions.solve import solve
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.betting_tree import build_betting_tree, build_betting_trees
from errai.trees.public_tree import Precision, PublicTree, build_public_tree
from errai.workers.local_runner import LocalRunner
from errai.workers.pools import map_in_order

_DECK = Deck(13, 4)
_RIVER_BETTING = "rc/cc/cc/"
_RIVER = "Td9d6hQc2s"
_TURN = "Td9d6hQc"
_SEVEN_CARDS = (2, 3, 1, 1)
_LANES = 16  # in the measurement of terminals


def measure_lanes() -> Figures:
    """CFR+ on a river with all 567 betting sequences, regrets as 16 bits, one pass per player."""
    game = load_game("holdem.limit.2p")
    river = _river_tree(game, _starts_of_round(game, 3))
    one_lane = _river_tree(game, [parse_betting(game, _RIVER_BETTING)])
    rate = _lane_rate(river)
    return {
        "infosets_per_second_per_core": rate,
        "ratio_to_one_lane": rate / _lane_rate(one_lane),
        "ratio_of_two_cores_to_one": _two_core_ratio(river),
    }


def measure_turn_lanes() -> Figures:
    """The same on a turn spot, whose rivers have nine lanes."""
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/")
    tree = build_public_tree(game, betting=build_betting_tree(root), board=game.deck.parse(_TURN), precision="uint16")
    return {"infosets_per_second_per_core": _lane_rate(tree, repeats=4)}


def measure_terminals() -> Figures:
    """All hands' showdowns and folds on a river, 16 lanes at once, against a NumPy product over pairs of hands."""
    game = load_game("holdem.limit.2p")
    tree = _river_tree(game, [parse_betting(game, _RIVER_BETTING)], precision="float32")
    board = tree.rounds[-1].boards[0]
    held = board.hands[0]
    show = np.random.default_rng(0).random((held.num_hands, _LANES)).astype(np.float32)
    fold, chips = np.zeros_like(show), np.ones(_LANES, dtype=np.float32)
    strengths = board_strengths(_DECK, np.array(board.cards, dtype=np.uint8))[held.raw_hands].astype(np.int64)
    cards = hands(_DECK, 2)[held.raw_hands]
    shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    outcomes = (np.sign(strengths[:, None] - strengths) * ~shares).astype(np.float32)
    values = held.num_hands * _LANES

    def evaluate() -> None:
        kernels.evaluate_endings(tree.native, 0, "showdown", fold, show.copy(), chips, chips)

    rate = items_per_second(lambda: _times(50, evaluate), 50 * values, repeats=5)
    plain = items_per_second(lambda: outcomes @ show, values, repeats=5)
    return {"values_per_second_per_core": rate, "ratio_to_numpy": rate / plain}


def measure_strength() -> Figures:
    """Random seven-card hands from one array, against one call per hand."""
    cards = _random_hands(1_000_000)
    rate = items_per_second(lambda: _strengths(cards), len(cards), repeats=5)
    few = cards[:2_000]
    calls = items_per_second(
        lambda: [hand_strengths(_DECK, few[i : i + 1]) for i in range(len(few))], len(few), repeats=3
    )
    return {"hands_per_second_per_core": rate, "ratio_to_single_calls": rate / calls}


def measure_index() -> Figures:
    """Numbers of random hands up to a relabelling of suits, two, three, one and one card, against one call per hand."""
    indexer = HandIndexer(_DECK, _SEVEN_CARDS)
    cards = _random_hands(500_000)
    rate = items_per_second(lambda: indexer.index(cards), len(cards), repeats=5)
    return {"hands_per_second_per_core": rate, "ratio_to_single_calls": rate / _rate_of_calls(indexer.index, cards)}


def measure_unindex() -> Figures:
    """The hands of random numbers, against one call per hand."""
    indexer = HandIndexer(_DECK, _SEVEN_CARDS)
    numbers = np.random.default_rng(0).integers(0, indexer.size(3), 500_000).astype(np.uint64)
    rate = items_per_second(lambda: indexer.unindex(numbers, 3), len(numbers), repeats=5)
    calls = _rate_of_calls(lambda number: indexer.unindex(number, 3), numbers)
    return {"hands_per_second_per_core": rate, "ratio_to_single_calls": rate / calls}


def measure_turn_to_a_tenth_of_a_chip() -> Figures:
    """A turn spot, pot 40, both ranges random, to an exploitability of 0.1 chip on one core."""
    return _solve_turn(target_mbb=10, num_threads=1)


def measure_turn_to_1_mbb() -> Figures:
    """The same spot to 1 mbb/g on all cores."""
    return _solve_turn(target_mbb=1, num_threads=None)


def measure_lbr() -> Figures:
    """Hands per second of local best response against always-call, on all cores."""
    return {
        "fcpa_rounds_3_4_hands_per_second": _lbr_rate("fcpa", {2, 3}, num_deals=6_000),
        "56bets_rounds_1_4_hands_per_second": _lbr_rate("56bets", {0, 1, 2, 3}, num_deals=400),
    }


MEASUREMENTS: dict[str, Callable[[], Figures]] = {
    "lanes": measure_lanes,
    "turn_lanes": measure_turn_lanes,
    "terminals": measure_terminals,
    "codec": measure_codec,
    "strength": measure_strength,
    "index": measure_index,
    "unindex": measure_unindex,
    "turn_to_0.1_chip": measure_turn_to_a_tenth_of_a_chip,
    "turn_to_1_mbb": measure_turn_to_1_mbb,
    "lbr": measure_lbr,
    "sampled_boards": measure_sampled_boards,
    "dense": measure_dense,
    "bucketed_judge": measure_bucketed_judge,
}


def verify_measurements(names: Sequence[str]) -> None:
    """Raise an `InputError` if there is no measurement of one of these names."""
    for name in names:
        if name not in MEASUREMENTS:
            raise InputError(
                f"there is no measurement `{name}`", hint=f"the measurements are {', '.join(MEASUREMENTS)}"
            )


def measure(names: Sequence[str], *, on_start: Callable[[str], None]) -> BenchReport:
    """Make the measurements of these names, or all of them, and compute the signature; report each as it starts."""
    figures: dict[str, Figures] = {}
    for name in names or MEASUREMENTS:
        on_start(name)
        figures[name] = MEASUREMENTS[name]()
    return BenchReport(
        figures=figures,
        signature=result_signature(),
        processor=platform.processor() or platform.machine(),
        native_level=level,
    )


def _strengths(cards: NDArray[np.uint8]) -> object:
    return hand_strengths(_DECK, cards)


def _rate_of_calls(work: Callable[[NDArray[Any]], object], rows: NDArray[Any]) -> float:
    """Rows per second with one call for each."""
    few = rows[:2_000]
    return items_per_second(lambda: [work(few[i : i + 1]) for i in range(len(few))], len(few), repeats=3)


def _times(count: int, work: Callable[[], None]) -> None:
    for _ in range(count):
        work()


def _random_hands(count: int) -> NDArray[np.uint8]:
    """Seven different cards per row."""
    keys = np.random.default_rng(0).random((count, _DECK.size), dtype=np.float32)
    return np.ascontiguousarray(np.argpartition(keys, 7, axis=1)[:, :7].astype(np.uint8))


def _starts_of_round(game: GameDefinition, round_: int) -> list[BettingState]:
    """Every way in which the betting can come to the start of a round."""
    states, starts = [initial_state(game)], []
    while states:
        state = states.pop()
        if state.round == round_:
            starts.append(state)
            continue
        states += [
            after
            for action in state.legal_actions()
            if not isinstance(action, Fold) and not (after := state.apply(action)).is_terminal
        ]
    return starts


def _river_tree(game: GameDefinition, lanes: list[BettingState], precision: Precision = "uint16") -> PublicTree:
    board = game.deck.parse(_RIVER)
    return build_public_tree(game, betting=build_betting_trees(tuple(lanes)), board=board, precision=precision)


def _lane_solver(tree: PublicTree) -> LaneSolver:
    solver = LaneSolver(tree, variant=find_variant("cfr+"), with_average=False)
    solver.run(3)  # uniform strategies and untouched memory are not representative
    return solver


def _lane_rate(tree: PublicTree, *, repeats: int = 8) -> float:
    solver = _lane_solver(tree)
    return items_per_second(lambda: solver.run(2), 2 * tree.num_infosets, repeats=repeats)


def _two_core_ratio(tree: PublicTree) -> float:
    """Two boards on two threads against one on one, in time on the clock."""
    solvers = [_lane_solver(tree), _lane_solver(tree)]

    def seconds(count: int) -> float:
        started = perf_counter()
        for _ in map_in_order(lambda solver: solver.run(10), solvers[:count], num_threads=count, max_ahead=count):
            pass
        return perf_counter() - started

    return max(2 * seconds(1) / seconds(2) for _ in range(3))


def _solve_turn(*, target_mbb: float, num_threads: int | None) -> Figures:
    solution = solve(
        "holdem.limit.2p",
        board=_TURN,
        betting="rc/cc/",
        range_bb="random",
        range_dealer="random",
        target_mbb=target_mbb,
        num_threads=num_threads,
    )
    return {
        "seconds": solution.seconds + solution.measuring_seconds,
        "iterations": solution.iteration,
        "exploitability_mbb": solution.trace[-1].of(solution.goal.strategy),
        "memory_bytes": solution.plan.memory_bytes,
    }


def _lbr_rate(bets: str, rounds: set[int], *, num_deals: int) -> float:
    game = load_game("holdem.nolimit.2p")
    response = LocalBestResponse(game, parse_bets(bets), frozenset(rounds))
    goal = RunGoal(num_deals, seed=1, estimator=Estimator.AIVAT)
    started = perf_counter()
    make_agent = partial(load_agent, "always-call", game)
    run_local_best_response(response, make_agent, goal, run=LocalRunner().run)
    return 2 * num_deals / (perf_counter() - started)
