"""The variants of counterfactual regret minimisation, as one parameterised rule.

At iteration t = 1, 2, ... an infoset holds accumulated regrets R(a) and receives the regrets r(a) of this iteration.

1. discount and add:  R(a) <- R(a) * d + r(a), where d = t'^alpha / (t'^alpha + 1) with t' = t - 1 while R(a) > 0, and
   the same with beta while R(a) <= 0; an infinite exponent means d = 1;
2. with a floor (the variants whose name ends in `+`):  R(a) <- max(R(a), 0);
3. the next strategy is proportional to the positive part of R; a predictive variant takes R(a) * d' + r(a) instead, d'
   being the discount of iteration t + 1: it expects the regrets of this iteration to come again;
4. the average strategy:  X(a) <- X(a) * ((t - 1) / t)^gamma + reach * strategy(a), which weighs iteration t by t^gamma.
   With a delay, the first iterations are left out and t counts from there.

Sources: CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), LCFR and DCFR (Brown and Sandholm 2019), PCFR+ (Farina,
Kroer and Sandholm 2021), DCFR+ and PDCFR+ (Xu et al. 2024), HS-DCFR (Zhang, McAleer and Sandholm 2024).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf, log
from typing import Any, Self

from errai.errors import InputError
from errai.passes.step import Step

_LARGEST_EXPONENT = 100
_LARGEST_LOG = 700.0  # of a float64, to be on the safe side


@dataclass(frozen=True)
class Exponents:
    """Of the discounts of positive and of negative regrets, and of an iteration's weight in the average."""

    alpha: float
    beta: float
    gamma: float

    def verify(self) -> None:
        """Raise an `InputError` where an exponent is out of its range."""
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not (isinf(value) or abs(value) <= _LARGEST_EXPONENT):
                raise InputError(
                    f"`{name}` must be a number from -{_LARGEST_EXPONENT} to {_LARGEST_EXPONENT}, or infinite; "
                    f"got `{value}`"
                )
        if not 0 <= self.gamma <= _LARGEST_EXPONENT:
            raise InputError(f"`gamma` must be a number from 0 to {_LARGEST_EXPONENT}; got `{self.gamma}`")

    def toward(self, end: "Exponents", progress: float) -> "Exponents":
        """The exponents on the straight line to `end`; progress runs from 0 to 1."""
        return Exponents(
            alpha=self.alpha + (end.alpha - self.alpha) * progress,
            beta=self.beta + (end.beta - self.beta) * progress,
            gamma=self.gamma + (end.gamma - self.gamma) * progress,
        )

    def to_json(self) -> list[float | str]:
        """Alpha, beta and gamma; an infinite one as text."""
        return [str(value) if isinf(value) else value for value in (self.alpha, self.beta, self.gamma)]

    @classmethod
    def from_json(cls, content: Sequence[float | str]) -> Self:
        alpha, beta, gamma = map(float, content)
        return cls(alpha, beta, gamma)


@dataclass(frozen=True)
class Variant:
    """One variant: constant exponents, or exponents that move in a straight line over the planned iterations."""

    name: str
    exponents: Exponents
    floor: bool
    predictive: bool = False
    final_exponents: Exponents | None = None  # at the last planned iteration; None: they stay as they are

    def __post_init__(self) -> None:
        self.exponents.verify()
        if self.final_exponents is not None:
            self.final_exponents.verify()

    def exponents_at(self, iteration: int, planned_iterations: int | None) -> Exponents:
        if self.final_exponents is None:
            return self.exponents
        if planned_iterations is None:
            raise InputError(f"`{self.name}` needs to know how many iterations are planned", hint="give `iterations`")
        return self.exponents.toward(self.final_exponents, min(iteration / planned_iterations, 1.0))

    def step(self, iteration: int, *, planned_iterations: int | None = None, averaging_delay: int = 0) -> Step:
        """The rule of iteration `iteration`, counted from 1."""
        now = self.exponents_at(iteration, planned_iterations)
        counted = iteration - averaging_delay
        return Step(
            discount_positive=_discount(iteration - 1, now.alpha),
            discount_negative=_discount(iteration - 1, now.beta),
            floor=self.floor,
            predictive=self.predictive,
            discount_prediction=self._discount_of_next(iteration, planned_iterations) if self.predictive else 1.0,
            average_decay=((counted - 1) / counted) ** now.gamma if counted > 1 else 0.0,
            average_weight=1.0 if counted >= 1 else 0.0,
        )

    def to_json(self) -> dict[str, Any]:
        """The variant as a saved solution holds it."""
        final = self.final_exponents
        return {
            "name": self.name,
            "exponents": self.exponents.to_json(),
            "floor": self.floor,
            "predictive": self.predictive,
            "final_exponents": None if final is None else final.to_json(),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        final = content["final_exponents"]
        return cls(
            name=content["name"],
            exponents=Exponents.from_json(content["exponents"]),
            floor=content["floor"],
            predictive=content["predictive"],
            final_exponents=None if final is None else Exponents.from_json(final),
        )

    def _discount_of_next(self, iteration: int, planned_iterations: int | None) -> float:
        return _discount(iteration, self.exponents_at(iteration + 1, planned_iterations).alpha)

    def with_exponents(
        self, *, alpha: float | None = None, beta: float | None = None, gamma: float | None = None
    ) -> "Variant":
        """The same variant with some exponents replaced."""
        if alpha is None and beta is None and gamma is None:
            return self
        if self.final_exponents is not None:
            raise InputError(f"the exponents of `{self.name}` follow a schedule and cannot be set")
        return replace(
            self,
            exponents=Exponents(
                alpha=self.exponents.alpha if alpha is None else alpha,
                beta=self.exponents.beta if beta is None else beta,
                gamma=self.exponents.gamma if gamma is None else gamma,
            ),
        )


def _discount(time: int, exponent: float) -> float:
    if exponent == inf:
        return 1.0
    if time == 0:
        return 1.0 if exponent < 0 else 0.5 if exponent == 0 else 0.0
    if exponent * log(time) > _LARGEST_LOG:
        return 1.0  # the power would overflow
    power: float = float(time) ** exponent
    return power / (power + 1.0)


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("cfr", Exponents(inf, inf, 0), floor=False),
        Variant("cfr+", Exponents(inf, inf, 1), floor=True),
        Variant("lcfr", Exponents(1, 1, 1), floor=False),
        Variant("dcfr", Exponents(1.5, 0, 2), floor=False),
        Variant("dcfr+", Exponents(1.5, inf, 4), floor=True),
        Variant("pcfr+", Exponents(inf, inf, 2), floor=True, predictive=True),
        Variant("pdcfr+", Exponents(2.3, inf, 5), floor=True, predictive=True),
        Variant("hs-dcfr", Exponents(1, -1, 30), floor=False, final_exponents=Exponents(4, -3, 25)),
    )
}

LINEAR_PROGRAMS = ("sequence-form-lp", "normal-form-lp")
ALGORITHMS = (*VARIANTS, *LINEAR_PROGRAMS)


def find_variant(name: str) -> Variant:
    """The variant called `name`."""
    try:
        return VARIANTS[name.lower()]
    except KeyError:
        raise InputError(
            f"there is no algorithm `{name}`", hint=f"the variants of CFR are {', '.join(VARIANTS)}"
        ) from None
