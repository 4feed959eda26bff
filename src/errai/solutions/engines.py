"""Which engine solves what, and what it will take.

    lanes   limit poker games and their spots, all variants of CFR, without sampling; any number of threads
    flat    every game whose tree fits in memory: sampling, linear programs, no-limit, games made in Python; one thread

An engine is planned first, which says how much memory the solve will take, and built afterwards, which takes it.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from errai.errors import InputError, SizeError
from errai.games.definition import GameDefinition
from errai.games.sizes import count_sizes
from errai.games.spot import Spot
from errai.solutions.flat_memory import form_bytes
from errai.solutions.method import Method
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form, count_form
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.tree_memory import table_bytes, work_bytes

Game = GameDefinition | Spot | ExtensiveForm

# Below so many infosets an iteration is over before a second thread has begun.
_LEAST_INFOSETS_FOR_THREADS = 100_000
_COUNT_HINT = "`errai count GAME` shows where the size comes from"
_BYTES = {"float64": 8, "float32": 4, "uint16": 2}


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
    method: Method
    num_infosets: int
    memory_bytes: int
    build_judged: Callable[[], PublicTree | ExtensiveForm]
    solver_of: Callable[[Any], Solver]  # what `build_judged` gives
    shapes_of: Callable[[Any], Mapping[str, tuple[int, ...]]]  # of the solver's arrays, without taking their memory
    num_threads: int
    size_hint: str  # what to do where it does not fit

    @cached_property
    def judged(self) -> PublicTree | ExtensiveForm:
        """What the judge takes beside a strategy."""
        return self.build_judged()

    def build_solver(self) -> Solver:
        return self.solver_of(self.judged)

    @property
    def state_shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shapes of all arrays that are kept to go on later."""
        return self.shapes_of(self.judged)

    @property
    def available_bytes(self) -> int | None:
        """Memory that this machine can give; None where the system does not say."""
        return _available_bytes()

    def verify_fits(self) -> None:
        """Raise a `SizeError` where this machine has less memory than the solve takes."""
        _verify_fits(self.memory_bytes, self.size_hint)


def plan_engine(game: Game, method: Method, *, num_threads: int | None = None) -> Plan:
    """The engine that `method` names, or the best one for it; without `num_threads`, on all cores where that helps."""
    if num_threads is not None and num_threads < 1:
        raise InputError(f"`num_threads` must be at least 1; got `{num_threads}`")
    if isinstance(game, Spot) or method.engine == "lanes":
        return _plan_lanes(game, method, num_threads)
    if method.engine == "auto" and _has_lanes(game, method):
        try:
            return _plan_lanes(game, method, num_threads)
        except InputError:
            pass  # stacks that end the betting early, or a board in the first round: the flat engine plays both
    return _plan_flat(game, method)


def _has_lanes(game: Game, method: Method) -> bool:
    return (
        isinstance(game, GameDefinition) and game.is_limit and method.sampling is None and not method.is_linear_program
    )


def _plan_lanes(game: Game, method: Method, num_threads: int | None) -> Plan:
    if isinstance(game, ExtensiveForm):
        raise InputError(f"lanes need a limit poker game; `{game.name}` is a tree", hint="use the flat engine")
    if method.engine == "flat" or method.is_linear_program:
        asked = f"`{method.algorithm}`" if method.is_linear_program else "the flat engine"
        raise InputError(f"a spot is solved by the lanes engine; got {asked}", hint="`dcfr+` is the default for spots")
    if method.sampling is not None:
        raise InputError("the lanes engine does not sample", hint="use the flat engine")
    tree = _build_tree(game, method)
    if num_threads is None:
        num_threads = (os.cpu_count() or 1) if tree.num_infosets >= _LEAST_INFOSETS_FOR_THREADS else 1
    return Plan(
        engine="lanes",
        method=method,
        num_infosets=tree.num_infosets,
        memory_bytes=LaneSolver.estimate_memory_bytes(tree, variant=method.variant, with_average=method.with_average)
        + table_bytes(tree)
        + work_bytes(tree, num_threads=num_threads),
        build_judged=lambda: tree,
        solver_of=partial(
            LaneSolver,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
            with_average=method.with_average,
            num_threads=num_threads,
        ),
        shapes_of=partial(LaneSolver.state_shapes, variant=method.variant, with_average=method.with_average),
        num_threads=num_threads,
        size_hint=_size_hint(game),
    )


def _build_tree(game: GameDefinition | Spot, method: Method) -> PublicTree:
    definition = game.definition if isinstance(game, Spot) else game
    if not isinstance(game, Spot) or game.root.round == 0:
        # The tables of the tree are a part of what it takes, so what cannot fit must be known before they are made.
        values = count_sizes(definition).total.canonical_infoset_actions * (1 + method.with_average)
        _verify_fits(values * _BYTES[method.precision], _size_hint(game))
    if not isinstance(game, Spot):
        return build_public_tree(definition, precision=method.precision)
    return build_public_tree(
        definition, root=game.root, board=game.board_cards, ranges=game.weights, precision=method.precision
    )


def _plan_flat(game: GameDefinition | ExtensiveForm, method: Method) -> Plan:
    if method.precision != "float64":
        raise InputError(f"the flat engine computes with doubles; got `{method.precision}`", hint="use `float64`")
    solver_of: Callable[[Any], Solver]
    if method.is_linear_program:
        # Imported here because it takes longer than all the rest together: a third of a second.
        from errai.solvers.linear_program_solver import LinearProgramSolver

        solver_of = partial(LinearProgramSolver, algorithm=method.algorithm)
    else:
        solver_of = partial(
            FlatSolver,
            variant=method.variant,
            updates=method.updates,
            averaging_delay=method.averaging_delay,
            planned_iterations=method.planned_iterations,
            sampling=method.sampling,
            seed=method.seed,
        )
    if isinstance(game, ExtensiveForm):
        num_infosets, memory_bytes = game.num_infosets, FlatSolver.estimate_memory_bytes(game)
    else:
        size = count_form(game)
        num_infosets, memory_bytes = size.num_infosets, form_bytes(size)
    return Plan(
        engine="flat",
        method=method,
        num_infosets=num_infosets,
        memory_bytes=memory_bytes,
        build_judged=lambda: build_extensive_form(game) if isinstance(game, GameDefinition) else game,
        solver_of=solver_of,
        shapes_of=lambda form: {name: array.shape for name, array in solver_of(form).state_arrays().items()},
        num_threads=1,
        size_hint=_COUNT_HINT,
    )


def _size_hint(game: GameDefinition | Spot) -> str:
    if isinstance(game, Spot) and game.root.round > 0:
        return "`--measure current`, `--precision uint16` and narrower ranges take less"
    return "whole games are solved from disk: `--memory 4G --out DIR`; `errai plan GAME` says what that takes"


def _verify_fits(memory_bytes: int, hint: str) -> None:
    available = _available_bytes()
    if available is not None and memory_bytes > available:
        raise SizeError(
            f"the solve takes {memory_bytes / 1e9:,.1f} GB of memory; this machine can give {available / 1e9:,.1f} GB",
            hint=hint,
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
