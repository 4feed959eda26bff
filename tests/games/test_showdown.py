import pytest

from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.showdown import Chips, payoffs_chips

LIMIT = load_game("holdem.limit.2p")
BOARD = LIMIT.deck.parse("2c8c3h9cJd")


def payoffs(betting: str, first: str, second: str) -> tuple[Chips, Chips]:
    parse = LIMIT.deck.parse
    return payoffs_chips(parse_betting(LIMIT, betting), (parse(first), parse(second)), BOARD)


def test_the_stronger_hand_wins_what_the_other_put_in() -> None:
    betting = "rc/rc/cc/cc"
    assert payoffs(betting, "AcKc", "AsAd") == (30, -30)
    assert payoffs(betting, "AsAd", "AcKc") == (-30, 30)


def test_equal_hands_split() -> None:
    assert payoffs("cc/cc/cc/cc", "AsKd", "AdKs") == (0, 0)


def test_after_a_fold_the_cards_do_not_matter() -> None:
    assert payoffs("rrf", "AcKc", "AsAd") == (20, -20)
    assert payoffs_chips(parse_betting(LIMIT, "f"), ((), ()), ()) == (5, -5)


def test_a_pair_with_the_board_wins_in_leduc() -> None:
    leduc = load_game("leduc")
    state = parse_betting(leduc, "cc/rc")
    parse = leduc.deck.parse
    assert payoffs_chips(state, (parse("Qh"), parse("Ah")), parse("Qs")) == (5, -5)


def test_a_showdown_without_all_its_cards_is_refused() -> None:
    with pytest.raises(InputError, match="a showdown needs 5 cards as board; got 3"):
        payoffs_chips(parse_betting(LIMIT, "cc/cc/cc/cc"), ((0, 1), (2, 3)), BOARD[:3])
