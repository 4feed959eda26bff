"""Spots on the flat engine, the reference for every faster one. A spot's value leaves out the own half of the pot."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.errors import InputError, SizeError
from errai.evaluate.flat_best_response import best_response_flat, expected_value_flat
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solvers.linear_programs import solve_sequence_form
from errai.trees.custom_game import build_custom_form
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import FormSize, build_extensive_form, build_spot_form, count_spot_form
from reference.menu_spots import MenuSpot

NO_LIMIT = load_game("holdem.nolimit.2p")
RIVER = "4d3h2s/6c/7c:cc/cc/cc/"  # how the labels of the polar river go on after the hand
MENUS = ("a", "100%,a", "50% / 3x cap 2", "fc", "1c,e; flop lead 50%,a; merge 0.3", "80%; force-all-in 0.3")


def infoset(form: ExtensiveForm, label: str) -> int:
    return list(form.infoset_labels).index(label)


def probabilities(form: ExtensiveForm, strategy: np.ndarray, label: str) -> dict[str, float]:
    """The actions of an infoset with their probabilities."""
    actions = form.actions_of(infoset(form, label))
    return dict(zip(form.action_labels[actions], strategy[actions].tolist(), strict=True))


def polar_river(*, pot: int, stack: int) -> Spot:
    """The big blind has the best hand or the worst, equally often; the dealer beats the worst."""
    return Spot(
        NO_LIMIT,
        pot=pot,
        stack=stack,
        board="2s3h4d6c7c",
        range_bb="AsAh,QsQh",
        range_dealer="KsKh",
        bets="a",
    )


@pytest.mark.parametrize(("pot", "stack"), [(20, 10), (20, 20), (30, 45), (7, 3)])
def test_a_polar_river_is_played_as_theory_says(pot: int, stack: int) -> None:
    form = build_spot_form(polar_river(pot=pot, stack=stack))
    solution = solve_sequence_form(form)
    bet = stack / pot
    # One street, polar range, bet of b pots: b / (1 + b) bluffs per value bet, and the defender calls 1 / (1 + b).
    aces, queens = (probabilities(form, solution.strategy, f"{hand}/{RIVER}") for hand in ("AsAh", "QsQh"))
    kings = probabilities(form, solution.strategy, f"KsKh/{RIVER}r{stack}")
    assert aces[f"r{stack}"] == pytest.approx(1)
    assert queens[f"r{stack}"] == pytest.approx(bet / (1 + bet))
    assert kings["c"] == pytest.approx(1 / (1 + bet))
    # Aces win the pot and a called bet, queens nothing: (pot + stack / (1 + b)) / 2 with the own half of the pot.
    assert solution.value_chips == pytest.approx((pot + stack / (1 + bet)) / 2 - pot / 2)


def test_against_a_locked_dealer_queens_check_and_aces_bet() -> None:
    form = build_spot_form(polar_river(pot=20, stack=10))
    strategy = form.uniform_strategy()
    strategy[form.actions_of(infoset(form, f"KsKh/{RIVER}r10"))] = [0.25, 0.75]
    # The dealer checks when checked to, so that only the locked decision matters.
    strategy[form.actions_of(infoset(form, f"KsKh/{RIVER}c"))] = [1.0, 0.0]
    response = best_response_flat(form, strategy, player=0)
    # Aces are worth 0.25 * 20 + 0.75 * 30 = 27.5 with the pot and queens 0, so the kings 20 - 27.5 / 2 = 6.25.
    assert response.value_chips == pytest.approx(27.5 / 2 - 10)


# Ranks, suits and both ranges.
SMALL_DECKS = [
    (3, 4, "KK,AQ:0.5", "random"),
    (4, 2, "AK,QJs:0.25", "AA,KQ"),
    (5, 2, "TT+,AsKs:0.5", "ATs+,KQo"),
]


@st.composite
def small_spots(draw: st.DrawFn) -> Spot:
    """Spots of no-limit games with few cards: one, two or three streets left."""
    num_ranks, num_suits, range_bb, range_dealer = draw(st.sampled_from(SMALL_DECKS))
    boards = draw(st.sampled_from([(0, 1), (0, 1, 1), (0, 2)]))
    assume(4 + sum(boards) <= num_ranks * num_suits)
    rounds = len(boards)
    definition = GameDefinition(
        name="small",
        is_limit=False,
        blinds=(2, 1),
        first_player=(1,) + (0,) * (rounds - 1),
        num_suits=num_suits,
        num_ranks=num_ranks,
        num_hole_cards=2,
        num_board_cards=boards,
        stacks=(12, 12),
    )
    deck = definition.deck
    first = draw(st.integers(1, rounds - 1))
    cards = draw(st.permutations(range(deck.size)))[: sum(boards[: first + 1])]
    texts: dict[str, Any] = {
        "board": deck.text(cards),
        "range_bb": range_bb,
        "range_dealer": range_dealer,
        "bets": draw(st.sampled_from(MENUS)),
    }
    try:
        if draw(st.booleans()):
            return Spot(definition, **texts, pot=draw(st.integers(1, 30)), stack=draw(st.integers(1, 40)))
        return Spot(definition, **texts, betting="r4c/" + "cc/" * (first - 1))
    except InputError:
        assume(False)
        raise


@settings(deadline=None, max_examples=25)
@given(small_spots(), st.integers(0, 2**32))
def test_a_spot_is_the_game_played_one_history_at_a_time(spot: Spot, seed: int) -> None:
    try:
        form = build_spot_form(spot, max_nodes=40_000)
    except SizeError:
        assume(False)
        raise
    assert count_spot_form(spot) == FormSize(form.num_nodes, form.num_infosets, form.num_actions)
    reference = build_custom_form(MenuSpot(spot))
    # A strategy drawn at random, infoset by infoset, for both.
    strategy = form.normalize(np.random.default_rng(seed).random(form.num_actions))
    places = {(form.infoset_player[number], label): number for number, label in enumerate(form.infoset_labels)}
    same = np.concatenate(
        [
            strategy[form.actions_of(places.pop((reference.infoset_player[number], label)))]
            for number, label in enumerate(reference.infoset_labels)
        ]
    )
    assert not places
    assert expected_value_flat(form, strategy) == pytest.approx(expected_value_flat(reference, same), abs=1e-9)
    for player in (0, 1):
        assert best_response_flat(form, strategy, player=player).value_chips == pytest.approx(
            best_response_flat(reference, same, player=player).value_chips, abs=1e-9
        )


@settings(deadline=None, max_examples=8)
@given(small_spots())
def test_the_value_of_a_spot_is_that_of_the_plain_game(spot: Spot) -> None:
    try:
        form = build_spot_form(spot, max_nodes=4000)
    except SizeError:
        assume(False)
        raise
    reference = build_custom_form(MenuSpot(spot))
    assert solve_sequence_form(form).value_chips == pytest.approx(solve_sequence_form(reference).value_chips, abs=1e-8)


def test_a_limit_spot_on_the_flat_engine_is_the_same_game() -> None:
    spot = Spot(load_game("leduc"), betting="rc/", board="Ks")
    reference = build_custom_form(MenuSpot(spot))
    assert solve_sequence_form(build_spot_form(spot)).value_chips == pytest.approx(
        solve_sequence_form(reference).value_chips, abs=1e-9
    )


def test_a_whole_game_as_a_spot_is_the_whole_game() -> None:
    leduc = load_game("leduc")
    spot_form, form = build_spot_form(Spot(leduc)), build_extensive_form(leduc)
    for name in ("kind", "first_child", "infoset", "probability", "payoff_chips", "first_action"):
        assert np.array_equal(getattr(spot_form, name), getattr(form, name))


def test_hands_that_always_tie_win_or_lose_share_the_pot_accordingly() -> None:
    def value(range_bb: str, range_dealer: str) -> float:
        spot = Spot(
            NO_LIMIT, pot=20, stack=30, board="2s2h2d2cAs", range_bb=range_bb, range_dealer=range_dealer, bets="50%,a"
        )
        return solve_sequence_form(build_spot_form(spot)).value_chips

    assert value("KsKh", "QsQh") == pytest.approx(0)  # both play the board
    quads: dict[str, Any] = {"pot": 20, "stack": 30, "board": "AsAh7c7d2s", "bets": "50%,a"}
    for range_bb, range_dealer, won in (("AcAd", "KsKh", 10), ("KsKh", "AcAd", -10)):
        spot = Spot(NO_LIMIT, **quads, range_bb=range_bb, range_dealer=range_dealer)
        assert solve_sequence_form(build_spot_form(spot)).value_chips == pytest.approx(won)  # half of the pot


def test_relabelled_suits_have_the_same_value() -> None:
    texts = {"board": "Ts9h4d6c7c", "range_bb": "AsAh,8s5s,QdJd:0.5", "range_dealer": "KsKh,8h8d,TdTh"}
    swapped = {name: text.translate(str.maketrans("cdhs", "dhsc")) for name, text in texts.items()}
    first, second = (
        solve_sequence_form(build_spot_form(Spot(NO_LIMIT, pot=20, stack=35, bets="50%,a", **each))).value_chips
        for each in (texts, swapped)
    )
    assert first == pytest.approx(second, abs=1e-9)


def test_the_small_game_without_a_board_has_slumbots_value() -> None:
    # Blinds 1 / 2, stacks 162, at most one bet per street, of exactly the pot: the dealer wins 0.043399 to 0.045793.
    definition = replace(
        NO_LIMIT,
        name="no-board",
        blinds=(2, 1),
        stacks=(162, 162),
        first_player=(1,),
        num_board_cards=(0,),
        max_raises=(9,),
    )
    form = build_spot_form(Spot(definition, bets="100% cap 1"))
    assert form.num_infosets == 91 * 4
    assert 0.043399 <= -solve_sequence_form(form).value_chips <= 0.045793


def test_a_tree_with_rake_is_refused() -> None:
    with pytest.raises(InputError, match="the game is not zero-sum"):
        build_spot_form(replace(polar_river(pot=20, stack=10), rake="5%"))


def test_a_spot_that_is_too_large_is_refused_before_it_is_built() -> None:
    spot = Spot(NO_LIMIT, pot=20, stack=10, board="2s3h4d", bets="a")
    with pytest.raises(SizeError, match="has more than 50000000 nodes"):
        build_spot_form(spot)
