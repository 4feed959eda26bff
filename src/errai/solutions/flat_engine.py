"""The flat engine: every game whose tree fits in memory. Sampling, linear programs, no-limit, games made in Python."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flat_best_response import expected_value_flat, exploitability_flat
from errai.games.library import load_game
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.solutions.engine import Arrays, Columns, Engine, Plan, Solver, time_iterations
from errai.solutions.flat_memory import form_bytes
from errai.solutions.flat_query import PublicStates, public_states
from errai.solutions.flat_tables import form_columns, form_rows
from errai.solutions.game_kinds import PosedGame, build_form
from errai.solutions.lock_transfer import lock_form_strategy
from errai.solutions.request import SolveRequest
from errai.solvers.flat_solver import FlatSolver
from errai.trees.betting_tree import build_betting_tree
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import count_form, count_spot_form
from errai.trees.sequence_form import Float64Array
from errai.trees.tree_counts import count_spot_hands, count_tree

_MOST_TIMED_INFOSETS = 100_000
_TIMED_ITERATIONS = 10
_COUNT_HINT = "`errai count GAME` shows where the size comes from"


class FlatEngine(Engine[ExtensiveForm, Float64Array]):
    """Works on an `ExtensiveForm`, in doubles; a strategy is a probability for each infoset-action."""

    name = "flat"

    def plan(self, request: SolveRequest) -> Plan[ExtensiveForm]:
        game, method = request.posed, request.method
        if method.precision != "float64":
            raise InputError(f"the flat engine computes with doubles; got `{method.precision}`", hint="use `float64`")
        own_infosets, own_actions, memory_bytes = _size_of(game)
        infosets, infoset_actions = _counted(game) or (own_infosets, own_actions)
        return Plan(
            request=request,
            engine=self.name,
            num_infosets=infosets,
            num_infoset_actions=infoset_actions,
            num_merged_infosets=own_infosets,
            num_merged_infoset_actions=own_actions,
            memory_bytes=memory_bytes,
            num_threads=1,
            size_hint=_COUNT_HINT,
            build_tree=lambda: build_form(game),
        )

    def build(self, plan: Plan[ExtensiveForm]) -> Solver[Float64Array]:
        method = plan.request.method
        if method.is_linear_program:
            # Imported here because it takes longer than all the rest together: a third of a second.
            from errai.solvers.linear_program_solver import LinearProgramSolver

            return LinearProgramSolver(plan.tree, algorithm=method.algorithm)
        return FlatSolver(
            plan.tree,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
            sampling=method.sampling,
            seed=method.seed,
        )

    def estimate_iteration_seconds(self, plan: Plan[ExtensiveForm]) -> float | None:
        """From the tree itself, or where that is large from a smaller one. Of a linear program there is no estimate."""
        if plan.request.method.is_linear_program:
            return None
        timed = plan
        if plan.num_merged_infosets > _MOST_TIMED_INFOSETS:
            reference = replace(load_game("leduc"), num_ranks=13)
            timed = self.plan(replace(plan.request, game=reference))
        seconds = time_iterations(self.build(timed), _TIMED_ITERATIONS)
        return seconds * plan.num_merged_infosets / timed.num_merged_infosets

    def state_shapes(self, plan: Plan[ExtensiveForm]) -> Mapping[str, tuple[int, ...]]:
        names = ("strategy",) if plan.request.method.is_linear_program else ("regrets", "strategy", "average")
        return dict.fromkeys(names, (plan.tree.num_actions,))

    def stored_strategy(self, plan: Plan[ExtensiveForm], arrays: Arrays, strategy: StrategyKind) -> Float64Array:
        if strategy == "current" or plan.request.method.is_linear_program:
            return arrays["strategy"]
        return plan.tree.normalize(arrays["average"])

    def best_responses(self, plan: Plan[ExtensiveForm], strategy: Float64Array) -> Exploitability:
        return exploitability_flat(plan.tree, strategy)

    def value(self, plan: Plan[ExtensiveForm], strategy: Float64Array) -> float:
        return expected_value_flat(plan.tree, strategy)

    def locked_strategy(
        self, plan: Plan[ExtensiveForm], strategy: Float64Array, locked: Plan[ExtensiveForm]
    ) -> Float64Array:
        game = locked.request.posed
        assert game.start is not None
        return lock_form_strategy(_public_states(plan), strategy, locked.tree, game.start)

    def query(
        self,
        plan: Plan[ExtensiveForm],
        strategy: Float64Array,
        state: BettingState,
        board: tuple[int, ...],
        *,
        with_values: bool,
    ) -> StateReport:
        return _public_states(plan).query(strategy, state, board, with_values=with_values)

    def probabilities(
        self, plan: Plan[ExtensiveForm], strategy: Float64Array, state: BettingState, board: tuple[int, ...]
    ) -> Float64Array:
        return _public_states(plan).probabilities(strategy, state, board)

    def infosets(
        self, plan: Plan[ExtensiveForm], strategy: Float64Array, *, last_round: int | None
    ) -> Iterator[InfosetRow]:
        return form_rows(plan.tree, strategy, last_round=last_round, is_poker=plan.request.posed.definition is not None)

    def columns(self, plan: Plan[ExtensiveForm], strategy: Float64Array) -> Iterator[Columns]:
        return form_columns(plan.tree, strategy, definition=plan.request.posed.definition)


def _size_of(game: PosedGame) -> tuple[int, int, int]:
    """Infosets, infoset-actions and bytes of a game's tree."""
    if game.form is not None:
        return game.form.num_infosets, game.form.num_actions, FlatSolver.estimate_memory_bytes(game.form)
    if game.start is not None:
        size = count_spot_form(game.start)
    else:
        assert game.definition is not None
        size = count_form(game.definition)
    return size.num_infosets, size.num_actions, form_bytes(size)


def _counted(game: PosedGame) -> tuple[int, int] | None:
    """Infosets and infoset-actions of a spot as `errai tree` counts them, boards that suits make equal once."""
    spot = game.start
    if spot is None or spot.is_whole_game:
        return None
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips)
    hands = count_spot_hands(spot.definition, spot.board_cards, spot.weights, first_round=spot.root.round)
    counts = count_tree(betting.streets, hands)
    return counts.infosets, counts.infoset_actions


def _public_states(plan: Plan[ExtensiveForm]) -> PublicStates:
    """Of the poker game, without which there are no public states to ask about."""
    game = plan.request.posed
    assert game.definition is not None
    return public_states(plan.tree, game.definition, game.start)
