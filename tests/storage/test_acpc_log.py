from pathlib import Path

import pytest

from errai.errors import StorageError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.played_hand import Deal, PlayedHand
from errai.storage.acpc_log import AcpcLog, format_hand, format_score
from reference.random_hands import random_hands

NO_LIMIT = load_game("holdem.nolimit.2p")
DECK = NO_LIMIT.deck
DEAL = Deal((DECK.parse("AsKd"), DECK.parse("QhJh")), DECK.parse("2c3c4c9d9s"))


def played(betting: str, names: tuple[str, str] = ("a", "b")) -> PlayedHand:
    return PlayedHand(3, DEAL, parse_betting(NO_LIMIT, betting), names)


def test_a_fold_shows_all_hole_cards_and_the_board_so_far() -> None:
    assert format_hand(played("r300c/r600f")) == "STATE:3:r300c/r600f:AsKd|QhJh/2c3c4c:300|-300:a|b"


def test_a_showdown_shows_the_whole_board() -> None:
    assert format_hand(played("cc/cc/cc/cc")) == "STATE:3:cc/cc/cc/cc:AsKd|QhJh/2c3c4c/9d/9s:100|-100:a|b"


def test_the_rounds_after_an_all_in_are_written_empty() -> None:
    assert format_hand(played("r20000c")) == "STATE:3:r20000c///:AsKd|QhJh/2c3c4c/9d/9s:20000|-20000:a|b"


def test_names_lose_what_the_format_separates_by() -> None:
    assert format_hand(played("f", ("bots.py:Bot", "a|b c"))).endswith(":50|-50:bots.py_Bot|a_b_c")


def test_the_score_is_in_the_order_of_the_seats() -> None:
    assert format_score((-750, 750), ("a", "b")) == "SCORE:-750|750:a|b"


def test_a_log_holds_a_line_for_every_hand_as_soon_as_it_is_over(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    with AcpcLog(path) as log:
        log.write_comment("name/game/hands/seed match holdem 20 1")
        for number, hand in enumerate(random_hands(NO_LIMIT, count=20, seed=1)):
            log.write_hand(hand)
            assert len(path.read_text().splitlines()) == 2 + number
        log.write_score((1, -1), ("a", "b"))
    lines = path.read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed match holdem 20 1"
    assert [line.split(":")[1] for line in lines[1:-1]] == [str(number) for number in range(20)]
    assert lines[-1] == "SCORE:1|-1:a|b"


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written: Is a directory"):
        AcpcLog(tmp_path)
