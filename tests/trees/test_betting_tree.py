from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from errai.errors import InputError, SizeError
from errai.games.acpc import parse_betting
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.betting_counts import walk_betting
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.menu_sizes import available_actions
from errai.games.state import BettingState, Raise, initial_state
from errai.trees.betting_size import count_betting_tree
from errai.trees.betting_tree import BettingTree, EndKind, LaneGroup, build_betting_tree
from reference import benchmark_spot
from reference.random_games import small_definitions

NO_LIMIT = load_game("holdem.nolimit.2p")
MENUS = ("fcpa", "fc", "50%,100% / 2.5x,a cap 2", "1c / 2c; turn e; flop lead 100%,a; merge 0.2", "33%,a; add-all-in 2")


def spot_root(stack: int, *, streets: int) -> BettingState:
    """The start of the last `streets` streets of hold'em without blinds."""
    definition = replace(NO_LIMIT, blinds=(0, 0), stacks=(stack, stack))
    return parse_betting(definition, "cc/" * (4 - streets))


@pytest.fixture(scope="module")
def benchmark() -> BettingTree:
    return build_betting_tree(
        spot_root(benchmark_spot.STACK, streets=3),
        parse_bet_menu(benchmark_spot.BETS),
        dead_pot=benchmark_spot.POT,
    )


def test_the_benchmark_spot_has_the_published_counts(benchmark: BettingTree) -> None:
    # Decisions per player 5, 23 and 69; 7 flop lines go on and 2 end all-in, 25 turn lines and 14.
    assert [[street.num_nodes(player) for player in (0, 1)] for street in benchmark.streets] == [
        [5, 5],
        [23, 23],
        [69, 69],
    ]
    assert [street.num_ends(EndKind.NEXT_STREET) for street in benchmark.streets] == [7, 25, 0]
    assert [street.num_ends(EndKind.ALL_IN) for street in benchmark.streets] == [2, 14, 0]


def test_the_rivers_of_the_benchmark_spot_have_four_shapes(benchmark: BettingTree) -> None:
    river = benchmark.streets[-1]
    assert river.num_lanes == 25
    assert sorted((group.num_lanes for group in river.groups), reverse=True) == [12, 8, 4, 1]


def test_the_first_bets_of_the_benchmark_spot_are_in_whole_chips(benchmark: BettingTree) -> None:
    root = benchmark.root
    assert benchmark.actions(root)[1:] == (Raise(94),)  # 93.6
    facing = root.apply(Raise(94))
    # P = 180 + 2 * 94 = 368, so 94 + 165.6
    assert benchmark.actions(facing)[2:] == (Raise(260),)


def test_limit_holdem_has_one_shape_per_street_and_the_known_lanes() -> None:
    tree = build_betting_tree(initial_state(load_game("holdem.limit.2p")), None)
    assert [street.num_lanes for street in tree.streets] == [1, 7, 63, 567]
    assert [len(street.groups) for street in tree.streets] == [1, 1, 1, 1]
    nodes = [sum(street.num_nodes(player) for player in (0, 1)) for street in tree.streets]
    assert nodes == [8, 70, 630, 5670]


def test_lanes_of_limit_games_follow_the_ends_of_the_street_before() -> None:
    tree = build_betting_tree(initial_state(load_game("holdem.limit.2p")), None)
    for street in tree.streets[:-1]:
        (group,) = street.groups
        going_on = [end for end, kind in enumerate(group.shape.ends) if kind is EndKind.NEXT_STREET]
        lanes = np.arange(group.num_lanes)
        for number, end in enumerate(going_on):
            assert np.array_equal(group.next_lane[end], lanes * len(going_on) + number)


def walk(state: BettingState, tree: BettingTree, counts: Counter[object]) -> None:
    """Count decisions, actions and ends of the tree one state at a time."""
    if state.is_terminal:
        return
    actions = tree.actions(state)
    counts["nodes", state.round, state.actor] += 1
    counts["actions", state.round, state.actor] += len(actions)
    for action in actions:
        after = state.apply(action)
        if after.folded_player is not None:
            counts["end", state.round, EndKind.FOLD] += 1
        elif after.is_terminal:
            last = state.round == state.definition.num_rounds - 1
            counts["end", state.round, EndKind.SHOWDOWN if last else EndKind.ALL_IN] += 1
        elif after.round > state.round:
            counts["end", state.round, EndKind.NEXT_STREET] += 1
        walk(after, tree, counts)


def assert_group_is_true(tree: BettingTree, number: int, group: LaneGroup) -> None:
    """Every lane of a group plays its shape, with its own chips, and its ends lead to the right lanes."""
    street = tree.streets[number]
    for lane, start in enumerate(group.starts):
        states: dict[int, BettingState] = {0: start}
        for index, node in enumerate(group.shape.nodes):
            state = states[index]
            assert state.actor == node.player
            assert tuple(group.node_committed[index, lane]) == state.committed
            actions = tree.actions(state)
            assert len(actions) == len(node.edges)
            for action, edge in zip(actions, node.edges, strict=True):
                after = state.apply(action)
                assert edge.letter == type(action).__name__[0].lower()
                if edge.node is not None:
                    states[edge.node] = after
                    continue
                assert edge.end is not None
                assert tuple(group.end_committed[edge.end, lane]) == after.committed
                place = group.next_group[edge.end, lane], group.next_lane[edge.end, lane]
                if group.shape.ends[edge.end] is EndKind.NEXT_STREET:
                    assert tree.streets[number + 1].groups[place[0]].starts[place[1]] == after
                else:
                    assert place == (-1, -1)
    assert group in street.groups


def assert_counts_are_true(tree: BettingTree) -> None:
    """Counting sequences by their situation gives the decisions of the tree."""
    counted = count_betting_tree(tree.roots, tree.menu, dead_pot=tree.dead_pot, max_nodes=100_000)
    assert [(street.nodes, street.actions) for street in counted] == [
        ([street.num_nodes(0), street.num_nodes(1)], [street.num_actions(0), street.num_actions(1)])
        for street in tree.streets
    ]


def assert_tree_is_true(tree: BettingTree) -> None:
    assert_counts_are_true(tree)
    counts: Counter[object] = Counter()
    walk(tree.root, tree, counts)
    for number, street in enumerate(tree.streets):
        for player in (0, 1):
            assert street.num_nodes(player) == counts["nodes", street.round, player]
            assert street.num_actions(player) == counts["actions", street.round, player]
        for kind in EndKind:
            assert street.num_ends(kind) == counts["end", street.round, kind]
        assert len({group.shape for group in street.groups}) == len(street.groups)
        for group in street.groups:
            assert_group_is_true(tree, number, group)


def test_the_tree_of_the_benchmark_spot_is_the_betting_one_state_at_a_time(benchmark: BettingTree) -> None:
    assert_tree_is_true(benchmark)


@settings(deadline=None, max_examples=40)
@given(small_definitions(), st.sampled_from(MENUS), st.integers(0, 20))
def test_any_tree_is_the_betting_one_state_at_a_time(definition: GameDefinition, menu: str, dead_pot: int) -> None:
    root = initial_state(definition)
    if root.is_terminal:
        return
    tree = build_betting_tree(root, None if definition.is_limit else parse_bet_menu(menu), dead_pot=dead_pot)
    assert_tree_is_true(tree)
    if definition.is_limit:
        counted = [(sum(s.num_nodes(p) for p in (0, 1)), sum(s.num_actions(p) for p in (0, 1))) for s in tree.streets]
        expected = [(count.decision_nodes, count.actions) for count in walk_betting(definition)]
        assert counted == expected[: len(counted)]
        assert not any(nodes for nodes, _ in expected[len(counted) :])


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 400), st.integers(1, 400), st.sampled_from(MENUS), st.integers(1, 3))
def test_any_spot_is_the_betting_one_state_at_a_time(pot: int, stack: int, menu: str, streets: int) -> None:
    root, bets = spot_root(stack, streets=streets), parse_bet_menu(menu)
    try:
        count_betting_tree([root], bets, dead_pot=pot, max_nodes=5_000)
    except SizeError:  # many small bets and three streets: nothing that a smaller tree does not have
        reject()
    assert_tree_is_true(build_betting_tree(root, bets, dead_pot=pot))


def test_bets_beyond_the_opponents_stack_are_all_in() -> None:
    definition = replace(NO_LIMIT, stacks=(1000, 20000))
    assert available_actions(initial_state(definition), parse_bet_menu("100%,500%,a"))[2:] == (Raise(300), Raise(1000))


def test_a_no_limit_game_needs_a_menu() -> None:
    with pytest.raises(InputError, match="too many sizes without a bet menu"):
        build_betting_tree(initial_state(NO_LIMIT), None)


def test_a_decision_has_at_most_eight_actions() -> None:
    root = spot_root(1000, streets=1)
    sizes = [f"{10 * size}%" for size in range(1, 8)]
    tree = build_betting_tree(root, parse_bet_menu(",".join(sizes) + " / none"), dead_pot=100)
    assert len(tree.actions(root)) == 8
    with pytest.raises(InputError, match="at most 8 actions; the bet menu offers 9 in round 4"):
        build_betting_tree(root, parse_bet_menu(",".join([*sizes, "a"]) + " / none"), dead_pot=100)


@pytest.mark.parametrize(
    ("root", "menu", "dead_pot"),
    [
        (initial_state(replace(NO_LIMIT, stacks=(1500, 1500))), "33%,100%,a / 3x cap 3", 0),
        (initial_state(replace(NO_LIMIT, stacks=(1500, 900))), "50%,a", 0),
        (
            initial_state(replace(NO_LIMIT, stacks=(1000, 1000))),
            "50% / 60%; preflop 2.5x; turn bb lead 25%; no-limp",
            0,
        ),
        (spot_root(900, streets=3), "50%,100% / 3x; river bb lead 25%; flop dealer 33% / a; force-all-in 0.2", 120),
        (initial_state(load_game("holdem.limit.2p")), "", 0),
    ],
)
def test_the_decisions_are_counted_without_the_tree(root: BettingState, menu: str, dead_pot: int) -> None:
    assert_counts_are_true(build_betting_tree(root, parse_bet_menu(menu) if menu else None, dead_pot=dead_pot))


def test_a_tree_that_is_too_large_is_refused_early() -> None:
    with pytest.raises(SizeError, match="more than 1,000 decisions") as error:
        build_betting_tree(initial_state(NO_LIMIT), parse_bet_menu("50%,100%,a"), max_nodes=1000)
    assert error.value.hint


def test_a_tree_begins_at_the_start_of_a_street() -> None:
    with pytest.raises(InputError, match="begins at the start of a street"):
        build_betting_tree(parse_betting(NO_LIMIT, "c"), parse_bet_menu("fcpa"))
