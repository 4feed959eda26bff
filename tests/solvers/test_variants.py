import json
from math import inf, nan

import pytest

from errai.errors import InputError
from errai.solvers.variants import VARIANTS, Exponents, Variant, find_variant


def weights(name: str, iterations: int, **options: int) -> list[float]:
    """How much each iteration weighs in the average, against the last one."""
    steps = [VARIANTS[name].step(t, **options) for t in range(1, iterations + 1)]
    result: list[float] = []
    for step in steps:
        result = [weight * step.average_decay for weight in result] + [step.average_weight]
    return result


# figures.md, section 5, the column of the average: weight t^exponent.
@pytest.mark.parametrize(
    ("name", "exponent"), [("cfr", 0), ("cfr+", 1), ("lcfr", 1), ("dcfr", 2), ("dcfr+", 4), ("pcfr+", 2), ("pdcfr+", 5)]
)
def test_average_weighs_an_iteration_by_a_power_of_it(name: str, exponent: int) -> None:
    assert weights(name, 5) == pytest.approx([(t / 5) ** exponent for t in range(1, 6)])


def test_averaging_delay_counts_from_the_iteration_after_it() -> None:
    assert weights("cfr+", 6, averaging_delay=2) == pytest.approx([0, 0, 1 / 4, 2 / 4, 3 / 4, 1])


def test_dcfr_discounts_before_it_adds() -> None:
    step = VARIANTS["dcfr"].step(5)
    assert step.discount_positive == pytest.approx(8 / 9)  # 4^1.5 / (4^1.5 + 1)
    assert step.discount_negative == 0.5
    assert not step.floor


def test_predictive_variant_with_discount_predicts_with_the_discount_of_the_next_iteration() -> None:
    now, then = VARIANTS["pdcfr+"].step(7), VARIANTS["pdcfr+"].step(8)
    assert now.discount_prediction == then.discount_positive
    assert VARIANTS["pcfr+"].step(7).discount_prediction == 1.0


def test_hyperparameter_schedule_runs_over_the_planned_iterations() -> None:
    variant = VARIANTS["hs-dcfr"]
    assert variant.exponents_at(50, 100) == Exponents(alpha=2.5, beta=-2, gamma=27.5)
    assert variant.exponents_at(200, 100) == variant.exponents_at(100, 100)
    with pytest.raises(InputError, match="`hs-dcfr` needs to know how many iterations are planned"):
        variant.step(1)


def test_exponents_can_be_replaced_except_where_they_follow_a_schedule() -> None:
    assert VARIANTS["dcfr"].with_exponents(gamma=3).exponents == Exponents(alpha=1.5, beta=0, gamma=3)
    assert VARIANTS["cfr"].with_exponents(alpha=2).exponents == Exponents(alpha=2, beta=inf, gamma=0)
    with pytest.raises(InputError, match="`hs-dcfr` follow a schedule"):
        VARIANTS["hs-dcfr"].with_exponents(gamma=1)


def test_unknown_variant_is_refused_with_those_that_exist() -> None:
    assert find_variant("CFR+") is VARIANTS["cfr+"]
    with pytest.raises(InputError, match=r"there is no algorithm `cfr\+\+`") as caught:
        find_variant("cfr++")
    assert "dcfr" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("exponents", "message"),
    [
        ({"alpha": nan}, "`alpha` must be a number from -100 to 100, or infinite; got `nan`"),
        ({"alpha": 1e308}, "`alpha` must be a number from -100 to 100, or infinite; got `1e+308`"),
        ({"beta": -101.0}, "`beta` must be a number from -100 to 100, or infinite; got `-101.0`"),
        ({"gamma": nan}, "`gamma` must be a number from 0 to 100; got `nan`"),
        ({"gamma": -1.0}, "`gamma` must be a number from 0 to 100; got `-1.0`"),
        ({"gamma": inf}, "`gamma` must be a number from 0 to 100; got `inf`"),
    ],
    ids=str,
)
def test_exponents_out_of_their_range_are_refused(exponents: dict[str, float], message: str) -> None:
    with pytest.raises(InputError) as caught:
        VARIANTS["dcfr"].with_exponents(**exponents)
    assert str(caught.value) == message


def test_the_largest_exponents_give_finite_steps_at_any_iteration() -> None:
    for alpha, beta in ((100.0, -100.0), (-100.0, 100.0)):
        variant = VARIANTS["dcfr"].with_exponents(alpha=alpha, beta=beta, gamma=100.0)
        for iteration in (1, 2, 1_000, 10**9):
            step = variant.step(iteration)
            assert 0.0 <= step.discount_positive <= 1.0
            assert 0.0 <= step.discount_negative <= 1.0
            assert 0.0 <= step.average_decay <= 1.0


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_survives_json(name: str) -> None:
    content = json.loads(json.dumps(VARIANTS[name].to_json(), allow_nan=False))
    assert Variant.from_json(content) == VARIANTS[name]
