from pathlib import Path

import numpy as np
import pytest

from errai.cards.hands import held_cards
from errai.errors import InputError
from errai.games.library import load_game
from errai.games.libratus import BETS, parse_endgame, read_endgame

NO_LIMIT = load_game("holdem.nolimit.2p")
SUBGAME_4 = Path(__file__).parents[1] / "data" / "libratus" / "subgame4.txt"
BOARD_4, POT_4 = "JsKs5cQs7d", 3750


def test_no_hand_of_a_real_endgame_holds_a_card_of_its_board() -> None:
    # Which is so in one order of the hands only.
    board = list(NO_LIMIT.deck.parse(BOARD_4))
    blocked = held_cards(NO_LIMIT.deck, 2)[:, board].any(axis=1)
    for reach in read_endgame(SUBGAME_4).reaches:
        assert not reach[blocked].any()
        assert np.count_nonzero(reach) > 700


def test_a_real_endgame_is_a_spot() -> None:
    endgame = read_endgame(SUBGAME_4)
    spot = endgame.spot(NO_LIMIT, board=BOARD_4, pot=POT_4)
    assert (spot.root.round, spot.pot_chips, spot.stack) == (3, 3750, 18_125)
    assert spot.bets == BETS
    for weights, reach in zip(spot.weights, endgame.reaches, strict=True):
        assert np.array_equal(weights, reach)


def test_a_text_may_say_board_pot_and_round() -> None:
    reaches = SUBGAME_4.read_text()
    endgame = parse_endgame(f"-round 4\n-board {BOARD_4}\n-pot {POT_4}\n-reach {reaches}\n")
    assert (endgame.board, endgame.pot, endgame.round) == (BOARD_4, POT_4, 4)
    assert endgame.spot(NO_LIMIT) == read_endgame(SUBGAME_4).spot(NO_LIMIT, board=BOARD_4, pot=POT_4)
    with pytest.raises(InputError, match="the endgame is in round 4; the board `7s9h9cTc` is of round 3"):
        endgame.spot(NO_LIMIT, board="7s9h9cTc")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an endgame has 2,652 reaches, 1,326 per player; got 0"),
        ("1 " * 2651, "an endgame has 2,652 reaches, 1,326 per player; got 2,651"),
        ("1.5 " * 2652, "holds numbers from 0 to 1; got `1.5`"),
        ("-pot 500", "the endgame has no `-reach`"),
        ("-pot 500 -pot 500", "`-pot` is given twice"),
        ("-pot much -reach " + "1 " * 2652, "`-pot` must be a whole number; got `much`"),
        ("reach -pot 500", "an endgame begins with one of -round, -board, -pot, -reach; got 'reach'"),
        ("\x00", "holds numbers from 0 to 1"),
    ],
)
def test_a_text_that_is_no_endgame_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_endgame(text)


def test_a_file_that_is_no_endgame_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_endgame(tmp_path / "none.txt")
    with pytest.raises(InputError, match="it is not a file"):
        read_endgame(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(InputError, match="it is not plain text"):
        read_endgame(tmp_path / "bytes")
    (tmp_path / "large").write_bytes(b"0 " * 600_000)
    with pytest.raises(InputError, match="more than 1,000,000 bytes"):
        read_endgame(tmp_path / "large")


@pytest.mark.parametrize(("pot", "message"), [(3751, "is even"), (40_000, "leaves chips"), (None, "must be given")])
def test_the_pot_of_an_endgame_leaves_stacks(pot: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_endgame(SUBGAME_4).spot(NO_LIMIT, board=BOARD_4, pot=pot)
