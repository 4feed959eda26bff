"""What a solve is asked for: the method with its settings, and the goal at which it stops."""

from dataclasses import asdict, dataclass
from functools import cached_property
from math import isfinite
from typing import Any, Literal, Self, get_args

from errai.errors import InputError
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.sizes import count_sizes
from errai.solutions.schedule import StrategyKind, TracePoint
from errai.solvers.flat_solver import Sampling, Updates
from errai.solvers.variants import VARIANTS, Variant
from errai.trees.public_tree import Precision

LINEAR_PROGRAMS = ("sequence-form-lp", "normal-form-lp")
ALGORITHMS = (*VARIANTS, *LINEAR_PROGRAMS)
_ALIASES = {"lp": "sequence-form-lp"}

EngineName = Literal["auto", "lanes", "flat"]
DEFAULT_ITERATIONS = 1000

# The method for spots and large limit games: of all variants, the one whose average converges first. On all of limit
# flop hold'em it needs 174 iterations to 1 mbb/g; the average of `cfr+` needs 310.
FAST_ALGORITHM = "dcfr+"
FAST_PRECISION: Precision = "float32"
LEAST_LARGE_INFOSETS = 1_000_000


def is_large(definition: GameDefinition) -> bool:
    """Whether a whole game is one that the lanes engine plays and has more than a million infosets."""
    return (
        definition.is_limit
        and min(definition.stacks) == UNLIMITED
        and definition.num_board_cards[0] == 0
        and count_sizes(definition).total.canonical_infosets > LEAST_LARGE_INFOSETS
    )


def default_method(*, sampling: str | None, is_fast: bool) -> tuple[str, Precision]:
    """The algorithm and the precision where neither is named; `is_fast` for spots and large limit games.

    The floor of `cfr+` would keep the noise of samples, so sampling goes with `cfr`.
    """
    if sampling is not None:
        return "cfr", "float64"
    return (FAST_ALGORITHM, FAST_PRECISION) if is_fast else ("cfr+", "float64")


@dataclass(frozen=True, kw_only=True)
class Method:
    """An algorithm and its settings; None leaves a setting to the algorithm."""

    algorithm: str = "cfr+"
    engine: EngineName = "auto"
    updates: Updates = "alternating"
    averaging_delay: int = 0
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    sampling: Sampling | None = None
    seed: int = 0
    planned_iterations: int | None = None  # what the schedule of `hs-dcfr` stretches over
    precision: Precision = "float64"  # of the lanes engine; the other one computes with doubles
    with_average: bool = True  # without it the lanes engine takes half the memory

    def __post_init__(self) -> None:
        name = self.algorithm.lower()
        object.__setattr__(self, "algorithm", _ALIASES.get(name, name))
        if self.algorithm not in ALGORITHMS:
            raise InputError(
                f"there is no algorithm `{name}`", hint=f"the algorithms are {', '.join([*ALGORITHMS, *_ALIASES])}"
            )
        _verify_choice("engine", self.engine, get_args(EngineName))
        _verify_choice("precision", self.precision, get_args(Precision))
        _verify_choice("updates", self.updates, get_args(Updates))
        if self.sampling is not None:
            _verify_choice("sampling", self.sampling, get_args(Sampling))
        if self.averaging_delay < 0:
            raise InputError(f"`averaging_delay` must not be negative; got `{self.averaging_delay}`")
        if self.seed < 0:
            raise InputError(f"`seed` must not be negative; got `{self.seed}`")
        if self.is_linear_program:
            self._verify_no_settings()
        else:
            _ = self.variant  # raises where the exponents cannot be set

    @property
    def is_linear_program(self) -> bool:
        return self.algorithm in LINEAR_PROGRAMS

    @cached_property
    def variant(self) -> Variant:
        """The variant of CFR with the exponents asked for."""
        return VARIANTS[self.algorithm].with_exponents(alpha=self.alpha, beta=self.beta, gamma=self.gamma)

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON holds them: an infinite exponent becomes text."""
        return {
            key: value if not isinstance(value, float) or isfinite(value) else str(value)
            for key, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        exponents = {key: float(content[key]) for key in ("alpha", "beta", "gamma") if content[key] is not None}
        return cls(**{**content, **exponents})

    def _verify_no_settings(self) -> None:
        """A linear program has nothing to set."""
        for field, value in asdict(self).items():
            if field not in ("algorithm", "engine", "planned_iterations", "precision") and value != getattr(
                type(self), field
            ):
                raise InputError(f"`{field}` means nothing to `{self.algorithm}`; got `{value}`")
        if self.engine == "lanes":
            raise InputError(f"`{self.algorithm}` needs the flat engine; got `{self.engine}`")


@dataclass(frozen=True, kw_only=True)
class Goal:
    """When to stop: at `iterations`, counted from the very first, or earlier when the target is met."""

    iterations: int | None = None
    target_mbb: float | None = None
    measure: StrategyKind = "average"
    measure_every: int | None = None

    def __post_init__(self) -> None:
        _verify_choice("measure", self.measure, get_args(StrategyKind))
        for name in ("iterations", "measure_every"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"`{name}` must be at least 1; got `{value}`")
        if self.target_mbb is not None and not (isfinite(self.target_mbb) and self.target_mbb > 0):
            raise InputError(f"`target_mbb` must be a positive number; got `{self.target_mbb}`")
        if self.iterations is None and self.target_mbb is None:
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)

    def is_met_by(self, point: TracePoint) -> bool:
        """Whether what was measured reaches the target."""
        return self.target_mbb is not None and point.of(self.measure) <= self.target_mbb


def _verify_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"`{name}` must be one of {', '.join(choices)}; got `{value}`")
