from hypothesis import given, settings

from errai.games.bet_sizes import fraction_of_raise_total, raise_total_of_fraction
from errai.games.state import BettingState
from reference.game_strategies import hands as played_hands


@settings(max_examples=100, deadline=None)
@given(played_hands())
def test_the_fraction_of_a_raise_names_that_raise(states: list[BettingState]) -> None:
    for state in states:
        for total in state.raise_bounds() or ():
            assert raise_total_of_fraction(state, fraction_of_raise_total(state, total)) == total


@settings(max_examples=100, deadline=None)
@given(played_hands())
def test_a_fraction_is_always_a_legal_raise_where_there_is_one(states: list[BettingState]) -> None:
    for state in states:
        for fraction in (0.0, 0.3, 1.0, 1e9):
            total = raise_total_of_fraction(state, fraction)
            assert (total is None) == (state.raise_bounds() is None)
            assert total is None or state.can_raise(total)
