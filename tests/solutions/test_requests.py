"""The options of a solve, grouped; and a variant of one's own."""

from dataclasses import fields
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errai
from errai.errors import InputError
from errai.games.spot import Spot
from errai.solutions.cost import estimate_cost
from errai.solutions.engines import ENGINES
from errai.solutions.method import Goal, Method
from errai.solutions.request import Resources, SolveOptions, SolveRequest
from errai.solvers.variants import VARIANTS

MINE = errai.Variant("mine", errai.Exponents(alpha=2.0, beta=-inf, gamma=3.0), floor=False)


def test_every_option_is_a_field_of_what_it_belongs_to() -> None:
    # What a request works out itself, and what only whole games from disk have.
    derived = {"definition", "custom", "planned_iterations", "with_average", "memory_bytes", "cluster"}
    names = {field.name for group in (Spot, Method, Goal, Resources) for field in fields(group)}
    # A target in percent of the pot becomes one in mbb.
    assert SolveOptions.__annotations__.keys() == names - derived | {"target_pot_percent"}


def test_an_option_that_does_not_exist_is_refused() -> None:
    options: Any = {"measure": "average"}
    with pytest.raises(TypeError, match="a solve has no option `measure`"):
        errai.solve("kuhn", **options)


def test_a_request_is_a_value() -> None:
    request = SolveRequest.of("leduc", iterations=5)
    assert request == SolveRequest.of(errai.load_game("leduc"), iterations=5)
    assert request.goal == Goal(iterations=5)
    assert request.method.planned_iterations == 5


@pytest.mark.parametrize("engine", ["lanes", "flat"])
def test_a_variant_of_ones_own_is_solved_with_saved_and_resumed(engine: str, tmp_path: Path) -> None:
    whole = errai.solve("leduc", algorithm=MINE, iterations=20, engine=engine)
    assert (whole.method.algorithm, whole.method.variant) == ("mine", MINE)
    part = errai.solve("leduc", algorithm=MINE, iterations=7, engine=engine)
    part.save(tmp_path / "mine")
    resumed = errai.Solution.open(tmp_path / "mine")
    assert resumed.method == part.method
    resumed.resume(iterations=20)
    for name, array in whole.solver.state_arrays().items():
        np.testing.assert_array_equal(resumed.solver.state_arrays()[name], array)


def test_a_variant_with_the_numbers_of_another_one_follows_its_path() -> None:
    twin = errai.Variant("twin", VARIANTS["dcfr"].exponents, floor=False)
    assert errai.solve("leduc", algorithm=twin, iterations=30).trace == (
        errai.solve("leduc", algorithm="dcfr", iterations=30).trace
    )


def test_a_variant_of_ones_own_needs_a_name_of_its_own() -> None:
    with pytest.raises(InputError, match="a variant of your own needs a name of its own; got `dcfr`"):
        errai.solve("kuhn", algorithm=errai.Variant("dcfr", MINE.exponents, floor=True))


@pytest.mark.parametrize(
    ("options", "engine"), [({}, "lanes"), ({"engine": "flat"}, "flat"), ({"sampling": "external"}, "flat")], ids=str
)
def test_the_cost_is_timed_on_the_engine_that_will_run(
    options: SolveOptions, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed: list[str] = []
    for name, each in ENGINES.items():

        def build(plan: Any, *, name: str = name, build: Any = each.build) -> Any:
            timed.append(name)
            return build(plan)

        monkeypatch.setattr(each, "build", build)
    with_iterations: SolveOptions = {**options, "iterations": 10}
    cost = estimate_cost(SolveRequest.of("leduc", **with_iterations))
    assert timed == [cost.engine] == [engine]
    assert cost.seconds is not None
    assert cost.seconds > 0


def test_a_linear_program_has_no_estimate_of_its_time() -> None:
    cost = estimate_cost(SolveRequest.of("kuhn", algorithm="lp"))
    assert (cost.engine, cost.seconds, cost.iterations) == ("flat", None, 1)
