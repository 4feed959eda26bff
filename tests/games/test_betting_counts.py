from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.errors import SizeError
from errai.games import betting_counts
from errai.games.betting_counts import BettingCounts, count_betting, walk_betting
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.library import load_game
from errai.games.nolimit_counts import applies_to
from errai.games.state import BettingState, initial_state
from reference.game_strategies import definitions

NO_LIMIT = load_game("holdem.nolimit.2p")
MAX_NODES = 20_000


def enumerate_betting(definition: GameDefinition) -> tuple[BettingCounts, ...] | None:
    """The counts by visiting every history, one by one; None if that takes too long for a test."""
    nodes = [0] * definition.num_rounds
    actions = [0] * definition.num_rounds
    waiting: list[BettingState] = [initial_state(definition)]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal:
            legal = state.legal_actions()
            nodes[state.round] += 1
            actions[state.round] += len(legal)
            waiting.extend(state.apply(action) for action in legal)
        if sum(nodes) > MAX_NODES:
            return None
    return tuple(BettingCounts(*counts) for counts in zip(nodes, actions, strict=True))


@settings(max_examples=60)
@given(definitions(max_stack=14))
def test_counts_are_those_of_visiting_every_history(definition: GameDefinition) -> None:
    expected = enumerate_betting(definition)
    assume(expected is not None)
    assert walk_betting(definition) == expected
    assert count_betting(definition) == expected


@settings(max_examples=60)
@given(
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.integers(1, 16),
    st.sampled_from([(0,), (0, 3), (0, 3, 1)]),
    st.integers(0, 1),
)
def test_the_no_limit_formula_agrees_with_visiting_every_history(
    blinds: tuple[int, int], chips: int, board: tuple[int, ...], first: int
) -> None:
    definition = replace(
        NO_LIMIT,
        blinds=blinds,
        stacks=(max(blinds) + chips,) * 2,
        num_board_cards=board,
        first_player=(first, *[0] * (len(board) - 1)),
        max_raises=(),
    )
    assert applies_to(definition)
    expected = enumerate_betting(definition)
    assume(expected is not None)
    assert count_betting(definition) == expected


@pytest.mark.parametrize(("stack", "blinds"), [(50, (2, 1)), (70, (10, 5)), (50, (7, 7))])
def test_the_no_limit_formula_agrees_with_the_walk_on_deeper_stacks(stack: int, blinds: tuple[int, int]) -> None:
    definition = replace(NO_LIMIT, stacks=(stack, stack), blinds=blinds)
    assert applies_to(definition)
    assert count_betting(definition) == walk_betting(definition)


def test_a_cap_on_raises_that_cannot_bind_leaves_the_formula_in_force() -> None:
    definition = replace(NO_LIMIT, stacks=(1000, 1000), max_raises=(10,) * 4)  # 900 chips, at most 9 full raises
    assert applies_to(definition)
    assert count_betting(definition) == count_betting(replace(definition, max_raises=(UNLIMITED,) * 4))
    assert not applies_to(replace(definition, max_raises=(9,) * 4))


def test_different_stacks_are_walked() -> None:
    definition = replace(NO_LIMIT, stacks=(300, 400), num_board_cards=(0,), first_player=(1,), max_raises=())
    assert not applies_to(definition)
    assert count_betting(definition) == walk_betting(definition)


def test_a_walk_that_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting_counts, "MAX_WALK_ACTIONS", 25_000)  # the true limit takes seconds to reach
    with pytest.raises(SizeError, match="would take more than 25,000 steps") as caught:
        count_betting(replace(NO_LIMIT, stacks=(20_000, 19_000)))
    assert caught.value.hint is not None


def test_a_round_of_endless_raises_is_refused_within_seconds() -> None:
    # Copying the history at every step would take minutes.
    endless = replace(load_game("kuhn"), max_raises=(UNLIMITED,), stacks=(UNLIMITED, UNLIMITED))
    with pytest.raises(SizeError, match="would take more than 200,000 steps") as caught:
        count_betting(endless)
    assert caught.value.hint == "lower `maxRaises`"


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (replace(NO_LIMIT, blinds=(1, 1)), "19,999 chips behind the blinds and 199,980,000 steps; at most 60,000 and"),
        (replace(NO_LIMIT, stacks=(10**6, 10**6), blinds=(10**5, 1)), "900,000 chips behind the blinds"),
    ],
)
def test_a_formula_that_would_take_too_long_is_refused(definition: GameDefinition, message: str) -> None:
    with pytest.raises(SizeError) as caught:
        count_betting(definition)
    assert message in str(caught.value)
    assert caught.value.hint is not None
