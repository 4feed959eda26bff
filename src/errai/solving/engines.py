"""Which engine solves what, and what it will take.

    lanes   limit poker games, all variants of CFR, without sampling
    flat    every game whose tree fits in memory: sampling, linear programs, no-limit, games made in Python

An engine is planned first, which says how much memory the solve will take, and built afterwards, which takes it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError, SizeError
from errai.games import GameDefinition, count_sizes
from errai.games.extensive_form import ExtensiveForm
from errai.games.poker_form import build_extensive_form
from errai.games.public_tree import PublicTree, build_public_tree
from errai.solvers.flat import FlatSolver
from errai.solvers.lanes import LaneSolver
from errai.solving.method import Method

Game = GameDefinition | ExtensiveForm
Strategy = NDArray[np.float64] | tuple[NDArray[Any], NDArray[Any]]


class Solver(Protocol):
    """What every engine's solver can do."""

    @property
    def iteration(self) -> int: ...

    def run(self, iterations: int) -> None: ...

    def average_strategy(self) -> Any: ...

    def current_strategy(self) -> Any: ...

    def state_arrays(self) -> dict[str, NDArray[Any]]: ...

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None: ...


@dataclass(frozen=True)
class Plan:
    """An engine that can be built."""

    engine: str
    num_infosets: int
    memory_bytes: int
    judged: PublicTree | ExtensiveForm  # what the judge takes beside a strategy
    build_solver: Callable[[], Solver]

    def verify_fits(self) -> None:
        """Raise a `SizeError` where this machine has less memory than the solve takes."""
        _verify_fits(self.memory_bytes)


def plan_engine(game: Game, method: Method) -> Plan:
    """The engine that `method` names, or the best one for it."""
    if method.engine == "lanes":
        return _plan_lanes(game, method)
    if method.engine == "auto" and _has_lanes(game, method):
        try:
            return _plan_lanes(game, method)
        except InputError:
            pass  # stacks that end the betting early: the flat engine knows all-ins
    return _plan_flat(game, method)


def _has_lanes(game: Game, method: Method) -> bool:
    return (
        isinstance(game, GameDefinition) and game.is_limit and method.sampling is None and not method.is_linear_program
    )


def _plan_lanes(game: Game, method: Method) -> Plan:
    if not isinstance(game, GameDefinition):
        raise InputError(f"lanes need a limit poker game; `{game.name}` is a tree", hint="use the flat engine")
    if method.sampling is not None:
        raise InputError("the lanes engine does not sample", hint="use the flat engine")
    # The tables of the tree are a part of what it takes, so what cannot fit must be known before they are made.
    _verify_fits(count_sizes(game).total.canonical_infoset_actions * 2 * np.dtype(np.float64).itemsize)
    tree = build_public_tree(game)
    return Plan(
        engine="lanes",
        num_infosets=tree.num_infosets,
        memory_bytes=LaneSolver.estimate_memory_bytes(tree, variant=method.variant),
        judged=tree,
        build_solver=partial(
            LaneSolver,
            tree,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
        ),
    )


def _plan_flat(game: Game, method: Method) -> Plan:
    form = build_extensive_form(game) if isinstance(game, GameDefinition) else game
    if method.is_linear_program:
        # Imported here because it takes longer than all the rest together: a third of a second.
        from errai.solving.linear_program import LinearProgramSolver

        return Plan(
            engine="flat",
            num_infosets=form.num_infosets,
            memory_bytes=FlatSolver.estimate_memory_bytes(form),
            judged=form,
            build_solver=partial(LinearProgramSolver, form, algorithm=method.algorithm),
        )
    return Plan(
        engine="flat",
        num_infosets=form.num_infosets,
        memory_bytes=FlatSolver.estimate_memory_bytes(form),
        judged=form,
        build_solver=partial(
            FlatSolver,
            form,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
            sampling=method.sampling,
            seed=method.seed,
        ),
    )


def _verify_fits(memory_bytes: int) -> None:
    available = _available_bytes()
    if available is not None and memory_bytes > available:
        raise SizeError(
            f"the solve takes {memory_bytes / 1e9:,.1f} GB of memory; this machine can give {available / 1e9:,.1f} GB",
            hint="`errai count GAME` shows where the size comes from",
        )


def _available_bytes() -> int | None:
    """Memory that can be taken without swapping; None where the system does not say."""
    meminfo = Path("/proc/meminfo")
    if not meminfo.exists():
        return None
    for line in meminfo.read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None
