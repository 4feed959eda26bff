"""Many random hands: chips are conserved in games of any shape, and PokerKit agrees about hold'em."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem, State

from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.showdown import payoffs_chips
from errai.games.state import Call, Fold, Raise, initial_state
from errai.play.hand_start import HandStart
from reference.game_strategies import definitions
from reference.random_hands import random_action

NO_LIMIT = load_game("holdem.nolimit.2p")
NO_LIMIT_GAMES = definitions(max_stack=2_000).filter(lambda definition: not definition.is_limit)

# All that PokerKit can do by itself, but for the cards.
AUTOMATIONS = tuple(set(Automation) - {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING})


def verify_random_hands(definition: GameDefinition, *, count: int, seed: int) -> None:
    """Play hands at random and look at the chips all along."""
    source = random.Random(seed)
    stacks = definition.stacks
    for _ in range(count):
        state = initial_state(definition)
        while not state.is_terminal:
            state = state.apply(random_action(state, source))
            assert 0 <= state.committed[0] <= stacks[0]
            assert 0 <= state.committed[1] <= stacks[1]
        winner = source.choice((0, 1, None))
        first, second = state.payoff_chips(0, winner), state.payoff_chips(1, winner)
        assert first + second == 0
        assert stacks[0] + first >= 0
        assert stacks[1] + second >= 0


@settings(max_examples=40, deadline=None)
@given(NO_LIMIT_GAMES, st.integers(0, 2**32))
def test_chips_are_conserved_over_thousands_of_random_no_limit_hands(definition: GameDefinition, seed: int) -> None:
    verify_random_hands(definition, count=250, seed=seed)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NO_LIMIT_GAMES, st.integers(0, 2**32))
def test_chips_are_conserved_over_a_million_random_no_limit_hands(definition: GameDefinition, seed: int) -> None:
    verify_random_hands(definition, count=1_000, seed=seed)


def pokerkit_state(definition: GameDefinition) -> State:
    """The same game there; heads-up, its player 0 posts the big blind, as ours does."""
    big, small = definition.blinds
    return NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (small, big), big, definition.stacks, 2)


def verify_against_pokerkit(*, num_hands: int, seed: int) -> None:
    """At every decision the same player to act with the same legal actions; in the end the same payoffs."""
    source = random.Random(seed)
    for number in range(num_hands):
        small = source.randint(1, 50)
        big = small * source.randint(2, 3)
        stack = big * source.choice((2, 5, 20, 200)) + source.randrange(big)
        definition = replace(NO_LIMIT, blinds=(big, small), stacks=(stack, stack))
        deal = HandStart(definition).deal(seed=seed, number=number)
        theirs, ours = pokerkit_state(definition), initial_state(definition)
        texts = [definition.deck.text(cards) for cards in (*deal.hole_cards, deal.board)]
        theirs.deal_hole(texts[0])
        theirs.deal_hole(texts[1])
        committed_before = 0
        while ours.actor is not None:
            bounds = ours.raise_bounds()
            assert theirs.actor_index == ours.actor
            assert theirs.can_fold() == ours.can_fold()
            assert theirs.checking_or_calling_amount == ours.call_chips
            assert (theirs.min_completion_betting_or_raising_to_amount is None) == (bounds is None)
            if bounds is not None:
                assert theirs.min_completion_betting_or_raising_to_amount == bounds[0] - committed_before
                assert theirs.max_completion_betting_or_raising_to_amount == bounds[1] - committed_before
            action = random_action(ours, source)
            match action:
                case Fold():
                    theirs.fold()
                case Call():
                    theirs.check_or_call()
                case Raise(total):
                    theirs.complete_bet_or_raise_to(total - committed_before)
            round_before, ours = ours.round, ours.apply(action)
            for round in range(round_before + 1, ours.round + 1):
                start, end = (2 * sum(definition.num_board_cards[:count]) for count in (round, round + 1))
                theirs.burn_card("??")
                theirs.deal_board(texts[2][start:end])
                committed_before = min(ours.committed)
        assert not theirs.status
        assert tuple(theirs.payoffs) == payoffs_chips(ours, deal.hole_cards, deal.board)


def test_pokerkit_agrees_on_legal_actions_and_payoffs_of_random_no_limit_hands() -> None:
    verify_against_pokerkit(num_hands=1_000, seed=1)


@pytest.mark.slow
def test_pokerkit_agrees_on_legal_actions_and_payoffs_of_many_thousand_random_no_limit_hands() -> None:
    verify_against_pokerkit(num_hands=20_000, seed=2)
