"""The contract of an engine: it plans a solve, builds its solver, judges strategies and answers questions about them.

A solve is planned first, which says how much memory it takes, and built afterwards, which takes it. An engine knows two
types of its own: the tree that it works on, and the layout of a strategy on that tree.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.evaluate.exploitability import Exploitability
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.solutions.request import SolveRequest

Tree = TypeVar("Tree")
Strategy = TypeVar("Strategy")
StrategyOut = TypeVar("StrategyOut", covariant=True)
Columns = dict[str, NDArray[Any]]
Arrays = Mapping[str, NDArray[Any]]


class Solver(Protocol[StrategyOut]):
    """What every engine's solver can do."""

    @property
    def iteration(self) -> int: ...

    def run(self, iterations: int) -> None: ...

    def average_strategy(self) -> StrategyOut: ...

    def current_strategy(self) -> StrategyOut: ...

    def state_arrays(self) -> dict[str, NDArray[Any]]: ...

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None: ...


@dataclass(frozen=True)
class Plan(Generic[Tree]):
    """A solve that can be built."""

    request: SolveRequest
    engine: str
    num_infosets: int  # of the game, as `errai tree` counts them
    num_infoset_actions: int
    num_merged_infosets: int  # that the engine keeps: those that a relabelling of suits makes equal may be kept once
    num_merged_infoset_actions: int
    memory_bytes: int
    num_threads: int
    size_hint: str  # what to do where it does not fit
    build_tree: Callable[[], Tree]

    @cached_property
    def tree(self) -> Tree:
        """The tree that solvers and judges work on, built when it is first asked for."""
        return self.build_tree()


class Engine(ABC, Generic[Tree, Strategy]):
    """One way to solve games. `errai.solutions.engines` finds an engine by its name."""

    name: str

    @abstractmethod
    def plan(self, request: SolveRequest) -> Plan[Tree]:
        """The size of a solve; an `InputError` where this engine cannot run it."""

    @abstractmethod
    def build(self, plan: Plan[Tree]) -> Solver[Strategy]:
        """The solver; this takes the memory."""

    @abstractmethod
    def estimate_iteration_seconds(self, plan: Plan[Tree]) -> float | None:
        """The time of one iteration from a short run of this engine; None where there is no estimate."""

    @abstractmethod
    def state_shapes(self, plan: Plan[Tree]) -> Mapping[str, tuple[int, ...]]:
        """The shapes of all arrays that a solver keeps, known without their memory."""

    @abstractmethod
    def stored_strategy(self, plan: Plan[Tree], arrays: Arrays, strategy: StrategyKind) -> Strategy:
        """A strategy over the arrays that a solver kept, without building a solver."""

    @abstractmethod
    def best_responses(self, plan: Plan[Tree], strategy: Strategy) -> Exploitability:
        """The exact exploitability, without the strategy's own value, which is a pass more."""

    @abstractmethod
    def value(self, plan: Plan[Tree], strategy: Strategy) -> float:
        """What player 0 gets when both play the strategy, in chips."""

    @abstractmethod
    def locked_strategy(self, plan: Plan[Tree], strategy: Strategy, locked: Plan[Tree]) -> Strategy:
        """A strategy with the locks of another plan, whose spot has them and is the same otherwise."""

    @abstractmethod
    def query(
        self, plan: Plan[Tree], strategy: Strategy, state: BettingState, board: tuple[int, ...], *, with_values: bool
    ) -> StateReport:
        """The strategy at one public state of a poker game."""

    @abstractmethod
    def probabilities(
        self, plan: Plan[Tree], strategy: Strategy, state: BettingState, board: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """[hand][action] of the player to act at a public state; NaN where a hand is not possible."""

    @abstractmethod
    def infosets(self, plan: Plan[Tree], strategy: Strategy, *, last_round: int | None) -> Iterator[InfosetRow]:
        """The strategy, one row per infoset, up to the given round."""

    @abstractmethod
    def columns(self, plan: Plan[Tree], strategy: Strategy) -> Iterator[Columns]:
        """The whole strategy as chunks of a table."""


def time_iterations(solver: Solver[object], iterations: int) -> float:
    """Seconds per iteration, after a first one that also takes the memory."""
    solver.run(1)
    started = perf_counter()
    solver.run(iterations)
    return (perf_counter() - started) / iterations
