import re
from pathlib import Path

import pytest

from errai.errors import InputError, StorageError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.played_hand import Deal, PlayedHand
from errai.storage.acpc_log import AcpcLog, format_hand, format_score, parse_hand
from reference.random_hands import random_hands

ACPC_DATA = Path(__file__).parents[1] / "data" / "acpc"
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


@pytest.mark.parametrize(
    ("name", "game", "num_hands"),
    [
        ("kuhn", "kuhn", 1000),
        ("leduc", "leduc", 1000),
        ("limit", "holdem.limit.2p", 1500),
        ("nolimit", "holdem.nolimit.2p", 1399),
    ],
)
def test_the_logs_of_the_acpc_dealer_are_read_and_written_alike(name: str, game: str, num_hands: int) -> None:
    definition = load_game(game)
    lines = (ACPC_DATA / f"{name}.log").read_text().splitlines()
    states = [line for line in lines if line.startswith("STATE:")]
    scores = [line for line in lines if line.startswith("SCORE:")]
    assert len(states) == num_hands
    assert len(states) + len(scores) + sum(line.startswith("#") for line in lines) == len(lines)
    winnings = {"first": 0, "second": 0}
    for number, line in enumerate(states):
        record = parse_hand(definition, line)
        assert record.mismatch is None
        first, second = record.hole_cards
        assert first is not None
        assert second is not None
        hand = PlayedHand(number, Deal((first, second), record.board), record.betting, record.names)
        assert format_hand(hand) == line
        for player, chips in zip(hand.names, hand.payoffs_chips, strict=True):
            winnings[player] += int(chips)
    if name != "nolimit":  # cut off before its score
        assert scores == [format_score(list(winnings.values()), list(winnings))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("STATE:3:f:AsKd|QhJh:50|-50", "expected `STATE:<hand>:"),
        ("STATE:3:f:AsKd|QhJh:50:a|b", "expected `<payoff|payoff>:<name|name>`; got `50:a|b`"),
        ("STATE:3:c:AsKd|QhJh:50|-50:a|b", "hand 3 is not over"),
        ("STATE:3:cx:AsKd|QhJh:50|-50:a|b", "expected `f`, `c` or `r`; got `x`"),
    ],
)
def test_a_line_that_is_no_finished_hand_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        parse_hand(NO_LIMIT, line)


def test_payoffs_that_the_rules_do_not_give_are_named() -> None:
    record = parse_hand(NO_LIMIT, "STATE:3:f:AsKd|QhJh:49|-49:a|b")
    assert record.mismatch == "pays `50|-50` by the rules; the record says `49|-49`"
    assert parse_hand(NO_LIMIT, "STATE:3:f:AsKd|:50|-50:a|b").mismatch is None


def test_a_full_disk_is_named() -> None:
    full = "`/dev/full` cannot be written: No space left on device"
    with pytest.raises(StorageError, match=full), AcpcLog(Path("/dev/full")) as log:
        log.write_comment("hand")


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written: Is a directory"):
        AcpcLog(tmp_path)
