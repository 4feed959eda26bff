"""Gambit's files: written exactly, read back the same, and read by other programs."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import UniformRandomPolicy

import errai
from errai.evaluate.flat_best_response import exploitability_flat
from errai.trees.efg_reading import parse_efg
from errai.trees.efg_writing import format_efg
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form
from reference.openspiel import SMALL_FLOP_HOLDEM, SMALL_NOLIMIT
from reference.random_games import random_trees

NO_GAMBIT = "Gambit is not installed: its wheels are for x86-64"
HEADER = 'EFG 2 R "x" { "a" "b" }\n'


def read(text: str) -> ExtensiveForm:
    return parse_efg(text, source="x.efg")


def round_trip(form: ExtensiveForm) -> ExtensiveForm:
    return read("".join(format_efg(form)))


@pytest.mark.parametrize(
    "definition",
    [errai.load_game("kuhn"), errai.load_game("leduc"), SMALL_FLOP_HOLDEM, SMALL_NOLIMIT],
    ids=lambda definition: definition.name,
)
def test_a_poker_game_comes_back_with_the_same_value(definition: errai.GameDefinition) -> None:
    form = build_extensive_form(definition)
    again = round_trip(form)
    assert (again.name, again.unit_chips, again.num_nodes) == (form.name, form.unit_chips, form.num_nodes)
    assert sorted(again.infoset_labels) == sorted(form.infoset_labels)
    ours = exploitability_flat(form, form.uniform_strategy())
    theirs = exploitability_flat(again, again.uniform_strategy())
    assert theirs.best_response_chips == pytest.approx(ours.best_response_chips, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(random_trees())
def test_a_random_tree_comes_back_as_it_was(form: ExtensiveForm) -> None:
    again = round_trip(form)
    assert again.num_nodes == form.num_nodes
    ours = exploitability_flat(form, form.uniform_strategy())
    theirs = exploitability_flat(again, again.uniform_strategy())
    assert theirs.best_response_chips == pytest.approx(ours.best_response_chips, rel=1e-12, abs=1e-12)


def test_the_chances_of_leduc_are_exact_fractions() -> None:
    lines = list(format_efg(build_extensive_form(errai.load_game("leduc"))))
    chances = [line for line in lines if line.startswith("c ")]
    assert '"1" 1/15 "2" 2/15' in chances[0]
    for line in chances:
        shares = [Fraction(word) for word in line.split("{")[1].split("}")[0].split()[1::2]]
        assert sum(shares) == 1
        assert all(share.denominator in (15, 2, 4, 5, 1) for share in shares)


def test_openspiel_reads_the_file_as_the_same_game() -> None:
    """OpenSpiel has a reader of its own; uniform play in Leduc has a NashConv of 4.7472 chips."""
    game = pyspiel.load_efg_game("".join(format_efg(build_extensive_form(errai.load_game("leduc")))))
    assert nash_conv(game, UniformRandomPolicy(game)) == pytest.approx(4.747222222222222, abs=1e-9)


def test_gambits_linear_program_finds_our_value(tmp_path: Path) -> None:
    """In fractions."""
    gambit = pytest.importorskip("pygambit", reason=NO_GAMBIT)
    errai.write_efg("kuhn", tmp_path / "kuhn.efg")
    result = gambit.nash.lp_solve(gambit.read_efg(str(tmp_path / "kuhn.efg")), rational=True)
    assert result.success
    payoffs = {player: Fraction(str(payoff)) for player, payoff in result.equilibrium.payoffs}
    assert payoffs == {"player 0": Fraction(-1, 18), "player 1": Fraction(1, 18)}
    value = errai.solve("kuhn", algorithm="lp").exploitability().value_chips
    assert value == pytest.approx(-1 / 18, abs=1e-12)


@pytest.mark.slow
def test_gambits_linear_program_finds_our_value_of_leduc(tmp_path: Path) -> None:
    """In floating point, in half a minute; in fractions it does not end in a quarter of an hour."""
    gambit = pytest.importorskip("pygambit", reason=NO_GAMBIT)
    errai.write_efg("leduc", tmp_path / "leduc.efg")
    equilibrium = gambit.nash.lp_solve(gambit.read_efg(str(tmp_path / "leduc.efg")), rational=False).equilibrium
    # Where it fails, the regret is a chip or more; otherwise both are off by rounding alone.
    assert equilibrium.max_regret() == pytest.approx(0.0, abs=1e-9)
    payoffs = [payoff for _, payoff in equilibrium.payoffs]
    assert payoffs == pytest.approx([-0.085606424078, 0.085606424078], abs=1e-9)
    assert errai.solve("leduc", algorithm="lp").exploitability().value_chips == pytest.approx(payoffs[0], abs=1e-9)


def test_files_of_other_programs_are_read() -> None:
    """Decimals, numbers that stand for what was described before, outcomes on the way, no commas, any layout."""
    form = read(
        """EFG 2 D "A game" { "1" "2" } "a comment
        of two lines"
        c "" 1 "deal" { "high" 0.5 "low" .5 } 1 "ante" { 0.25 -0.25 }
          p "" 1 1 "H" { "B" "F" } 0
            p "" 2 1 "" { "c" "c" } 0
              t "" 2 "win" { 2 -2 }
              t "" 3 "" { 1 -1 }
            t "" 4 { 0 0 }
          p "" 1 2 "" { "B" "F" } 0
            p "" 2 1 0
              t "" 5 "" { -2e0 2 }
              t "" 3
            t "" 4
        """
    )
    assert form.name == "A game"
    assert form.infoset_labels == ["H", "(2)", "(1)"]
    assert list(form.action_labels) == ["B", "F", "B", "F", "1 c", "2 c"]
    assert sorted(form.payoff_chips[form.kind == 3].tolist()) == [-1.75, 0.25, 0.25, 1.25, 1.25, 2.25]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file ends in the middle"),
        ("NFG 1 R", "begins with `EFG 2 R`; got `NFG`"),
        ('EFG 2 R "x" { "a" "b" "c" }', "must have 2 players; got 3"),
        (HEADER + 't "" 1 "" { 1, 1 }', "not zero-sum: the players win 1 and 1"),
        (HEADER + 't "" 1 "" { 1 }', "2 payoffs; got 1"),
        (HEADER + 't "" 1 "" { 1/0, 0 }', "expected a number; got `1/0`"),
        (HEADER + 't "" 1 "" { nan, 0 }', "expected a number; got `nan`"),
        (HEADER + 't "" 7', "outcome `7` was not described"),
        (HEADER + 't "" 1 "" { 0 0 } t "" 1', "expected the end of the file; got `t`"),
        (HEADER + 'p "" 3 1 "" { "a" } 0', "must be 1 or 2; got `3`"),
        (HEADER + 'p "" 1 1 0', "infoset of player 1 `1` was not described"),
        (HEADER + 'c "" 1 "" { "a" 1/2 } 0 t "" 1 "" { 0 0 }', "must sum to 1"),
        (HEADER + 'c "" 1 "" { "a" 2 "b" -1 } 0', "must not be negative"),
        (HEADER + 'x "" 1', "expected a node"),
        (HEADER + '"a comment"\np "" 1 1 "', 'x.efg:3: got `"`'),
    ],
)
def test_a_file_that_is_no_such_game_is_refused(text: str, message: str) -> None:
    with pytest.raises(errai.ErraiError) as raised:
        read(text)
    assert message in str(raised.value)


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet='EFGRctp 0123/{}",.-\n', max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        form = read(HEADER + text)
    except errai.ErraiError:
        return
    assert np.isfinite(form.payoff_chips).all()
