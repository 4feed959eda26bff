import pytest

from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.play.bet_sets import parse_bets

NO_LIMIT = load_game("holdem.nolimit.2p")


def totals(bets: str, betting: str, game: str = "holdem.nolimit.2p") -> list[int]:
    return parse_bets(bets).raise_totals(parse_betting(load_game(game), betting))


def test_fold_and_call_alone_have_no_raises() -> None:
    assert totals("fc", "") == []


@pytest.mark.parametrize(
    ("betting", "pot_raise"),
    [
        ("", 300),  # the dealer calls 50, the pot is then 200: a raise to 100 + 200
        ("c", 300),
        ("r300", 900),
        ("r300c/", 900),  # a pot of 600 is bet on top of the 300 that are in
        ("r300c/r900", 2700),
    ],
)
def test_a_pot_raise_is_a_call_and_the_pot_on_top(betting: str, pot_raise: int) -> None:
    assert totals("fcpa", betting) == [pot_raise, 20000]


def test_fractions_that_do_not_fit_become_the_smallest_raise_or_all_in() -> None:
    assert totals("0.1,0.25,1,500", "") == [200, 300, 20000]


def test_the_56_bets_are_56_where_all_fit() -> None:
    fractions = parse_bets("56bets").fractions
    assert len(fractions) == 55
    assert fractions[0] == 0.05
    assert fractions[54] == pytest.approx(0.05 * 1.15**54)
    found = totals("56bets", "r2000c/")
    # The smallest, 0.05 of a pot of 4,000, is 200 chips; all-in is 18,000 chips, 4.5 pots, reached after 33 sizes.
    assert found[0] == 2200
    assert found[-1] == 20000
    assert found == sorted(set(found))
    assert len(found) == 34


@pytest.mark.parametrize("betting", ["", "c", "r300", "r300c/", "r300c/r900", "r8000", "r300c/r900c/"])
def test_a_menu_of_percentages_is_the_set_of_the_same_fractions(betting: str) -> None:
    assert totals("100%,a", betting) == totals("fcpa", betting)
    assert totals("50%,200%", betting) == totals("0.5,2", betting)


def test_a_menu_may_differ_by_street_and_for_raises() -> None:
    assert totals("50% / 3x; river a", "r300c/") == [600]
    assert totals("50% / 3x; river a", "r300c/r600") == [1200]  # to three times 300 on top of 300
    assert totals("50% / 3x; river a", "r300c/cc/cc/") == [20000]


@pytest.mark.parametrize("bets", ["100%,a", "e", "50% / 3x"])
def test_in_limit_every_menu_is_the_one_raise(bets: str) -> None:
    assert totals(bets, "r", "holdem.limit.2p") == [30]


def test_sizes_that_come_out_equal_are_one() -> None:
    assert totals("fcpa", "r8000") == [20000]
    assert totals("1,1.0,0.999999", "r300") == [900]


def test_there_are_none_where_no_raise_is_legal() -> None:
    assert totals("56bets", "r20000") == []


@pytest.mark.parametrize("bets", ["fcpa", "56bets", "1,2"])
def test_in_limit_every_set_is_the_one_raise(bets: str) -> None:
    assert totals(bets, "r", "holdem.limit.2p") == [30]
    assert totals(bets, "rrr", "holdem.limit.2p") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fcp", "there is no set of bets `fcp`"),
        ("", "there is no set of bets ``"),
        ("river 50%", "there is no set of bets `river 50%`: the bet menu has no sizes for bb before the flop"),
        ("50%,3x", "there is no set of bets `50%,3x`: `50%,3x`: `3x` is a multiple of the previous bet"),
        ("-1,2", "must be at least 0; got `-1,2`"),
        ("nan", "must be at least 0; got `nan`"),
        ("inf", "must be at least 0; got `inf`"),
    ],
)
def test_a_set_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_bets(text)
