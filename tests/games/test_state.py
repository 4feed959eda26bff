from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.errors import RuleError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, BettingState, Raise, initial_state
from reference.game_strategies import hands

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")


def no_limit(*, stacks: tuple[int, int], betting: str = "") -> BettingState:
    return parse_betting(replace(NO_LIMIT, stacks=stacks), betting)


def test_the_small_blind_acts_first_before_the_flop_and_the_big_blind_after_it() -> None:
    state = initial_state(LIMIT)
    assert (state.actor, state.committed) == (1, (10, 5))
    flop = state.apply_call().apply_call()
    assert (flop.round, flop.actor, flop.committed) == (1, 0, (10, 10))


def test_the_big_blind_may_raise_after_a_limp() -> None:
    assert initial_state(LIMIT).apply_call().legal_actions() == (CALL, Raise(20))


def test_actions_come_in_the_order_fold_call_raise() -> None:
    assert initial_state(LIMIT).legal_actions() == (FOLD, CALL, Raise(20))


def test_a_limit_raise_adds_the_raise_size_of_its_round() -> None:
    assert parse_betting(LIMIT, "rrc/rrc/r").committed == (70, 50)


def test_blinds_do_not_count_as_raises_so_three_raises_are_left_before_the_flop_and_four_after_it() -> None:
    assert not parse_betting(LIMIT, "rrr").can_raise()
    assert parse_betting(LIMIT, "cc/rrr").can_raise()
    assert not parse_betting(LIMIT, "cc/rrrr").can_raise()


def test_a_limit_raise_goes_all_in_when_the_stack_is_short_of_the_raise_size() -> None:
    state = initial_state(replace(LIMIT, stacks=(17, 17)))
    assert state.raise_bounds() == (17, 17)
    assert state.apply_raise().legal_actions() == (FOLD, CALL)


def test_the_least_no_limit_raise_is_the_big_blind_or_the_largest_raise_of_the_round() -> None:
    assert parse_betting(NO_LIMIT, "").raise_bounds() == (200, 20000)
    assert parse_betting(NO_LIMIT, "r300").raise_bounds() == (500, 20000)
    assert parse_betting(NO_LIMIT, "r300r1000").raise_bounds() == (1700, 20000)
    assert parse_betting(NO_LIMIT, "r300c/").raise_bounds() == (400, 20000)


def test_a_no_limit_raise_below_the_least_one_is_legal_only_all_in() -> None:
    assert parse_betting(NO_LIMIT, "r15000").raise_bounds() == (20000, 20000)


def test_nobody_raises_an_opponent_who_is_all_in() -> None:
    assert no_limit(stacks=(5000, 1000), betting="r1000").legal_actions() == (FOLD, CALL)


def test_nobody_raises_when_the_call_takes_the_whole_stack() -> None:
    assert no_limit(stacks=(1000, 5000), betting="r3000").legal_actions() == (FOLD, CALL)


def test_a_called_all_in_goes_to_the_showdown_of_the_last_round() -> None:
    state = parse_betting(NO_LIMIT, "r20000c")
    assert (state.is_showdown, state.round, state.history[1:]) == (True, 3, ((), (), ()))


def test_the_part_of_a_bet_that_the_shorter_stack_cannot_match_goes_back() -> None:
    state = no_limit(stacks=(1000, 5000), betting="r3000c")
    assert state.is_showdown
    assert state.payoff_chips(1, 1) == 1000
    assert state.payoff_chips(1, 0) == -1000


def test_a_call_that_does_not_reach_the_big_blind_leaves_the_big_blind_a_free_call() -> None:
    state = no_limit(stacks=(5000, 80), betting="c")
    assert (state.committed, state.actor, state.legal_actions()) == ((100, 80), 0, (CALL,))
    assert state.apply_call().is_showdown


def test_a_player_whose_blind_is_the_whole_stack_does_not_act() -> None:
    state = no_limit(stacks=(5000, 50))
    assert (state.actor, state.legal_actions()) == (0, (CALL,))


def test_blinds_that_take_both_stacks_end_the_betting_at_once() -> None:
    assert no_limit(stacks=(100, 50)).is_showdown


def test_without_blinds_the_least_raise_is_one_chip() -> None:
    assert initial_state(replace(NO_LIMIT, blinds=(0, 0))).raise_bounds() == (1, 20000)


def test_a_fold_costs_what_the_folder_put_in() -> None:
    state = parse_betting(LIMIT, "rrf")
    assert (state.payoff_chips(0), state.payoff_chips(1)) == (20, -20)


def test_a_tie_pays_nothing() -> None:
    assert parse_betting(NO_LIMIT, "r20000c").payoff_chips(0, None) == 0


@pytest.mark.parametrize(
    ("betting", "action", "message"),
    [
        ("c", FOLD, "player 0 cannot fold: the call is free"),
        ("r300", Raise(450), "player 0 must raise to a total of 500 to 20000 chips; got 450"),
        ("r15000", Raise(19999), "player 0 must raise to a total of exactly 20000 chips; got 19999"),
        ("r300", Raise(20001), "player 0 must raise to a total of 500 to 20000 chips; got 20001"),
        ("r20000", Raise(20000), "player 0 cannot raise: the opponent is all-in with 20000 chips"),
        ("f", CALL, "the betting of this hand is over: nobody is to act"),
        ("f", FOLD, "the betting of this hand is over: nobody is to act"),
        ("f", Raise(200), "the betting of this hand is over: nobody is to act"),
    ],
)
def test_an_illegal_action_says_which_rule_it_breaks(betting: str, action: object, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_betting(NO_LIMIT, betting).apply(action)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_other_reasons_not_to_raise_are_named() -> None:
    with pytest.raises(RuleError, match="3 raises were made of the 3 that round 1 allows"):
        parse_betting(LIMIT, "rrr").apply_raise()
    with pytest.raises(RuleError, match="a call to 3000 chips takes the whole stack of 1000"):
        no_limit(stacks=(1000, 5000), betting="r3000").apply_raise(3001)
    with pytest.raises(RuleError, match="a raise needs its total, 200 to 20000 chips; got none"):
        initial_state(NO_LIMIT).apply_raise()
    with pytest.raises(RuleError, match="the hand is not over: player 1 is to act"):
        initial_state(LIMIT).payoff_chips(0, 0)


@given(hands())
def test_no_hand_makes_or_loses_chips(states: list[BettingState]) -> None:
    end = states[-1]
    for winner in (0, 1, None):
        payoffs = [end.payoff_chips(player, winner) for player in (0, 1)]
        assert sum(payoffs) == 0
        for player, payoff in enumerate(payoffs):
            assert -end.committed[player] <= payoff <= end.committed[1 - player]


@given(hands())
def test_commitments_only_grow_and_never_pass_the_stack(states: list[BettingState]) -> None:
    for before, after in pairwise(states):
        for player in (0, 1):
            assert before.committed[player] <= after.committed[player] <= after.definition.stacks[player]


@given(hands())
def test_rounds_end_with_equal_commitments_unless_somebody_is_all_in(states: list[BettingState]) -> None:
    for before, after in pairwise(states):
        if after.round > before.round or after.is_showdown:
            all_in = any(after.committed[player] == after.definition.stacks[player] for player in (0, 1))
            assert all_in or after.committed[0] == after.committed[1]
            assert after.is_showdown == (all_in or before.round == after.definition.num_rounds - 1)


@given(hands(), st.integers(0, 70))
def test_verify_can_apply_and_the_legal_actions_agree(states: list[BettingState], total: int) -> None:
    for state in states:
        legal = state.legal_actions()
        for action, can, verify in (
            (FOLD, state.can_fold(), state.verify_fold),
            (CALL, state.can_call(), state.verify_call),
            (Raise(total), state.can_raise(total), lambda state=state: state.verify_raise(total)),
        ):
            assert can == (action in legal)
            if can:
                verify()
                assert [*state.apply(action).history[state.round]] == [*state.history[-1], action]
            else:
                with pytest.raises(RuleError):
                    verify()
                with pytest.raises(RuleError):
                    state.apply(action)


@given(hands())
def test_a_state_does_not_depend_on_how_it_is_reached_from_its_history(states: list[BettingState]) -> None:
    state = initial_state(states[0].definition)
    for actions in states[-1].history:
        for action in actions:
            state = state.apply(action)
    assert state == states[-1]
