"""Hands of other programs: read as they were written, and checked against the rules."""

import re
from pathlib import Path

import pytest
from pokerkit import HandHistory

from errai.errors import InputError, StorageError
from errai.games.library import load_game
from errai.games.played_hand import Deal, PlayedHand
from errai.games.recorded_hand import RecordedHand
from errai.storage.hand_histories import SkippedHand, read_hand_history
from errai.storage.phh import PhhFile, format_phh
from reference.random_hands import random_hands

DATA = Path(__file__).parents[1] / "data"
PHH = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.5, 1]
min_bet = 1
starting_stacks = [100, 100.25]
actions = ["d dh p1 AsKd", "d dh p2 ????", "p2 cbr 3", "p1 cc # why not", "d db 2c3c4c", "p1 cbr 4.75", "p2 f"]
players = ["Ann", "Bob"]
finishing_stacks = [102.5, 97.25]
"""


def recorded(path: Path, **options: object) -> list[RecordedHand]:
    hands = read_hand_history(path, **options).hands  # type: ignore[arg-type]
    assert not [hand for hand in hands if isinstance(hand, SkippedHand)]
    return [hand for hand in hands if isinstance(hand, RecordedHand)]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "hands"
    path.write_text(text)
    return path


# Every hand that the ACPC's own dealer logged (tests/data/acpc/README.md).
@pytest.mark.parametrize(("name", "count"), [("kuhn", 1000), ("leduc", 1000), ("limit", 1500), ("nolimit", 1399)])
def test_the_acpc_dealer_pays_what_our_rules_say(name: str, count: int) -> None:
    hands = recorded(DATA / "acpc" / f"{name}.log")
    assert len(hands) == count
    assert [hand.mismatch for hand in hands if hand.mismatch] == []
    assert all(hand.payoffs_chips is not None and hand.recorded_chips is not None for hand in hands)


@pytest.mark.parametrize("name", ["limit", "nolimit"])
def test_pokerkit_agrees_with_the_payoffs_of_every_holdem_hand_of_the_acpc_dealer(name: str) -> None:
    for hand in recorded(DATA / "acpc" / f"{name}.log"):
        first, second = hand.hole_cards
        assert first is not None
        assert second is not None
        played = PlayedHand(0, Deal((first, second), hand.board), hand.betting, hand.names)
        *_, last = HandHistory.loads(format_phh(played))
        assert tuple(last.payoffs) == hand.payoffs_chips


@pytest.mark.parametrize("game", ["holdem.limit.2p", "holdem.nolimit.2p"])
def test_what_we_write_as_phh_is_read_back(game: str, tmp_path: Path) -> None:
    definition = load_game(game)
    hands = list(random_hands(definition, count=60, seed=2))
    path = tmp_path / "hands.phhs"
    with PhhFile(path, definition) as file:
        for hand in hands:
            file.write_hand(hand)
    for hand, found in zip(hands, recorded(path), strict=True):
        assert found.betting == hand.betting
        assert found.hole_cards == hand.deal.hole_cards
        assert found.board == hand.deal.board_at(hand.betting)
        assert found.names == hand.names
        assert found.payoffs_chips == hand.payoffs_chips
        assert found.mismatch is None


def test_amounts_with_decimals_are_hundredths_and_hidden_cards_stay_hidden(tmp_path: Path) -> None:
    (hand,) = recorded(written(tmp_path, PHH))
    assert hand.betting.definition.blinds == (100, 50)
    assert hand.betting.definition.stacks == (10_000, 10_025)
    assert hand.betting.committed == (775, 300)
    assert hand.hole_cards[1] is None
    assert hand.payoffs_chips == (300, -300)
    # The house took half a unit.
    assert hand.mismatch is None


def test_a_wrong_payoff_is_named(tmp_path: Path) -> None:
    (hand,) = recorded(written(tmp_path, PHH.replace("102.5, 97.25", "102, 98.25")))
    assert hand.mismatch == "pays `300|-300` by the rules; the record says `200|-200`"


def test_pokerstars_histories_are_read_through_pokerkit() -> None:
    hands = recorded(DATA / "histories" / "pokerstars.txt")
    assert [hand.label for hand in hands] == ["200000001", "200000002", "200000003"]
    assert [hand.names for hand in hands] == [("Bob", "Ann"), ("Ann", "Bob"), ("Bob", "Ann")]
    assert [hand.payoffs_chips for hand in hands] == [(-1350, 1350), (-100, 100), (6000, -6000)]
    assert [hand.mismatch for hand in hands] == [None, None, None]
    assert hands[1].betting.definition.stacks == (11_300, 108_650)  # which the history writes as $1,086.50


def test_a_pokerstars_history_that_pays_too_much_is_found(tmp_path: Path) -> None:
    text = (DATA / "histories" / "pokerstars.txt").read_text()
    hands = recorded(written(tmp_path, text.replace("Ann collected $26.50", "Ann collected $28.50")))
    assert hands[0].mismatch == "pays `-1350|1350` by the rules; the record says `-1450|1450`"


@pytest.mark.parametrize(
    ("change", "reason", "is_damaged"),
    [
        (("NT", "PO"), "the variant `PO` is not replayed", False),
        (("[100, 100.25]", "[100, 100, 100]"), "it has 3 players", False),
        (("antes = [0, 0]", "antes = [1, 1]"), "it has antes", False),
        (("[0.5, 1]", "[1, 1]"), "the blinds 100 and 100 are not those of heads-up hold'em", False),
        (("4.75", "4.755"), "it has amounts below a hundredth of the unit", False),
        (("p2 cbr 3", "p1 cbr 3"), "`p2` is to act; got `p1 cbr 3`", True),
        (("p2 cbr 3", "p2 cbr 900"), "must raise to a total of", True),
        ((', "p2 f"', ""), "the hand is not over: player 1 is to act", True),
        (("AsKd", "AsAs"), "every card must be different", True),
        (("p2 cbr 3", "p2 jumps"), "the action `p2 jumps` is not one of heads-up hold'em", True),
        (("[0.5, 1]", '["a", 1]'), "`blinds_or_straddles` must be numbers", True),
    ],
)
def test_a_hand_that_is_not_replayed_has_a_reason(
    tmp_path: Path, change: tuple[str, str], reason: str, is_damaged: bool
) -> None:
    (hand,) = read_hand_history(written(tmp_path, PHH.replace(*change))).hands
    assert isinstance(hand, SkippedHand)
    assert reason in hand.reason
    assert hand.is_damaged == is_damaged


def test_damaged_lines_and_foreign_games_do_not_end_a_file(tmp_path: Path) -> None:
    log = "# name/game/hands/seed x kuhn 2 1\nSTATE:0:cc:Qs|Ks:-1|1:a|b\nSTATE:1:cc:Qs|Qs:-1|1:a|b\n"
    good, bad = read_hand_history(written(tmp_path, log)).hands
    assert isinstance(good, RecordedHand)
    assert isinstance(bad, SkippedHand)
    assert (bad.label, bad.is_damaged) == ("line 3", True)
    text = (DATA / "histories" / "pokerstars.txt").read_text()
    other = read_hand_history(written(tmp_path, text.replace("Hold'em No Limit", "Omaha Pot Limit", 1))).hands
    assert isinstance(other[0], SkippedHand)
    assert not other[0].is_damaged
    broken = read_hand_history(written(tmp_path, text.replace("Seat 1: Ann ($100 in chips)\n", "", 1))).hands
    assert isinstance(broken[0], SkippedHand)
    assert broken[0].is_damaged
    assert isinstance(broken[1], RecordedHand)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no hands that can be read"),
        ("STATE:0:cc:Qs|Ks:-1|1:a|b\n", "does not say which game it is of"),
        ("# name/game/hands/seed x chess.game 2 1\nSTATE:0:cc:Qs|Ks:-1|1:a|b\n", "is of the game `chess.game`"),
        ("variant = \n", "is not a PHH file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read_hand_history(written(tmp_path, text))


def test_a_missing_file_and_a_directory_are_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        read_hand_history(tmp_path / "missing")
    with pytest.raises(InputError, match="not a regular file"):
        read_hand_history(tmp_path)
