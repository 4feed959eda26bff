"""The lane engine against the flat engine on the same game, and against published figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from errai.evaluate.flat_best_response import best_response_flat, expected_value_flat
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.games.definition_text import parse_definition
from errai.games.library import load_game
from errai.games.state import initial_state
from errai.passes.tree_values import root_value
from errai.solvers.flat_solver import FlatSolver, Updates
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import VARIANTS, find_variant
from errai.trees.betting_tree import build_betting_tree, build_betting_trees
from errai.trees.custom_game import build_custom_form
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import Precision, PublicTree, build_public_tree
from errai.trees.tree_rounds import cut_lanes
from reference.spots import SpotGame, spot_key


def definition(
    *, suits: int, ranks: int, hole: int, boards: str, raises: str, sizes: str, blinds: str = "3 3", first: str = "1"
) -> GameDefinition:
    rounds = len(boards.split())
    text = f"""GAMEDEF
limit
numPlayers = 2
numRounds = {rounds}
blind = {blinds}
raiseSize = {sizes}
firstPlayer = {first}{" 1" * (rounds - 1)}
maxRaises = {raises}
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = {boards}
END GAMEDEF"""
    return parse_definition(text, name="small", source="test")


# Odd sizes, so that equal values of different actions, which no two orders of summation break alike, are rare.
WHOLE_GAMES = {
    "one card, three rounds, flushes": definition(
        suits=2, ranks=3, hole=1, boards="0 1 1", raises="1 1 1", sizes="5 7 11"
    ),
    "one card, ranks only, blinds": definition(
        suits=3, ranks=3, hole=1, boards="0 1", raises="2 1", sizes="5 7", blinds="8 3", first="2"
    ),
    "two cards, two rounds": definition(suits=2, ranks=3, hole=2, boards="0 1", raises="1 2", sizes="5 7"),
    "two cards, four suits": definition(suits=4, ranks=2, hole=2, boards="0 1", raises="0 3", sizes="5 7"),
    "two cards, board of three": definition(suits=4, ranks=2, hole=2, boards="0 3", raises="1 1", sizes="5 7"),
    "nine lanes in the last round": definition(suits=2, ranks=3, hole=2, boards="0 1", raises="4 1", sizes="5 7"),
    "one round of nineteen decisions": definition(suits=2, ranks=3, hole=1, boards="0", raises="9", sizes="5"),
    "a round without cards": definition(suits=2, ranks=3, hole=1, boards="0 1 0", raises="1 1 2", sizes="5 7 11"),
}
FOUR_ROUNDS = definition(
    suits=4, ranks=3, hole=2, boards="0 3 1 1", raises="1 1 1 1", sizes="5 5 11 11", blinds="7 3", first="2"
)


@cache
def whole_game(name: str) -> tuple[GameDefinition, SpotGame, ExtensiveForm]:
    game = WHOLE_GAMES[name]
    uniform = np.ones(comb(game.deck.size, game.num_hole_cards))
    spot = SpotGame(game, root=initial_state(game), weights=(uniform, uniform))
    return game, spot, build_custom_form(spot)


def turn_tree(precision: Precision = "float64") -> PublicTree:
    spot, _ = turn_spot()
    return build_public_tree(
        FOUR_ROUNDS,
        betting=build_betting_tree(spot.root),
        board=spot.board,
        ranges=spot.weights,
        precision=precision,
    )


def every_node(tree: PublicTree) -> Iterator[tuple[int, int, int, int]]:
    for round_index, tree_round in enumerate(tree.rounds):
        for board_index in range(len(tree_round.boards)):
            for group_index, group in enumerate(tree_round.groups):
                for node_index in range(len(group.shape.nodes)):
                    yield round_index, board_index, group_index, node_index


def assert_same_numbers(
    tree: PublicTree,
    arrays: tuple[LaneArray, LaneArray],
    spot: SpotGame,
    form: ExtensiveForm,
    numbers: NDArray[np.float64],
    *,
    normalised: bool,
    rtol: float,
) -> None:
    """Every node of the tree, with every raw hand, against the flat engine's numbers by key."""
    infoset_of_key = {label: infoset for infoset, label in enumerate(form.infoset_labels)}
    compared = 0
    for round_index, board_index, group_index, node_index in every_node(tree):
        place = {"round_index": round_index, "board_index": board_index, "node_index": node_index}
        board, group = tree.rounds[round_index].boards[board_index], tree.rounds[round_index].groups[group_index]
        player = group.shape.nodes[node_index].player
        lanes = node_values(tree, arrays[player], **place, group=group_index)
        if normalised:
            lanes = normalise(lanes)
        for hand, row in enumerate(board.hands[player].hand_of_raw):
            for lane, state in enumerate(group.node_states[node_index]):
                infoset = infoset_of_key.get(spot_key(player, hand, board.cards, state))
                if infoset is None or row < 0:
                    continue
                expected = numbers[form.actions_of(infoset)]
                if not normalised:  # the flat engine's regrets carry all probabilities of chance
                    expected = expected / chance_of(tree, spot, player, hand, round_index)
                np.testing.assert_allclose(lanes[row, :, lane], expected, rtol=rtol, atol=rtol)
                compared += 1
    assert compared > 0


def chance_of(tree: PublicTree, spot: SpotGame, player: int, hand: int, round_index: int) -> float:
    row = tree.rounds[0].boards[0].hands[player].hand_of_raw[hand]
    weight: float = float(tree.root_weights[player][row]) / spot.total_weight
    game = tree.definition
    for tree_round in tree.rounds[1 : round_index + 1]:
        dealt = game.num_board_cards[tree_round.betting.round]
        before = sum(game.num_board_cards[: tree_round.betting.round])
        weight /= comb(game.deck.size - 2 * game.num_hole_cards - before, dealt)
    return weight


@pytest.mark.parametrize("merge_suits", [True, False])
@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_regrets_and_strategies_of_cfr_plus_equal_the_flat_engines_on_whole_games(name: str, merge_suits: bool) -> None:
    game, spot, form = whole_game(name)
    tree = build_public_tree(game, merge_suits=merge_suits)
    lanes = LaneSolver(tree, variant=find_variant("cfr+"))
    flat = FlatSolver(form, variant=find_variant("cfr+"))
    for _ in range(4):
        lanes.run(1)
        flat.run(1)
        # The sums are made in another order: 1e-9 is far above the noise of doubles and far below any mistake.
        assert_same_numbers(tree, lanes.regrets, spot, form, flat.regrets, normalised=False, rtol=1e-9)
        assert_same_numbers(
            tree, lanes.average_strategy(), spot, form, flat.average_strategy(), normalised=True, rtol=1e-9
        )
    if not merge_suits:
        assert tree.num_infosets == form.num_infosets


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_equals_the_flat_engine(variant: str, updates: Updates) -> None:
    game, spot, form = whole_game("one card, three rounds, flushes")
    tree = build_public_tree(game)
    chosen = find_variant(variant)
    lanes = LaneSolver(tree, variant=chosen, updates=updates, averaging_delay=1, planned_iterations=10)
    flat = FlatSolver(form, variant=chosen, updates=updates, averaging_delay=1, planned_iterations=10)
    lanes.run(5)
    flat.run(5)
    for ours, theirs in (
        (lanes.current_strategy(), flat.current_strategy()),
        (lanes.average_strategy(), flat.average_strategy()),
    ):
        assert_same_numbers(tree, ours, spot, form, theirs, normalised=True, rtol=1e-8)


@cache
def turn_spot() -> tuple[SpotGame, ExtensiveForm]:
    """A turn of the deck of three ranks, with ranges that have no symmetry."""
    root = parse_betting(FOUR_ROUNDS, "rc/cc/")
    board = FOUR_ROUNDS.deck.parse("KsAsQdKh")
    generator = np.random.default_rng(1)
    ranges = (
        np.where(generator.random(66) < 0.5, generator.integers(1, 5, 66) / 4, 0.0),
        np.where(generator.random(66) < 0.6, generator.integers(1, 5, 66) / 4, 0.0),
    )
    spot = SpotGame(FOUR_ROUNDS, root=root, board=board, weights=ranges)
    return spot, build_custom_form(spot)


def test_regrets_and_strategies_equal_the_flat_engines_on_a_turn_spot_with_ranges() -> None:
    (spot, form), tree = turn_spot(), turn_tree()
    lanes = LaneSolver(tree, variant=find_variant("cfr+"), num_threads=2)
    flat = FlatSolver(form, variant=find_variant("cfr+"))
    lanes.run(3)
    flat.run(3)
    assert_same_numbers(tree, lanes.regrets, spot, form, flat.regrets, normalised=False, rtol=1e-9)
    assert_same_numbers(tree, lanes.average_strategy(), spot, form, flat.average_strategy(), normalised=True, rtol=1e-9)


def test_best_response_and_value_equal_the_flat_judges_on_a_turn_spot() -> None:
    (_, form), tree = turn_spot(), turn_tree()
    lanes = LaneSolver(tree, variant=find_variant("dcfr+"))
    flat = FlatSolver(form, variant=find_variant("dcfr+"))
    lanes.run(7)
    flat.run(7)
    ours, theirs = lanes.average_strategy(), flat.average_strategy()
    for player in (0, 1):
        expected = best_response_flat(form, theirs, player=player).value_chips
        assert root_value(tree, ours, player, best_response=True) == pytest.approx(expected, rel=1e-9)
    assert root_value(tree, ours, 0, best_response=False) == pytest.approx(expected_value_flat(form, theirs), rel=1e-9)


def solve_flop(
    *, precision: Precision, iterations: int, merge_suits: bool = True, algorithm: str = "dcfr+"
) -> list[float]:
    root = parse_betting(FOUR_ROUNDS, "rc/")
    board = FOUR_ROUNDS.deck.parse("KsAsQs")
    tree = build_public_tree(
        FOUR_ROUNDS, betting=build_betting_tree(root), board=board, precision=precision, merge_suits=merge_suits
    )
    solver = LaneSolver(tree, variant=find_variant(algorithm), num_threads=2)
    solver.run(iterations)
    return [root_value(tree, solver.average_strategy(), player, best_response=True) for player in (0, 1)]


def test_a_flop_has_the_same_best_responses_with_and_without_merging_suits() -> None:
    merged = solve_flop(precision="float64", iterations=50)
    plain = solve_flop(precision="float64", iterations=50, merge_suits=False)
    # Fifty iterations make the noise of doubles a thousand times larger.
    np.testing.assert_allclose(merged, plain, rtol=1e-7)


@pytest.mark.parametrize(("precision", "part_of_pot"), [("float64", 4e-4), ("float32", 4e-4), ("uint16", 8e-4)])
def test_a_flop_converges_in_every_precision(precision: Precision, part_of_pot: float) -> None:
    best = solve_flop(precision=precision, iterations=400)
    assert 0 <= sum(best) / 2 < part_of_pot * 24


def test_a_flop_converges_in_16_bits_with_negative_regrets() -> None:
    best = solve_flop(precision="uint16", iterations=400, algorithm="dcfr")
    # The bound of the test above for 16 bits: the sign costs one of them.
    assert 0 <= sum(best) / 2 < 8e-4 * 24


def river_solver(lanes: Sequence[int], precision: Precision, algorithm: str) -> LaneSolver:
    game = load_game("holdem.limit.2p")
    root, board = parse_betting(game, "rc/cc/cc/"), game.deck.parse("Td9d6hQc2s")
    roots = tuple(replace(root, committed=(chips, chips)) for chips in lanes)
    tree = build_public_tree(game, betting=build_betting_trees(roots), board=board, precision=precision)
    solver = LaneSolver(tree, variant=find_variant(algorithm))
    solver.run(20)
    return solver


@pytest.mark.parametrize("algorithm", ["dcfr+", "dcfr"])
@pytest.mark.parametrize("precision", ["float64", "float32", "uint16"])
def test_a_lane_alone_has_the_bits_of_the_same_lane_among_others(precision: Precision, algorithm: str) -> None:
    # Alone it is computed across hands and columns, among others across lanes: the sums have the same order.
    alone = river_solver([50], precision, algorithm)
    among_others = river_solver([20, 30, 50, 60, 70, 80], precision, algorithm)
    assert [block.width for tree in (alone.tree, among_others.tree) for block in tree.rounds[0].blocks] == [1, 8]
    for node_index, node in enumerate(alone.tree.rounds[0].groups[0].shape.nodes):
        place = {"round_index": 0, "board_index": 0, "node_index": node_index}
        for kind in ("regrets", "average_strategy"):
            ours, theirs = (
                node_values(solver.tree, pair[node.player], **place)
                for solver in (alone, among_others)
                for pair in [solver.regrets if kind == "regrets" else solver.average_strategy()]
            )
            np.testing.assert_array_equal(ours[:, :, 0], theirs[:, :, 2])
            if kind == "regrets" and algorithm == "dcfr":
                assert ours.min() < 0


def test_few_lanes_beyond_full_vectors_are_blocks_of_their_own() -> None:
    root = parse_betting(load_game("holdem.limit.2p"), "rc/cc/cc/")

    def blocks(num_lanes: int) -> list[tuple[int, int]]:
        return [(block.first, block.width) for block in cut_lanes(build_betting_trees((root,) * num_lanes).streets[0])]

    assert blocks(1) == [(0, 1)]
    assert blocks(9) == [(0, 8), (8, 1)]
    assert blocks(25) == [(0, 16), (16, 8), (24, 1)]
    assert blocks(7) == [(0, 8)]
    assert blocks(20) == [(0, 16), (16, 1), (17, 1), (18, 1), (19, 1)]
    assert blocks(5) == [(0, 8)]
    assert blocks(63) == [(0, 16), (16, 16), (32, 16), (48, 16)]


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
def test_any_number_of_threads_gives_the_same_bits(algorithm: str) -> None:
    regrets = []
    for num_threads in (1, 2, 3):
        solver = LaneSolver(turn_tree("uint16"), variant=find_variant(algorithm), num_threads=num_threads)
        solver.run(20)
        regrets.append(solver.regrets[0].values.tobytes() + solver.regrets[1].values.tobytes())
    assert regrets[0] == regrets[1] == regrets[2]


@pytest.mark.parametrize(
    ("game", "figures"),
    [
        # The authors' own program for CFR+ (Bowling et al. 2015), built with doubles.
        ("kuhn", {1: 375.0, 2: 175.925926, 3: 108.796296, 10: 18.494382}),
        ("leduc", {1: 1378.801031, 2: 1280.941908, 3: 999.020378, 10: 180.418106}),
        ("rhode-island", {1: 3456.683102, 2: 2463.387259}),
    ],
)
def test_cfr_plus_reaches_the_published_exploitability(game: str, figures: dict[int, float]) -> None:
    tree = build_public_tree(load_game(game))
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    for iteration, expected in figures.items():
        solver.run(iteration - solver.iteration)
        best = sum(root_value(tree, solver.average_strategy(), player, best_response=True) for player in (0, 1))
        assert best / 2 * 1000 / tree.definition.unit_chips == pytest.approx(expected, rel=1e-6)


def test_rhode_island_has_its_canonical_infosets() -> None:
    assert build_public_tree(load_game("rhode-island")).num_infosets == 3_937_128


def test_restoring_goes_on_as_if_nothing_had_been() -> None:
    tree = turn_tree("uint16")
    whole = LaneSolver(tree, variant=find_variant("pdcfr+"))
    whole.run(12)
    half = LaneSolver(tree, variant=find_variant("pdcfr+"))
    half.run(5)
    rest = LaneSolver(tree, variant=find_variant("pdcfr+"))
    rest.restore({name: array.copy() for name, array in half.state_arrays().items()}, 5)
    rest.run(7)
    for name, array in whole.state_arrays().items():
        np.testing.assert_array_equal(rest.state_arrays()[name], array)


@pytest.mark.parametrize("precision", ["float64", "float32", "uint16"])
def test_the_memory_said_beforehand_is_what_is_taken(precision: Precision) -> None:
    tree = turn_tree(precision)
    for name in ("cfr+", "pcfr+", "dcfr"):
        solver = LaneSolver(tree, variant=find_variant(name))
        assert solver.memory_bytes == LaneSolver.estimate_memory_bytes(tree, variant=find_variant(name))
