import runpy
from pathlib import Path

import pytest

from errai.errors import InputError, SizeError
from errai.solvers.linear_programs import solve_sequence_form
from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form

EXAMPLE = Path(__file__).parents[2] / "examples" / "liars_dice.py"


class MatchingPennies:
    """Player 1 does not see what player 0 did, and has `actions_of_second` after each of the two."""

    def __init__(self, *actions_of_second: tuple[str, ...]) -> None:
        self.actions_of_second = actions_of_second or (("h", "t"), ("h", "t"))

    def initial(self) -> str:
        return ""

    def node(self, state: str) -> Terminal | Decision[str]:
        if len(state) == 2:
            return Terminal(payoff=1.0 if state[0] == state[1] else -1.0)
        actions = self.actions_of_second["ht".index(state)] if state else ("h", "t")
        return Decision(player=len(state), infoset="unseen", children={action: state + action for action in actions})


def test_game_without_chance_is_built_with_its_labels() -> None:
    form = build_custom_form(MatchingPennies())
    assert (form.name, form.num_nodes, form.num_infosets) == ("MatchingPennies", 7, 2)
    assert form.infoset_labels == ["unseen", "unseen"]
    assert form.action_labels == ["h", "t", "h", "t"]
    assert form.infoset_player.tolist() == [0, 1]
    solution = solve_sequence_form(form)
    assert solution.value_chips == pytest.approx(0, abs=1e-12)
    assert solution.strategy == pytest.approx([0.5] * 4)


def test_game_of_chance_alone_is_worth_its_expectation() -> None:
    class Coin:
        def initial(self) -> float | None:
            return None

        def node(self, state: float | None) -> Terminal | Chance[float | None]:
            return Chance([(1.0, 0.75), (-1.0, 0.25)]) if state is None else Terminal(state)

    form = build_custom_form(Coin())
    assert form.num_infosets == 0
    assert solve_sequence_form(form).value_chips == pytest.approx(0.5)


def test_infoset_with_other_actions_at_another_node_is_refused() -> None:
    with pytest.raises(InputError, match=r"infoset `unseen` of player 1 .* got \['h', 't'\] and \['t', 'h'\]"):
        build_custom_form(MatchingPennies(("h", "t"), ("t", "h")))


def test_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(SizeError, match="more than 5 nodes") as caught:
        build_custom_form(MatchingPennies(), max_nodes=5)
    assert "max_nodes" in (caught.value.hint or "")


def test_liars_dice_example_brackets_the_value_of_its_linear_program(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE))["main"](sides=3, iterations=1000)
    lines = capsys.readouterr().out.splitlines()
    # Nine rolls; then a set of the six bids was made, and the last of them, if there is one, called or not.
    assert lines[0] == f"liar's dice, 3 sides: {1 + 9 * (2**6 + 2**6 - 1)} nodes, {3 * 2**6} infosets"
    words = lines[2].split()
    low, high = float(words[-3]), float(words[-1])
    value = float(lines[3].split()[-1])
    assert low - 1e-6 <= value <= high + 1e-6
    assert high - low < 1e-3
