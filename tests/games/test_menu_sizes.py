"""Sizes in chips. Expected figures are computed by hand from the rules in the docstring of `menu_sizes`."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.games.acpc import parse_betting
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.library import load_game
from errai.games.menu_sizes import BetSituation, bet_totals, menu_raise_totals, situation_of

NO_LIMIT = load_game("holdem.nolimit.2p")

# Pot 100, stacks 400 on the turn, nobody has bet; then a bet of 75: P = 100 + 2 * 75.
FIRST_BET = BetSituation(street=2, player=0, pot_after_call=100, previous_bet=0, smallest=1, all_in=400, streets_left=2)
FACING_75 = replace(FIRST_BET, player=1, pot_after_call=250, previous_bet=75, smallest=150, num_bets=1)


def first_bets(menu: str, **changes: Any) -> list[int]:
    return list(bet_totals(parse_bet_menu(menu), replace(FIRST_BET, **changes)))


def raises(menu: str, **changes: Any) -> list[int]:
    return list(bet_totals(parse_bet_menu(menu), replace(FACING_75, **changes)))


@pytest.mark.parametrize(
    ("size", "total"),
    [
        ("50%", 50),
        ("33.3%", 33),
        ("40c", 40),
        ("a", 400),
        ("2e", 100),  # (sqrt(2 * 4 + 1) - 1) / 2 = 1 of the pot; twice that takes 100, then 300 of a pot of 300
        ("e", 100),  # two streets are left
        ("1e", 400),
        ("3e", 54),  # (9^(1/3) - 1) / 2 = 0.540042
        ("0.4%", 1),  # less than the smallest bet
        ("500%", 400),  # more than the stack
    ],
)
def test_a_first_bet(size: str, total: int) -> None:
    assert first_bets(size) == [total]


@pytest.mark.parametrize(
    ("size", "total"),
    [
        ("50%", 200),  # 75 + half of 250
        ("3x", 225),
        ("2.5x", 188),  # 187.5
        ("100c", 175),
        ("a", 400),
        ("10%", 150),  # the smallest raise adds what there is to call
        ("1.5x", 150),
        ("2e", 400),  # one bet was made, so one street is left for the raise
        ("3e", 187),  # two are: S = 325 / 250, (sqrt(3.6) - 1) / 2 = 0.448683, 75 + 112.17 = 187.17
    ],
)
def test_a_raise(size: str, total: int) -> None:
    assert raises(f"50% / {size}") == [total]


def test_a_geometric_raise_keeps_at_least_one_street() -> None:
    assert raises("50% / 2e", num_bets=5) == [400]


def test_halves_round_up() -> None:
    assert first_bets("50%", pot_after_call=101) == [51]
    assert first_bets("29%", pot_after_call=50) == [15]  # 14.5, which doubles would make 14.499999999999998
    assert raises("50% / 50%", pot_after_call=251) == [201]  # 75 + 125.5


def test_equal_sizes_are_one_and_sizes_ascend() -> None:
    assert first_bets("a,100%,50%,100c,600%") == [50, 100, 400]


@pytest.mark.parametrize(
    ("threshold", "totals"),
    [("3.99", [50]), ("4", [50, 400]), ("4.5", [50, 400])],
)
def test_all_in_is_added_to_a_bet_where_it_is_at_most_so_many_pots(threshold: str, totals: list[int]) -> None:
    assert first_bets(f"50%; add-all-in {threshold}") == totals


@pytest.mark.parametrize(("threshold", "totals"), [("1.29", [200]), ("1.3", [200, 400])])
def test_all_in_is_added_to_a_raise_where_it_adds_at_most_so_many_pots(threshold: str, totals: list[int]) -> None:
    assert raises(f"50% / 50%; add-all-in {threshold}") == totals  # 325 = 1.3 * 250


def test_a_cap_also_stops_all_in_from_being_added() -> None:
    assert raises("50% / 50% cap 1; add-all-in 9") == []


@pytest.mark.parametrize(("threshold", "totals"), [("0.14", [300]), ("0.15", [400])])
def test_a_bet_that_leaves_little_behind_becomes_all_in(threshold: str, totals: list[int]) -> None:
    # 300 leaves 100 behind a pot of 700: 0.142857
    assert first_bets(f"300%; force-all-in {threshold}") == totals


def test_a_raise_that_leaves_little_behind_becomes_all_in() -> None:
    # To 200 leaves 200 behind a pot of 250 + 2 * 125 = 500.
    assert raises("50% / 50%; force-all-in 0.399999") == [200]
    assert raises("50% / 50%; force-all-in 0.4") == [400]


def test_sizes_that_are_close_to_a_larger_one_are_dropped() -> None:
    # 1.5 / 1.4 = 1.0714, 1.5 / 1.33 = 1.128, 1.33 / 1.25 = 1.064
    assert first_bets("25%,33%,40%,50%; merge 0.1") == [33, 50]
    assert first_bets("25%,33%,40%,50%; merge 0.05") == [25, 33, 40, 50]
    assert first_bets("25%,33%,40%,50%; merge 0") == [25, 33, 40, 50]


def test_the_boundary_of_merging_keeps_a_size() -> None:
    assert first_bets("100%,120%; merge 0.1") == [100, 120]  # 2.2 / 2.0 is exactly 1.1, which is not less
    assert first_bets("100%,120%; merge 0.100001") == [120]


def test_merging_compares_what_raises_add_to_a_call() -> None:
    # 50 % adds 125 to 250, 60 % adds 150: 400 / 375 = 1.0667
    assert raises("50% / 50%,60%; merge 0.07") == [225]
    assert raises("50% / 50%,60%; merge 0.06") == [200, 225]


def test_all_in_is_added_then_forced_then_merged() -> None:
    # All-in (400) is added; 300 leaves 100 of 700 and is forced to it; 250 then is too close: 5 / 3.5 = 1.43.
    menu = "50%,250%,300%; add-all-in 4; force-all-in 0.15; merge 0.5"
    assert first_bets(menu) == [50, 400]


def test_no_limit_holdem_by_its_own_rules() -> None:
    def totals(menu: str, betting: str) -> list[int]:
        return list(menu_raise_totals(parse_bet_menu(menu), parse_betting(NO_LIMIT, betting)))

    assert totals("fcpa", "") == [300, 20000]
    assert totals("fcpa", "r300") == [900, 20000]
    assert totals("fcpa", "r300c/") == [900, 20000]
    assert totals("fcpa", "r300c/r900") == [2700, 20000]
    assert totals("preflop 2.5x,a / 3x cap 2", "") == [250, 20000]
    assert totals("preflop 2.5x,a / 3x cap 2", "c") == [250, 20000]
    assert totals("preflop 2.5x,a / 3x cap 2", "r250") == [750]
    assert totals("preflop 2.5x,a / 3x cap 2", "r250r750") == []
    assert totals("1%", "r300c/") == [400]  # the smallest bet is the big blind
    assert totals("50% / 3x", "r300c/r400") == [600]  # to three times 100 on top of the 300 before the flop
    assert totals("1%", "r20000") == []


def test_a_lead_follows_a_call_of_the_player_out_of_position() -> None:
    def is_lead(betting: str) -> bool:
        situation = situation_of(parse_betting(NO_LIMIT, betting))
        assert situation is not None
        return situation.is_lead

    assert is_lead("r300c/")  # the dealer raises, the big blind calls and then acts first
    assert not is_lead("cr300c/")  # the dealer called
    assert not is_lead("cc/")
    assert not is_lead("r300c/c")
    assert is_lead("cc/cr300c/")
    assert not is_lead("cc/r300c/")
    assert not is_lead("cr300c/r500r900c/c")
    assert is_lead("cr300c/cr500c/")
    assert not is_lead("r300c/cc/")  # on the street before


@given(
    pot=st.integers(1, 10**6),
    stack=st.integers(1, 10**6),
    streets=st.integers(1, 9),
)
def test_a_geometric_size_is_the_rounded_root(pot: int, stack: int, streets: int) -> None:
    situation = BetSituation(street=1, player=0, pot_after_call=pot, previous_bet=0, smallest=1, all_in=stack)
    (total,) = bet_totals(parse_bet_menu(f"{streets}e"), situation)
    exact = pot * ((2 * stack / pot + 1) ** (1 / streets) - 1) / 2
    assert abs(total - max(exact, 1)) <= 0.5 + 1e-6 * exact


@given(
    st.lists(st.integers(1, 800), min_size=1, max_size=6, unique=True),
    st.integers(1, 500),
    st.integers(0, 400),
    st.integers(1, 2000),
)
def test_totals_are_legal_ascending_and_apart(percents: list[int], pot: int, merge: int, stack: int) -> None:
    text = ",".join(f"{percent}%" for percent in percents) + f"; merge {merge / 1000}; force-all-in 0.2"
    situation = replace(FIRST_BET, pot_after_call=pot, all_in=stack)
    totals = bet_totals(parse_bet_menu(text), situation)
    assert 1 <= len(totals) <= len(percents)
    assert all(1 <= total <= stack for total in totals)
    assert list(totals) == sorted(set(totals))
    for smaller, larger in pairwise(totals):
        assert Fraction(pot + larger, pot + smaller) >= 1 + Fraction(merge, 1000)
    for total in totals:
        assert total == stack or stack - total > Fraction(1, 5) * (pot + 2 * total)
