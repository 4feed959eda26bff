"""PHH is read by PokerKit, whose authors wrote the format: what it makes of our hands must be what they paid."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from pokerkit import HandHistory

from errai.errors import InputError, StorageError
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.played_hand import Deal, PlayedHand
from errai.storage.phh import PhhFile, format_phh
from reference.random_hands import random_hands

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")
SHORT_STACKS = replace(NO_LIMIT, stacks=(700, 700))


def deal(text: str) -> Deal:
    first, second, board = (NO_LIMIT.deck.parse(part) for part in text.split("|"))
    return Deal((first, second), board)


def test_an_all_in_hand_is_written_with_the_cards_shown_before_the_rest_of_the_board() -> None:
    betting = parse_betting(NO_LIMIT, "r300c/r20000c")
    hand = PlayedHand(7, deal("AsKd|QhJh|2c3c4c9d9s"), betting, ("Ann", "Bob"))
    assert (
        format_phh(hand)
        == """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ["d dh p1 AsKd", "d dh p2 QhJh", "p2 cbr 300", "p1 cc", "d db 2c3c4c", "p1 cbr 19700", "p2 cc", \
"p1 sm AsKd", "p2 sm QhJh", "d db 9d", "d db 9s"]
hand = 7
players = ["Ann", "Bob"]
finishing_stacks = [40000, 0]
"""
    )


def test_a_fixed_limit_hand_is_written_with_its_two_bets() -> None:
    hand = PlayedHand(0, deal("AsKd|QhJh|2c3c4c9d9s"), parse_betting(LIMIT, "crc/cc/rf"), ("Ann", "Bob"))
    written = tomllib.loads(format_phh(hand))
    assert (written["variant"], written["small_bet"], written["big_bet"]) == ("FT", 10, 20)
    assert written["actions"][2:] == [
        *("p2 cc", "p1 cbr 20", "p2 cc", "d db 2c3c4c", "p1 cc", "p2 cc", "d db 9d", "p1 cbr 20", "p2 f"),
    ]


@pytest.mark.parametrize("definition", [LIMIT, NO_LIMIT, SHORT_STACKS], ids=["limit", "no-limit", "7 big blinds"])
def test_pokerkit_plays_random_hands_to_the_same_payoffs(definition: GameDefinition, tmp_path: Path) -> None:
    hands = list(random_hands(definition, count=400, seed=1))
    path = tmp_path / "hands.phhs"
    with PhhFile(path, definition) as file:
        for hand in hands:
            file.write_hand(hand)
    with path.open("rb") as written:
        histories = list(HandHistory.load_all(written))
    assert len(histories) == len(hands)
    for hand, history in zip(hands, histories, strict=True):
        *_, last = history
        assert not last.status
        assert tuple(last.payoffs) == hand.payoffs_chips
        assert last.stacks == history.finishing_stacks
        assert history.players == ["Ann", "Bob"]
    assert any(hand.betting.is_showdown for hand in hands)
    assert any(not hand.betting.is_showdown for hand in hands)


@pytest.mark.parametrize("game", ["leduc", "royal", "kuhn"])
def test_games_that_phh_does_not_know_are_refused_before_a_file_is_made(game: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"PHH has no variant for the game `{game}`"):
        PhhFile(tmp_path / "hands.phhs", load_game(game))
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"nowhere/hands\.phhs` cannot be written: No such file or directory"):
        PhhFile(tmp_path / "nowhere" / "hands.phhs", NO_LIMIT)
