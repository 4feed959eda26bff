import pytest
from hypothesis import assume, given, settings

from errai.errors import SizeError
from errai.evaluate.flat_best_response import exploitability_flat
from errai.games.library import load_game
from errai.solvers import linear_programs
from errai.solvers.linear_programs import solve_normal_form, solve_sequence_form
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form
from reference.random_games import random_trees


# figures.md, section 2
@pytest.mark.parametrize(("name", "value_chips"), [("kuhn", -1 / 18), ("leduc", -0.085606424078)])
def test_sequence_form_finds_value_and_equilibrium(name: str, value_chips: float) -> None:
    form = build_extensive_form(load_game(name))
    solution = solve_sequence_form(form)
    assert solution.value_chips == pytest.approx(value_chips, abs=1e-9)
    assert exploitability_flat(form, solution.strategy).exploitability_chips == pytest.approx(0, abs=1e-9)


def test_normal_form_finds_value_and_equilibrium_of_kuhn() -> None:
    form = build_extensive_form(load_game("kuhn"))
    solution = solve_normal_form(form)
    assert solution.value_chips == pytest.approx(-1 / 18, abs=1e-9)
    assert exploitability_flat(form, solution.strategy).exploitability_chips == pytest.approx(0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(form=random_trees(max_depth=4))
def test_both_programs_agree_on_random_games(form: ExtensiveForm) -> None:
    try:
        normal = solve_normal_form(form)
    except SizeError:
        assume(False)
    sequence = solve_sequence_form(form)
    assert normal.value_chips == pytest.approx(sequence.value_chips, abs=1e-8)
    for solution in (normal, sequence):
        assert exploitability_flat(form, solution.strategy).nash_conv_chips == pytest.approx(0, abs=1e-7)


def test_normal_form_of_leduc_is_refused_with_its_size() -> None:
    form = build_extensive_form(load_game("leduc"))
    with pytest.raises(
        SizeError, match=r"reduced normal form of `leduc` is \d+ x \d+; the program takes 10000"
    ) as caught:
        solve_normal_form(form)
    assert caught.value.hint == "use the sequence form"


def test_sequence_form_that_is_too_large_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_programs, "MAX_SEQUENCES", 600)
    with pytest.raises(SizeError, match="the sequence form of `leduc` has 674 sequences; the program takes 600"):
        solve_sequence_form(build_extensive_form(load_game("leduc")))
