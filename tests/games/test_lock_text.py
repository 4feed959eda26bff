"""Locks as text: the grammar, and what a spot makes of it."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from errai.errors import InputError
from errai.games.library import load_game
from errai.games.lock_text import LockPart, LockText, parse_locks, read_locks
from errai.games.spot import Spot

SPOT = Spot(
    load_game("holdem.nolimit.2p"),
    pot=100,
    stack=400,
    board="QsJh2h8c",
    range_bb="AA,KK,QQ,A5s",
    range_dealer="JJ,TT,KQs",
    bets="50%,a / 3x",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r10: fold=25%,call=75%", "r10: all fold=0.25,call=0.75"),
        ("root: AA, KK check = 1/3", "root: AA,KK check=1/3"),
        (": all bet 50=.5 # half", "root: all bet 50=0.5"),
        ("c/r50 on QsJh2h8c3d: total fold=60%", "c/r50 on QsJh2h8c3d: total fold=0.6"),
        ("c: AA check=1;  QQ,A5s all-in=1", "c: AA check=1; QQ,A5s all-in=1"),
        ("c: bet 50=25%,check=75%", "c: all bet 50=0.25,check=0.75"),
    ],
)
def test_a_lock_is_read_and_written(text: str, expected: str) -> None:
    (lock,) = parse_locks(text)
    assert lock.text == expected
    assert parse_locks(expected) == (lock,)


def test_lines_hold_one_lock_each_and_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "river.locks"
    path.write_text("# what they do\nroot: AA check=1\n\nc: fold=1\n")
    assert read_locks(path) == (
        LockText("", "", (LockPart("AA", (("check", Fraction(1)),)),)),
        LockText("c", "", (LockPart("all", (("fold", Fraction(1)),)),)),
    )
    path.write_text("root AA check=1\n")
    with pytest.raises(InputError, match=r"river\.locks: a lock needs `:`"):
        read_locks(path)
    with pytest.raises(InputError, match="cannot read the locks"):
        read_locks(tmp_path / "missing.locks")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r10 fold=1", "a lock needs `:` after its line"),
        ("r10:", "has no shares"),
        ("root: AA", "`AA` is not `ACTION=SHARE`"),
        ("root: check=75", "a share is at most 1; got `75`"),
        ("root: check=x", "a share is like `25%`"),
        ("root: check=1/0", "a share is like `25%`"),
        ("root: check=-1", "a share is like `25%`"),
        ("root: check=60%,bet 50=60%", "the shares add up to 1.2"),
        ("root: check=60%,check=40%", "the action `check` is named twice"),
    ],
)
def test_text_that_is_no_lock_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_locks(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r51: fold=1", "the betting tree has no action `r51`"),
        ("root: check=.5,bet 50=.3,all-in=.1", "the shares add up to 0.9"),
        ("cc/f: check=1", "cannot fold|nothing"),
        ("r400c: check=1", "nobody acts after `r400c`"),
        ("root: JJ check=1", "no hand of `JJ` is in the range"),
        ("root: AA fold=1", "no action `fold`"),
        ("root: AA:0.5 check=1", "the hands of a lock have no weights"),
        ("root: total check=1", "a total needs a stored strategy"),
        ("cc/ on QsJh2h8c: check=1", "has 5 cards on the board; got 4"),
        ("cc/ on QsJh2h7c8c: check=1", "the board must begin with `QsJh2h8c`"),
        ("cc/ on QsJh2h8cAs: AsAh check=1", "no hand of `AsAh` is in the range"),
    ],
)
def test_a_lock_that_does_not_fit_the_spot_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(SPOT, locks=text)


def test_an_action_that_is_not_named_takes_what_is_left_and_the_last_part_counts() -> None:
    spot = replace(SPOT, locks="r50: all call=1/2,fold=1/4; TT fold=1")
    (lock,) = spot.node_locks
    assert lock.player == 1
    rows = {tuple(row) for row in lock.probabilities[lock.is_locked].tolist()}
    assert rows == {(0.25, 0.5, 0.25), (1.0, 0.0, 0.0)}
    assert replace(spot, locks=spot.locks) == spot


def test_locks_are_part_of_what_a_spot_is() -> None:
    locked = replace(SPOT, locks="root: check=1,bet 50=0,all-in=0")
    assert locked != SPOT
    assert locked.name.endswith("locked")
    assert locked.node_locks[0].probabilities[locked.node_locks[0].is_locked].tolist() == [[1, 0, 0]] * int(
        np.count_nonzero(SPOT.weights[0])
    )
