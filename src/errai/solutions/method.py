"""How a game is solved, and when to stop: the method with its settings, and the goal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any, Self, get_args

from errai.errors import InputError, real_number, whole_number
from errai.games.strategies import StrategyKind
from errai.reports.trace import TracePoint
from errai.solvers.flat_solver import Sampling, Updates
from errai.solvers.variants import ALGORITHMS, LINEAR_PROGRAMS, VARIANTS, Variant
from errai.trees.public_tree import Precision

_ALIASES = {"lp": "sequence-form-lp"}

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True, kw_only=True)
class Method:
    """An algorithm and its settings; None leaves a setting to the algorithm."""

    algorithm: str = "cfr+"
    custom: Variant | None = None  # a variant of CFR of the caller's own, whose name is `algorithm`
    engine: str = "auto"  # or one of `errai.solutions.engines.ENGINES`
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
        if self.custom is None:
            object.__setattr__(self, "algorithm", _ALIASES.get(name, name))
        elif self.algorithm != self.custom.name or self.algorithm in ALGORITHMS:
            raise InputError(
                f"a variant of your own needs a name of its own; got `{self.custom.name}`",
                hint=f"these names are taken: {', '.join(ALGORITHMS)}",
            )
        if self.custom is None and self.algorithm not in ALGORITHMS:
            raise InputError(
                f"there is no algorithm `{name}`", hint=f"the algorithms are {', '.join([*ALGORITHMS, *_ALIASES])}"
            )
        _verify_choice("precision", self.precision, get_args(Precision))
        _verify_choice("updates", self.updates, get_args(Updates))
        if self.sampling is not None:
            _verify_choice("sampling", self.sampling, get_args(Sampling))
        for field in ("averaging_delay", "seed"):
            object.__setattr__(self, field, whole_number(field, getattr(self, field), least=0))
        for field in ("alpha", "beta", "gamma"):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, real_number(field, getattr(self, field)))
        if self.is_linear_program:
            self._verify_no_settings()
        else:
            _ = self.variant  # raises where the exponents cannot be set

    @property
    def is_linear_program(self) -> bool:
        return is_linear_program(self.algorithm)

    @cached_property
    def variant(self) -> Variant:
        """The variant of CFR with the exponents asked for."""
        variant = self.custom or VARIANTS[self.algorithm]
        return variant.with_exponents(alpha=self.alpha, beta=self.beta, gamma=self.gamma)

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON holds them: an infinite exponent becomes text."""
        content = {
            key: value if not isinstance(value, float) or isfinite(value) else str(value)
            for key, value in asdict(replace(self, algorithm="cfr", custom=None) if self.custom else self).items()
        }
        if self.custom is not None:
            content |= {"algorithm": self.algorithm, "custom": self.custom.to_json()}
        return content

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        read: dict[str, Any] = {
            key: float(content[key]) for key in ("alpha", "beta", "gamma") if content[key] is not None
        }
        # Solutions that were saved before there were custom variants have no such entry.
        if content.get("custom") is not None:
            read["custom"] = Variant.from_json(content["custom"])
        return cls(**{**content, **read})

    def describe(self) -> str:
        """The algorithm and the settings that are not the usual ones, in words."""
        exponents = (("alpha", self.alpha), ("beta", self.beta), ("gamma", self.gamma))
        settings = [f"{name} {value:g}" for name, value in exponents if value is not None]
        settings += [f"{self.sampling} sampling"] if self.sampling else []
        settings += [f"{self.updates} updates"] if self.updates != "alternating" else []
        return ", ".join([self.algorithm, *settings])

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
    strategy: StrategyKind = "average"  # that is measured
    measure_every: int | None = None

    def __post_init__(self) -> None:
        _verify_choice("strategy", self.strategy, get_args(StrategyKind))
        for name in ("iterations", "measure_every"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole_number(name, getattr(self, name), least=1))
        if self.target_mbb is not None:
            object.__setattr__(self, "target_mbb", real_number("target_mbb", self.target_mbb))
            if not (isfinite(self.target_mbb) and self.target_mbb > 0):
                raise InputError(f"`target_mbb` must be a positive number; got `{self.target_mbb}`")
        if self.iterations is None and self.target_mbb is None:
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)

    def is_met_by(self, point: TracePoint) -> bool:
        """Whether a measurement reaches the target."""
        return self.target_mbb is not None and point.of(self.strategy) <= self.target_mbb

    def to_json(self) -> dict[str, Any]:
        """The goal as saved solutions hold it, where the strategy is called `measure`."""
        return {
            "iterations": self.iterations,
            "target_mbb": self.target_mbb,
            "measure": self.strategy,
            "measure_every": self.measure_every,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        return cls(strategy=content["measure"], **{key: content[key] for key in content if key != "measure"})


def is_linear_program(algorithm: str) -> bool:
    """Whether a name, maybe a short one, is that of a linear program."""
    name = algorithm.lower()
    return _ALIASES.get(name, name) in LINEAR_PROGRAMS


def _verify_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"`{name}` must be one of {', '.join(choices)}; got `{value}`")
