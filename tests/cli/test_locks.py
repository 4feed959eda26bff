"""Locks on the command line: solve with them, solve a saved spot again with them, judge a saved spot with them."""

from pathlib import Path

import pytest

from .conftest import Errai

POLAR = (
    *("holdem.nolimit.2p", "--pot", "20", "--stack", "10", "--board", "2s3h4d6c7c", "--bets", "a"),
    *("--range-bb", "AsAh,QsQh", "--range-dealer", "KsKh"),
)
TURN = (
    *("holdem.nolimit.2p", "--pot", "40", "--stack", "120", "--board", "QsJh2h8s", "--bets", "50%,a / 3x"),
    *("--range-bb", "AA,KK,KQs,T9s,98s,76s", "--range-dealer", "QQ,AQs,KQs,JTs,A5s", "--iterations", "60"),
)


def test_a_locked_river_has_its_known_answer(errai: Errai) -> None:
    """FACTS: the dealer locked to fold 25 %, call 75 %: aces bet and are worth 27.5, queens 0, kings 6.25."""
    content = errai("solve", *POLAR, "--lock", "r10: fold=25%,call=75%", "--out", "out", "--json").json
    assert content["expected_value_chips"] == pytest.approx([13.75, 6.25], abs=1e-3)
    assert content["root_frequencies"] == pytest.approx({"check": 0.5, "all-in": 0.5}, abs=1e-3)
    assert content["locks"] == ["r10: all fold=0.25,call=0.75"]
    values = {hand["hand"]: hand["value"] for hand in errai("show", "out", "--json").json["hands"]}
    assert values == pytest.approx({"AsAh": 27.5, "QsQh": 0}, abs=1e-3)
    state = errai("show", "out", "--betting", "r10", "--json").json
    assert state["frequencies"] == {"fold": 0.25, "call": 0.75}
    assert state["locked_hands"] == 1
    assert "locked         1 of 1 hands" in errai("show", "out", "--betting", "r10").stdout


def test_locks_of_a_file_are_read(errai: Errai) -> None:
    Path("villain.locks").write_text("# folds too little\nr10: fold=25%\n")
    content = errai("solve", *POLAR, "--lock", "villain.locks", "--json").json
    assert content["locks"] == ["r10: all fold=0.25,call=0.75"]


def test_a_saved_spot_is_solved_again_with_locks(errai: Errai) -> None:
    errai("solve", *POLAR, "--out", "free")
    content = errai("solve", "free", "--lock", "r10: total call=75%", "--json").json
    assert content["expected_value_chips"] == pytest.approx([13.75, 6.25], abs=1e-3)
    assert content["locks"] == ["r10: KsKh fold=0.25,call=0.75"]


def test_a_best_response_to_a_locked_strategy_needs_no_new_solve(errai: Errai) -> None:
    """As stored, kings call two thirds. When they call 75 %, checking queens takes 13.75 instead of 13.33."""
    errai("solve", *POLAR, "--out", "free", "--iterations", "3000")
    content = errai("exploit", "free", "--lock", "r10: fold=25%,call=75%", "--json").json
    stored, locked = content["stored"], content["locked"]
    assert stored["expected_value_chips"] == pytest.approx([40 / 3, 20 / 3], abs=0.01)
    assert locked["best_response_value_chips"][0] == pytest.approx(13.75, abs=1e-3)
    # The dealer keeps to its lock, which leaves nothing to choose: its best response is what it plays.
    assert locked["best_response_value_chips"][1] == pytest.approx(locked["expected_value_chips"][1], abs=1e-6)
    assert "with the locks" in errai("exploit", "free", "--lock", "r10: fold=25%").stdout


@pytest.mark.parametrize("precision", ["float32", "float64", "uint16"])
def test_a_total_is_reached_on_a_turn_with_many_hands(errai: Errai, precision: str) -> None:
    """On this board diamonds and clubs are alike until a total tells their hands apart."""
    algorithm = ("--algorithm", "dcfr+") if precision == "uint16" else ()
    errai("solve", *TURN, "--out", "free", "--precision", precision, *algorithm)
    before = errai("show", "free", "--json").json["frequencies"]
    content = errai("solve", "free", "--lock", "root: total check=75%", "--out", "locked", "--json").json
    assert content["root_frequencies"]["check"] == pytest.approx(0.75, abs=1e-5)
    assert abs(before["check"] - 0.75) > 0.05
    judged = errai("exploit", "free", "--lock", "root: total check=75%", "--json").json
    assert sum(judged["locked"]["expected_value_chips"]) == pytest.approx(40, abs=1e-3)
    # The opponent profits from a mistake that it may answer.
    assert judged["locked"]["best_response_value_chips"][1] > judged["stored"]["best_response_value_chips"][1]


def test_a_lock_on_small_limit_games(errai: Errai) -> None:
    """Kuhn: the second player always calls a bet, so that betting a jack and checking a queen are fixed too."""
    free = errai("solve", "kuhn", "--json").json
    locked = errai("solve", "kuhn", "--lock", "r: call=1", "--json").json
    flat = errai("solve", "kuhn", "--lock", "r: call=1", "--engine", "flat", "--json").json
    exact = errai("solve", "kuhn", "--lock", "r: call=1", "--algorithm", "lp", "--json").json
    assert locked["value_chips"] > free["value_bounds_chips"][1]
    assert locked["value_chips"] == pytest.approx(exact["value_chips"], abs=1e-3)
    assert flat["value_chips"] == pytest.approx(exact["value_chips"], abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("solve", *POLAR, "--lock", "r10 fold=1"), "a lock needs `:` after its line; got `r10 fold=1`"),
        (("solve", *POLAR, "--lock", "r10: total call=75%"), "`r10: total call=0.75`: a total needs a stored strategy"),
        (("solve", *POLAR, "--lock", "r9: fold=1"), "`r9: all fold=1`: the betting tree has no action `r9` where"),
        (("solve", *POLAR, "--lock", "none.locks"), "cannot read the locks `none.locks`: No such file"),
        (("solve", *POLAR, "--lock", "r10: fold=1", "--precision", "uint16"), "16 bits"),
        (("solve", "kuhn", "--lock", "r: call=1", "--sampling", "external"), "sampling takes no locks"),
        (("solve", "kuhn", "--lock", "r: call=1", "--algorithm", "normal-form-lp"), "the normal form takes no locks"),
        (("solve", "leduc", "--memory", "1G", "--lock", "r: call=1"), "`--lock` is not for whole games from disk"),
    ],
)
def test_a_lock_that_cannot_be_has_a_sentence_and_a_hint(errai: Errai, arguments: tuple[str, ...], error: str) -> None:
    outcome = errai(*arguments)
    assert outcome.exit_code == 2
    assert f"error: {error}" in outcome.stderr.replace("no engine can run this solve: ", "")
    assert "\n\nhint: " in outcome.stderr
