"""Whole no-limit games on the lanes engine, in memory: published values, and the flat engine's numbers."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import errai
import errai.trees.public_tree
from errai.cards.deck import Deck
from errai.cards.hands import hands
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot


def slumbot_game(num_board_cards: tuple[int, ...], *, num_ranks: int = 13) -> GameDefinition:
    """Blinds 1 and 2, stacks of 162 chips; the dealer acts first before the flop."""
    return GameDefinition(
        name="slumbot",
        is_limit=False,
        blinds=(2, 1),
        first_player=(1, *[0] * (len(num_board_cards) - 1)),
        num_suits=4,
        num_ranks=num_ranks,
        num_hole_cards=2,
        num_board_cards=num_board_cards,
        stacks=(162, 162),
    )


def dealer_value_bounds(definition: GameDefinition, iterations: int) -> tuple[float, float]:
    # At most one bet per street, of exactly the pot.
    solution = errai.solve(Spot(definition, bets="100% cap 1"), engine="lanes", iterations=iterations)
    low, high = solution.exploitability().value_bounds_chips
    return -high, -low


def ranks_alone(deck: Deck, board: ArrayLike, *, num_hole_cards: int) -> NDArray[np.int32]:
    """Three cards ranked as trips, pair, high card: without the straights and flushes of Rhode Island hold'em."""
    held = hands(deck, num_hole_cards)
    (card,) = np.asarray(board, dtype=np.uint8)
    ranks = np.sort(np.column_stack((held, np.full(len(held), card))) // deck.num_suits, axis=1).astype(np.int32)
    low, middle, high = ranks.T
    kicker = np.where(low == middle, high, low)
    pair = 10_000 + middle * 13 + kicker
    strength = np.where((low == middle) | (middle == high), pair, (high * 13 + middle) * 13 + low)
    strength = np.where(low == high, 20_000 + low, strength)
    return np.where((held == card).any(axis=1), -1, strength).astype(np.int32)


# The published bounds of the dealer's value in chips: tests/figures.md, section 8.
def test_the_game_without_a_board_has_its_published_value() -> None:
    low, high = dealer_value_bounds(slumbot_game((0,)), 300)
    assert 0.043399 <= low <= high <= 0.045793


def test_the_game_with_one_board_card_has_its_published_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errai.trees.public_tree, "board_strengths", ranks_alone)
    low, high = dealer_value_bounds(slumbot_game((0, 1)), 150)
    assert 0.135173 <= low <= high <= 0.146597


def test_the_game_with_three_board_cards_has_its_published_value() -> None:
    low, high = dealer_value_bounds(slumbot_game((0, 1, 1, 1), num_ranks=5), 120)
    assert 0.529810 <= low <= high <= 0.658667


@pytest.mark.parametrize(
    ("num_ranks", "num_suits", "num_board_cards", "stack", "bets"),
    [
        (3, 2, (0, 1), 700, "fcpa"),
        (4, 1, (0, 1, 1), 500, "50%,100% / a"),
        (3, 2, (0, 0, 1), 450, "preflop 3x,a\nflop 33%,a cap 2\nturn none"),
        (2, 3, (0, 1, 1), 1200, "75% / 3x cap 3\nadd-all-in 1.5\nforce-all-in 0.2"),
    ],
)
def test_lanes_and_flat_trees_have_the_same_numbers(
    num_ranks: int, num_suits: int, num_board_cards: tuple[int, ...], stack: int, bets: str
) -> None:
    definition = GameDefinition(
        name="small",
        is_limit=False,
        blinds=(100, 50),
        first_player=(1, *[0] * (len(num_board_cards) - 1)),
        num_suits=num_suits,
        num_ranks=num_ranks,
        num_hole_cards=1,
        num_board_cards=num_board_cards,
        stacks=(stack, stack),
    )
    spot = Spot(definition, bets=bets)
    # So few iterations that no regret is zero but for rounding, where the engines may take another even mix.
    lanes, flat = (
        errai.solve(spot, engine=engine, algorithm="cfr+", precision="float64", iterations=4)
        for engine in ("lanes", "flat")
    )
    expected = flat.exploitability()
    assert lanes.exploitability().best_response_chips == pytest.approx(expected.best_response_chips, abs=1e-9)
    assert lanes.exploitability().value_chips == pytest.approx(expected.value_chips, abs=1e-9)
    first, second = (solution.query(with_values=False) for solution in (lanes, flat))
    assert first.probabilities == pytest.approx(second.probabilities, abs=1e-9)


def test_push_or_fold_at_ten_big_blinds_has_its_published_frequencies() -> None:
    definition = replace(load_game("holdem.nolimit.2p"), stacks=(1000, 1000))
    solution = errai.solve(Spot(definition, bets="a\nno-limp"), target_mbb=0.01)
    assert solution.plan.engine == "lanes"
    assert solution.plan.num_infosets == 2 * 169
    # Tables of push or fold: the small blind jams about 58 % of its hands, the big blind calls with about 37 %.
    first, answer = solution.query(), solution.query(betting="r1000")
    assert first.actions == ("f", "r1000")
    assert first.frequencies[1] == pytest.approx(0.58, abs=0.01)
    assert answer.frequencies[1] == pytest.approx(0.37, abs=0.01)


def test_push_or_fold_has_the_same_numbers_on_both_engines() -> None:
    definition = GameDefinition(
        name="small",
        is_limit=False,
        blinds=(100, 50),
        first_player=(1, 0, 0),
        num_suits=2,
        num_ranks=4,
        num_hole_cards=1,
        num_board_cards=(0, 1, 1),
        stacks=(400, 400),
    )
    lanes, flat = (
        errai.solve(
            Spot(definition, bets="a\nno-limp"), engine=engine, algorithm="cfr+", precision="float64", iterations=4
        )
        for engine in ("lanes", "flat")
    )
    expected = flat.exploitability()
    assert lanes.exploitability().best_response_chips == pytest.approx(expected.best_response_chips, abs=1e-9)
    assert lanes.exploitability().value_chips == pytest.approx(expected.value_chips, abs=1e-9)
