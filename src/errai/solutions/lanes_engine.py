"""The lanes engine: limit games, no-limit games with a bet menu, spots of both; all of CFR without sampling."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import BettingState, initial_state
from errai.games.strategies import StrategyKind
from errai.passes.tree_values import root_value
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.solutions.engine import Arrays, Columns, Engine, Plan, time_iterations
from errai.solutions.game_kinds import PosedGame
from errai.solutions.lock_transfer import lock_strategy
from errai.solutions.machine_memory import return_freed_memory, verify_fits
from errai.solutions.method import Method
from errai.solutions.node_strategies import node_strategies
from errai.solutions.request import SolveRequest
from errai.solutions.tree_query import query_tree, state_probabilities
from errai.solutions.tree_tables import node_columns, node_rows
from errai.solvers.lane_solver import LaneSolver, Weights
from errai.trees.betting_size import count_betting_tree
from errai.trees.betting_tree import MAX_NODES
from errai.trees.lane_arrays import LaneArray
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.spot_tree import build_spot_tree
from errai.trees.tree_counts import count_game_hands, count_spot_hands, count_tree
from errai.trees.tree_memory import table_bytes, work_bytes

# Below so many infosets an iteration is over before a second thread has begun.
_LEAST_INFOSETS_FOR_THREADS = 100_000
_TIMED_ITERATIONS = 3
# Below so many decisions a spot's tree is built as quickly as its hands are counted.
_LEAST_DECISIONS_TO_COUNT = 2_000
_BYTES = {"float64": 8, "float32": 4, "uint16": 2}


class LanesEngine(Engine[PublicTree, Weights]):
    """Works on a `PublicTree`; a strategy is a pair of `LaneArray`s of weights, not normalised."""

    name = "lanes"

    def plan(self, request: SolveRequest) -> Plan[PublicTree]:
        game, method = request.posed, request.method
        if method.is_linear_program:
            raise InputError(
                f"the lanes engine runs variants of CFR; got `{method.algorithm}`", hint="use a variant of CFR"
            )
        if method.sampling is not None:
            raise InputError("the lanes engine does not sample", hint="use the flat engine")
        tree = _build_tree(game, method)
        return_freed_memory()
        is_whole = game.start is None or game.start.is_whole_game
        infosets, infoset_actions = tree.count_infosets(merged=is_whole)
        num_threads = request.resources.num_threads
        if num_threads is None:
            num_threads = (os.cpu_count() or 1) if tree.num_infosets >= _LEAST_INFOSETS_FOR_THREADS else 1
        return Plan(
            request=request,
            engine=self.name,
            num_infosets=infosets,
            num_infoset_actions=infoset_actions,
            num_merged_infosets=tree.num_infosets,
            num_merged_infoset_actions=tree.num_infoset_actions,
            memory_bytes=LaneSolver.estimate_memory_bytes(
                tree, variant=method.variant, with_average=method.with_average
            )
            + table_bytes(tree)
            + work_bytes(tree, num_threads=num_threads),
            num_threads=num_threads,
            size_hint=_size_hint(game),
            build_tree=lambda: tree,
        )

    def build(self, plan: Plan[PublicTree]) -> LaneSolver:
        method = plan.request.method
        return LaneSolver(
            plan.tree,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
            with_average=method.with_average,
            num_threads=plan.num_threads,
        )

    def estimate_iteration_seconds(self, plan: Plan[PublicTree]) -> float:
        """From a turn of limit hold'em, whose infosets are passed at much the same rate as those of other games."""
        turn = SolveRequest.of(
            Spot(load_game("holdem.limit.2p"), betting="rc/cc/", board="Ks8s3d7h"), num_threads=plan.num_threads
        )
        method = replace(plan.request.method, with_average=True)
        timed = self.plan(replace(turn, method=method))
        return (
            plan.num_merged_infosets / timed.num_merged_infosets * time_iterations(self.build(timed), _TIMED_ITERATIONS)
        )

    def state_shapes(self, plan: Plan[PublicTree]) -> Mapping[str, tuple[int, ...]]:
        method = plan.request.method
        return LaneSolver.state_shapes(plan.tree, variant=method.variant, with_average=method.with_average)

    def stored_strategy(self, plan: Plan[PublicTree], arrays: Arrays, strategy: StrategyKind) -> Weights:
        method = plan.request.method
        if strategy == "average" and not method.with_average:
            raise InputError("this solution keeps no average strategy", hint="ask for the `current` one")
        current = "weights" if method.variant.predictive else "regrets"
        name = "average" if strategy == "average" else current
        first, second = (
            LaneArray(arrays[f"{name}_{player}"], arrays.get(f"{name}_{player}_scales")) for player in (0, 1)
        )
        return first, second

    def best_responses(self, plan: Plan[PublicTree], strategy: Weights) -> Exploitability:
        return exploitability_lanes(plan.tree, strategy, num_threads=plan.num_threads)

    def value(self, plan: Plan[PublicTree], strategy: Weights) -> float:
        return root_value(plan.tree, strategy, 0, best_response=False, num_threads=plan.num_threads)

    def locked_strategy(self, plan: Plan[PublicTree], strategy: Weights, locked: Plan[PublicTree]) -> Weights:
        return lock_strategy(plan.tree, strategy, locked.tree)

    def query(
        self,
        plan: Plan[PublicTree],
        strategy: Weights,
        state: BettingState,
        board: tuple[int, ...],
        *,
        with_values: bool,
    ) -> StateReport:
        return query_tree(
            plan.tree,
            strategy,
            state=state,
            board=board,
            with_values=with_values,
            num_threads=plan.num_threads,
            start=plan.request.posed.start,
        )

    def probabilities(
        self, plan: Plan[PublicTree], strategy: Weights, state: BettingState, board: tuple[int, ...]
    ) -> NDArray[np.float64]:
        return state_probabilities(plan.tree, strategy, state, board)

    def infosets(self, plan: Plan[PublicTree], strategy: Weights, *, last_round: int | None) -> Iterator[InfosetRow]:
        nodes = node_strategies(plan.tree, strategy, last_round=last_round)
        return node_rows(plan.tree.definition, nodes)

    def columns(self, plan: Plan[PublicTree], strategy: Weights) -> Iterator[Columns]:
        return node_columns(plan.tree.definition, node_strategies(plan.tree, strategy))


def _build_tree(game: PosedGame, method: Method) -> PublicTree:
    definition, start = game.definition, game.start
    if definition is None:
        raise InputError(f"lanes need a poker game; `{game.name}` is a tree", hint="use the flat engine")
    if start is None and not definition.is_limit:
        raise InputError(f"`{definition.name}` is no-limit: lanes need a bet menu", hint="`--bets fcpa`")
    _verify_numbers_fit(game, definition, method)
    if start is None:
        return build_public_tree(definition, precision=method.precision)
    return build_spot_tree(start, precision=method.precision)


def _verify_numbers_fit(game: PosedGame, definition: GameDefinition, method: Method) -> None:
    """Refuse what cannot fit before the tree and its tables are built, which are a part of the memory and take long."""
    start = game.start
    if start is None:
        streets = count_betting_tree((initial_state(definition),), None, max_nodes=MAX_NODES)
    else:
        streets = count_betting_tree((start.root,), start.menu, dead_pot=start.dead_pot_chips, max_nodes=MAX_NODES)
    if start is None or start.root.round == 0:
        hands = count_game_hands(definition)
    elif sum(sum(street.nodes) for street in streets) < _LEAST_DECISIONS_TO_COUNT:
        return
    else:
        hands = count_spot_hands(definition, start.board_cards, start.weights, first_round=start.root.round)
    values = count_tree(streets, hands).infoset_actions * (1 + method.with_average)
    verify_fits(values * _BYTES[method.precision], hint=_size_hint(game))


def _size_hint(game: PosedGame) -> str:
    if game.start is not None and game.start.root.round > 0:
        return "`--measure current`, `--precision uint16` and narrower ranges take less"
    return "whole games are solved from disk: `--memory 4G --out DIR`; `errai plan GAME` says what that takes"
