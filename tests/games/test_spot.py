import numpy as np
import pytest

from errai.cards.hands import hand_index
from errai.errors import InputError, RuleError
from errai.games.library import load_game
from errai.games.spot import Spot

HOLDEM = load_game("holdem.limit.2p")


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
    texts: dict[str, str], error: type[InputError], message: str, hint: str
) -> None:
    with pytest.raises(error) as caught:
        Spot(HOLDEM, **{"betting": "rc/cc/", "board": "Ks8s3d7h", **texts})
    assert str(caught.value) == message
    assert caught.value.hint == hint


def test_a_spot_of_a_no_limit_game_is_refused() -> None:
    with pytest.raises(InputError, match=r"a spot needs a limit game; `holdem.nolimit.2p` is no-limit") as caught:
        Spot(load_game("holdem.nolimit.2p"))
    assert caught.value.hint == "name `holdem.limit.2p`"
