from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from errai.cards.hands import hand_index
from errai.errors import InputError, RuleError
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.library import load_game
from errai.games.rake import Rake, parse_rake
from errai.games.spot import Spot

HOLDEM = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")


def test_a_spot_knows_its_pot_its_board_and_its_weights() -> None:
    spot = Spot(HOLDEM, betting="rc/cc", board="ks 8s3d 7h", range_bb="AA:0.5", range_dealer="KK")
    assert (spot.betting, spot.board) == ("rc/cc/", "Ks8s3d7h")
    assert spot.name == "holdem.limit.2p Ks8s3d7h rc/cc/"
    assert spot.pot_chips == 40
    assert spot.weights[0].sum() == 6 * 0.5
    assert spot.weights[1].sum() == 3  # the king of spades is on the board
    kings = hand_index(np.array([HOLDEM.deck.parse("KsKd"), HOLDEM.deck.parse("KhKd")]))
    assert spot.weights[1][kings].tolist() == [0, 1]


def test_spots_are_equal_when_they_are_written_the_same() -> None:
    assert Spot(HOLDEM, "rc/", "Ks8s3d") == Spot(HOLDEM, "rc", "KS8S3D")
    assert Spot(HOLDEM, "rc/", "Ks8s3d") != Spot(HOLDEM, "cc/", "Ks8s3d")


def test_a_game_with_one_hole_card_has_spots_with_every_hand() -> None:
    spot = Spot(load_game("leduc"), betting="rc/", board="Ks")
    assert spot.weights[0].sum() == 5
    with pytest.raises(InputError, match="`leduc` deals one hole card; its only range is `random`; got `KK`"):
        Spot(load_game("leduc"), betting="rc/", board="Ks", range_bb="KK")


@pytest.mark.parametrize(
    ("texts", "error", "message", "hint"),
    [
        (
            {"board": "KsKs3d7h"},
            InputError,
            "`board`: every card must be different; got `KsKs3d7h`",
            "write every card once: `Ks8s3d7h`",
        ),
        (
            {"board": "Ks8s3d7x"},
            InputError,
            "`board`: `7x` is not a card of this deck",
            "ranks are 2 3 4 5 6 7 8 9 T J Q K A; suits are c d h s",
        ),
        (
            {"board": "Ks8s3d"},
            InputError,
            "the betting `rc/cc/` leads to round 3, which has 4 cards on the board; got 3: `Ks8s3d`",
            "board and betting must belong to the same round: `rc/` to a flop, `rc/cc/` to a turn",
        ),
        (
            {"betting": "rc/cf/"},
            RuleError,
            "character 5 (`f`) of the betting `rc/cf/`: player 1 cannot fold: the call is free",
            "actions are `f`, `c` and `r`, and `/` ends a round, as in `rc/cc/`",
        ),
        (
            {"betting": "rrrrc/cc/"},
            RuleError,
            "character 4 (`r`) of the betting `rrrrc/cc/`: player 0 cannot raise: "
            "3 raises were made of the 3 that round 1 allows",
            "actions are `f`, `c` and `r`, and `/` ends a round, as in `rc/cc/`",
        ),
        (
            {"betting": "rc/cc/c"},
            InputError,
            "a spot begins at the start of a round; the betting `rc/cc/c` is in the middle of one",
            "`rc/cc/` is the start of that round; `errai show` looks at any point below it",
        ),
        (
            {"betting": "rf"},
            InputError,
            "the hand is over after the betting `rf`",
            "a spot begins where a round does: `rc/`",
        ),
        (
            {"range_dealer": "KsKd,Ks8d"},
            InputError,
            "the range of the dealer is empty: no hand of `KsKd,Ks8d` is possible on `Ks8s3d7h`",
            "add hands to the range, or `random` for all of them",
        ),
        (
            {"range_bb": "AA:0"},
            InputError,
            "the range of the big blind is empty: no hand of `AA:0` is possible on `Ks8s3d7h`",
            "add hands to the range, or `random` for all of them",
        ),
        (
            {"range_bb": "AsAd", "range_dealer": "AsKd,AdKd"},
            InputError,
            "the ranges conflict: every hand of `AsAd` shares a card with every hand of `AsKd,AdKd`",
            "at least one hand of one range must leave the cards of one hand of the other",
        ),
        (
            {"range_bb": "AKx"},
            InputError,
            "`AKx` is not a term of a range",
            "terms look like `AA`, `AKs`, `T9o:0.5`, `TT+`, `A5s-A2s`, `AsKd` or `random`",
        ),
    ],
    ids=str,
)
def test_a_spot_that_cannot_be_is_refused_with_a_hint(
    texts: dict[str, Any], error: type[InputError], message: str, hint: str
) -> None:
    with pytest.raises(error) as caught:
        Spot(HOLDEM, **{"betting": "rc/cc/", "board": "Ks8s3d7h", **texts})
    assert str(caught.value) == message
    assert caught.value.hint == hint


def test_a_spot_by_pot_and_stack_has_no_blinds() -> None:
    spot = Spot(NO_LIMIT, pot=181, stack=910, board="qs Jh2h", bets="turn 50%;a")
    assert spot.name == "holdem.nolimit.2p QsJh2h pot 181 stack 910"
    assert (spot.pot_chips, spot.dead_pot_chips) == (181, 181)
    assert spot.bets == "a\nturn 50%"
    assert (spot.root.round, spot.root.actor, spot.root.committed) == (1, 0, (0, 0))
    assert spot.root.raise_bounds() == (1, 910)  # the smallest bet is one chip
    assert spot.root.apply_raise(75).raise_bounds() == (150, 910)  # a raise adds at least the amount to call
    assert spot.root.apply_raise(75).apply_raise(200).raise_bounds() == (325, 910)


@pytest.mark.parametrize(("board", "round_"), [("QsJh2h", 1), ("QsJh2h8c", 2), ("QsJh2h8c3d", 3)])
def test_the_board_says_where_a_spot_by_pot_and_stack_begins(board: str, round_: int) -> None:
    assert Spot(NO_LIMIT, pot=10, stack=10, board=board, bets="a").root.round == round_


def test_a_no_limit_spot_by_betting_follows_the_rules_of_the_game() -> None:
    spot = Spot(NO_LIMIT, betting="r300c/", board="QsJh2h", bets="fcpa")
    assert (spot.pot_chips, spot.dead_pot_chips) == (600, 0)
    assert spot.root.raise_bounds() == (400, 20000)
    assert spot.rules is NO_LIMIT


def test_a_spot_keeps_its_menu_and_its_rake_in_one_spelling() -> None:
    texts: dict[str, Any] = {"board": "QsJh2h", "betting": "r300c/"}
    first = Spot(NO_LIMIT, **texts, bets="RIVER a; fcpa", rake="5.0% cap 30")
    assert first == Spot(NO_LIMIT, **texts, bets="100%,a\nriver a", rake=" 5 %  cap 30.0")
    assert first.rake_rule == Rake(Fraction(5), Fraction(30))
    assert first.menu == parse_bet_menu("fcpa; river a")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bets": ""}, "`holdem.nolimit.2p` is no-limit: a spot needs a bet menu"),
        ({"bets": " "}, "`holdem.nolimit.2p` is no-limit: a spot needs a bet menu"),
        ({"stack": None}, "pot and stack must be given together"),
        ({"pot": None}, "pot and stack must be given together"),
        ({"betting": "r300c/"}, "by pot and stack or by the betting; got both, with `r300c/`"),
        ({"pot": 0}, "`pot` must be 1 to 1,000,000,000 chips; got `0`"),
        ({"stack": -5}, "`stack` must be 1 to 1,000,000,000 chips; got `-5`"),
        ({"board": ""}, "with 3 or 4 or 5 cards on the board; got 0: ``"),
        ({"board": "QsJh"}, "with 3 or 4 or 5 cards on the board; got 2: `QsJh`"),
        ({"board": "QsQs2h"}, "`board`: every card must be different"),
        ({"bets": "turn 50%; river 50%"}, "the bet menu has no sizes for bb on the flop"),
        ({"bets": "50%; river 3x"}, "`3x` is a multiple of the previous bet"),
        ({"rake": "5"}, "`rake` must be a percentage of the pot; got `5`"),
        ({"rake": "101%"}, "rake is 0 to 100 % of the pot; got `101%`"),
        ({"range_bb": "QsJh"}, "the range of the big blind is empty: no hand of `QsJh` is possible on `QsJh2h`"),
    ],
    ids=str,
)
def test_a_no_limit_spot_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Spot(NO_LIMIT, **{"pot": 180, "stack": 910, "board": "QsJh2h", "bets": "50%", **options})
    assert message in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("options", [{"pot": 40}, {"stack": 40}, {"bets": "fcpa"}, {"rake": "5%"}], ids=str)
def test_limit_spots_have_no_menu_and_no_pot_of_their_own(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"is for no-limit games; `holdem\.limit\.2p` is a limit game"):
        Spot(HOLDEM, betting="rc/", board="Ks8s3d", **options)


@pytest.mark.parametrize(
    ("rake", "pot", "taken"),
    [
        ("5%", 100, 5),
        ("5%", 101, Fraction(505, 100)),
        ("5% cap 3", 100, 3),
        ("5% cap 0.5", 8, Fraction(2, 5)),
        ("0%", 9, 0),
    ],
)
def test_rake_is_a_part_of_the_pot_up_to_its_cap(rake: str, pot: int, taken: Fraction) -> None:
    assert parse_rake(rake).of_pot(pot) == taken
