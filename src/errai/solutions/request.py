"""What a solve is asked for: the game, the method, the goal, and the resources it may take.

`SolveOptions` names every option once, for callers that write them as keywords; `SolveRequest.of` groups them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from errai.cards.ranges import format_range
from errai.errors import InputError, real_number, whole_number
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.solutions.defaults import default_method
from errai.solutions.efg_file import is_efg, read_efg
from errai.solutions.game_kinds import Game, PosedGame, pose
from errai.solutions.method import Goal, Method, is_linear_program
from errai.solvers.flat_solver import Sampling, Updates
from errai.solvers.variants import Variant
from errai.trees.public_tree import Precision

Range = str | NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What a solve may take; None leaves it to the machine. No result depends on it."""

    num_threads: int | None = None
    memory_bytes: int | None = None  # of a whole game that is solved from disk
    cluster: str | None = None  # the address of a Ray cluster that solves a whole game from disk

    def __post_init__(self) -> None:
        for name in ("num_threads", "memory_bytes"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole_number(name, getattr(self, name), least=1))


class SpotOptions(TypedDict, total=False):
    """The options that make a spot of a poker game."""

    board: str | None
    betting: str | None
    range_bb: Range | None
    range_dealer: Range | None
    pot: int | None
    stack: int | None
    bets: str | None
    rake: str | None
    locks: str | Sequence[str] | None


class SolveOptions(SpotOptions, total=False):
    """Every option of a solve in memory; those left out take their defaults."""

    algorithm: str | Variant | None
    engine: str
    updates: Updates
    averaging_delay: int
    alpha: float | None
    beta: float | None
    gamma: float | None
    sampling: Sampling | None
    seed: int
    precision: Precision | None
    iterations: int | None
    target_mbb: float | None
    target_pot_percent: float | None
    strategy: StrategyKind
    measure_every: int | None
    num_threads: int | None


_SPOT_NAMES = frozenset(field.name for field in fields(Spot)) - {"definition"}
_GOAL_NAMES = frozenset(field.name for field in fields(Goal))
_RESOURCE_NAMES = frozenset(field.name for field in fields(Resources))


@dataclass(frozen=True)
class SolveRequest:
    """One solve, as it was asked for."""

    game: Game
    method: Method
    goal: Goal
    resources: Resources = Resources()

    @property
    def posed(self) -> PosedGame:
        """The game as engines see it."""
        return pose(self.game)

    @classmethod
    def of(cls, game: str | Game, **options: Unpack[SolveOptions]) -> Self:
        """The request that options make, named as in `SolveOptions`.

        `game` is a bundled game's name or the path of a `.game` or `.efg` file, a definition, a spot, or the tree of a
        game made in Python. With `board`, `betting` or a range it is that spot of a limit game.
        """
        unknown = options.keys() - SolveOptions.__annotations__.keys()
        if unknown:
            raise TypeError(f"a solve has no option `{min(unknown)}`")
        given: dict[str, Any] = dict(options)
        goal_options = _taken(given, _GOAL_NAMES)
        resources = Resources(**_taken(given, _RESOURCE_NAMES))
        target_percent = given.pop("target_pot_percent", None)
        game = _make_spot(_load(game) if isinstance(game, str) else game, _taken(given, _SPOT_NAMES))
        if target_percent is not None:
            if goal_options.get("target_mbb") is not None:
                raise InputError("a solve has one target; got one in mbb and one in percent of the pot")
            goal_options["target_mbb"] = pot_target_mbb(pose(game).start, target_percent)
        goal = Goal(**goal_options)
        method = _make_method(pose(game), goal, given)
        _verify_average_begins(method, goal)
        return cls(game, method, replace(goal, iterations=1) if method.is_linear_program else goal, resources)


def _load(game: str) -> Game:
    return read_efg(game) if is_efg(game) else load_game(game)


def pot_target_mbb(spot: Spot | None, percent: float) -> float:
    """An exploitability in percent of the pot of a spot, in mbb."""
    if spot is None:
        raise InputError(
            "a target in percent of the pot is for spots; got a whole game", hint="give the target in mbb: `--target 1`"
        )
    percent = real_number("target_pot_percent", percent)
    if not (isfinite(percent) and percent > 0):
        raise InputError(f"`target_pot_percent` must be a positive number; got `{percent}`", hint="`--target-pot 0.5`")
    return percent / 100 * spot.pot_chips * 1000 / spot.definition.unit_chips


def _taken(options: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Take the named options out of `options`."""
    return {name: options.pop(name) for name in names & options.keys()}


def _make_method(game: PosedGame, goal: Goal, options: dict[str, Any]) -> Method:
    named = options.pop("algorithm", None)
    custom = named if isinstance(named, Variant) else None
    defaults = default_method(
        game,
        engine=options.get("engine", Method.engine),
        sampling=options.get("sampling"),
        algorithm=named if custom is None else custom.name,
    )
    if defaults.exponents is not None:
        for name, value in asdict(defaults.exponents).items():
            if options.get(name) is None:
                options[name] = value
    is_exact = custom is None and is_linear_program(defaults.algorithm)
    precision = options.pop("precision", None) or ("float64" if is_exact else defaults.precision)
    return Method(
        algorithm=defaults.algorithm,
        custom=custom,
        precision=precision,
        planned_iterations=goal.iterations,
        with_average=game.start is None or goal.strategy == "average",
        **options,
    )


def _verify_average_begins(method: Method, goal: Goal) -> None:
    last, delay = goal.iterations, method.averaging_delay
    if goal.strategy == "average" and last is not None and last <= delay:
        raise InputError(
            f"no iteration would be in the average: it begins after iteration {delay:,}, and {last:,} is the last one",
            hint=f"`--averaging-delay {last // 2}`, or `--measure current` for the current strategy",
        )


def _joined(locks: str | Sequence[str]) -> str:
    return locks if isinstance(locks, str) else "\n".join(locks)


def _make_spot(game: Game, options: dict[str, Any]) -> Game:
    """The spot that the given options make of `game`; without any, the game itself."""
    given = {name: value for name, value in options.items() if value is not None}
    if not given:
        return game
    posed = pose(game)
    if posed.start is not None and given.keys() == {"locks"}:
        return replace(posed.start, locks="\n".join((posed.start.locks, _joined(given["locks"]))))
    if posed.definition is None or posed.start is not None:
        raise InputError(f"only a poker game has spots; got `{posed.name}`", hint="leave board and betting out")
    if "locks" in given:
        given["locks"] = _joined(given["locks"])
    for name in ("range_bb", "range_dealer"):
        if name in given and not isinstance(given[name], str):
            given[name] = format_range(given[name], posed.definition.deck)
    return Spot(posed.definition, **given)
