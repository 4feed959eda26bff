"""The bindings of the kernels: they convert nothing, refuse wrong shapes, keep arrays alive and report errors."""

import gc
import os
import subprocess
import sys
from threading import get_ident

import numpy as np
import pytest

from errai._native import available_levels, kernels, load_level
from errai._native.levels import LEVELS, runnable_levels
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.passes.step import Step
from errai.trees.betting_tree import build_betting_tree
from errai.trees.lane_arrays import kernel_arrays, zeros
from errai.trees.public_tree import Precision, PublicTree, build_public_tree


def river(precision: Precision = "float32") -> PublicTree:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/cc/")
    return build_public_tree(
        game, betting=build_betting_tree(root), board=game.deck.parse("Ks8s3d7h2c"), precision=precision
    )


def turn() -> PublicTree:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/")
    return build_public_tree(
        game, betting=build_betting_tree(root), board=game.deck.parse("Ks8s3s7s"), precision="float32"
    )


def make_runner(tree: PublicTree) -> kernels.LaneRunnerFloat32:
    regrets = kernel_arrays((zeros(tree, 0), zeros(tree, 1)))
    return kernels.LaneRunnerFloat32(
        tree=tree.native,
        regrets=regrets,
        weights=regrets,
        average=kernel_arrays((zeros(tree, 0), zeros(tree, 1))),
        reach=(tree.root_reach(0), tree.root_reach(1)),
        simultaneous=False,
        num_threads=2,
    )


def test_a_runner_keeps_its_tree_and_arrays_alive() -> None:
    runner = make_runner(turn())
    gc.collect()
    np.full(50_000_000, np.nan, dtype=np.float32)  # takes the memory, were it free
    runner.run([Step(average_weight=1.0).native()] * 2)


def test_a_chunk_keeps_its_bytes_model_and_values_alive() -> None:
    shape = kernels.ChunkShape(3, 2, [2])
    values = np.arange(12, dtype=np.float32)
    data = kernels.encode_packed(shape, values, 1.0, kernels.SymbolModel())
    decoded = np.empty_like(values)
    chunk = kernels.PackedChunk(shape, bytes(bytearray(data)), 1.0, kernels.SymbolModel(), decoded)
    del shape, data
    gc.collect()
    kernels.decode_packed([chunk])
    assert np.array_equal(decoded, values)


def test_sides_and_states_keep_their_arrays_alive() -> None:
    # One infoset each with two actions; the first player wins what its second action names.
    def side(sign: float) -> kernels.SequenceSide:
        return kernels.SequenceSide(
            first_sequence=np.array([1, 3], dtype=np.int32),
            parent_sequence=np.array([0], dtype=np.int32),
            row_start=np.array([0, 0, 1, 2], dtype=np.int32),
            column=np.array([1, 2], dtype=np.int32),
            payoff=np.array([sign, 2 * sign]),
        )

    regrets = np.zeros(2)
    state = kernels.SolverState(regrets=regrets, strategy=np.full(2, 0.5), average=np.zeros(2))
    other = kernels.SolverState(regrets=np.zeros(2), strategy=np.full(2, 0.5), average=np.zeros(2))
    sides = [side(1.0), side(-1.0)]
    gc.collect()
    kernels.run_flat(sides, [state, other], [Step().native()], simultaneous=True)
    assert regrets.tolist() == [0.0, 0.25]


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((4, 7), dtype=np.int64),
        np.zeros((4, 14), dtype=np.uint8)[:, ::2],
        np.zeros(7, dtype=np.uint8),
        [[0, 1, 2]],
    ],
    ids=["type", "strides", "dimensions", "list"],
)
def test_no_array_is_converted(wrong: object) -> None:
    with pytest.raises(TypeError, match="incompatible function arguments"):
        kernels.hand_strengths(wrong, 4, np.zeros(4, dtype=np.int32))  # type: ignore[arg-type]


def test_no_result_goes_into_a_copy() -> None:
    cards = np.array([[0, 1]], dtype=np.uint8)
    with pytest.raises(TypeError):
        kernels.hand_strengths(cards, 4, np.zeros(1, dtype=np.int64))
    read_only = np.zeros(1, dtype=np.int32)
    read_only.flags.writeable = False
    with pytest.raises(TypeError):
        kernels.hand_strengths(cards, 4, read_only)


def test_wrong_shapes_are_refused() -> None:
    cards = np.zeros((4, 7), dtype=np.uint8)
    with pytest.raises(ValueError, match="`strengths` must have 4 entries; got 3"):
        kernels.hand_strengths(cards, 4, np.zeros(3, dtype=np.int32))
    with pytest.raises(ValueError, match="1 to 7 columns"):
        kernels.hand_strengths(np.zeros((1, 8), dtype=np.uint8), 4, np.zeros(1, dtype=np.int32))
    with pytest.raises(ValueError, match=r"`strengths` must have the shape \(1, 2\); got \(2, 1\)"):
        kernels.board_strengths(
            np.array([[0, 1, 2]], dtype=np.uint8),
            np.array([[3, 4], [5, 6]], dtype=np.uint8),
            4,
            np.zeros((2, 1), dtype=np.int32),
        )
    indexer = kernels.HandIndexer(13, 4, [2, 3])
    with pytest.raises(ValueError, match="`cards` must be 0 to 52, exclusive; got 200"):
        indexer.index(np.full((1, 2), 200, dtype=np.uint8), 0, np.zeros(1, dtype=np.uint64))
    with pytest.raises(ValueError, match="`indices` must be 0 to 169, exclusive; got 169"):
        indexer.unindex(np.array([169], dtype=np.uint64), 0, np.zeros((1, 2), dtype=np.uint8))
    with pytest.raises(ValueError, match="`round` must be 0 to 2, exclusive; got 2"):
        indexer.size(2)
    with pytest.raises(ValueError, match="1 to 9 cards"):
        kernels.HandIndexer(13, 4, [5, 5])
    with pytest.raises(ValueError, match="`values` must have 12 entries; got 11"):
        kernels.encode_plain(kernels.ChunkShape(3, 2, [2]), np.zeros(11, dtype=np.float32))
    with pytest.raises(ValueError, match="fewer than 2\\^31 values"):
        kernels.ChunkShape(2**30, 16, [3])


def test_arrays_of_another_tree_are_refused() -> None:
    tree = river()
    small = (np.zeros(3, dtype=np.float32), None)
    right = (zeros(tree, 0).values, None)
    reach = np.asarray(tree.root_reach(0), dtype=np.float32)
    request = kernels.PassRequest(mode="evaluate", player=0)
    with pytest.raises(ValueError, match=r"`values` must have \d+ entries; got 3"):
        kernels.judge_lanes(tree.native, request, right, small, reach, np.zeros_like(reach))
    with pytest.raises(ValueError, match="`value` must have the shape"):
        kernels.judge_lanes(tree.native, request, right, right, reach, np.zeros((1, 1), dtype=np.float32))
    scales = np.zeros(4, dtype=np.float32)
    with pytest.raises(ValueError, match="only values of 16 bits"):
        kernels.judge_lanes(tree.native, request, (right[0], scales), right, reach, np.zeros_like(reach))
    for start, name in (
        (kernels.PassStart(round=1), "round"),
        (kernels.PassStart(shape=0, node=99), "node"),
        (kernels.PassStart(shape=3), "shape"),
    ):
        beyond = kernels.PassRequest(mode="evaluate", player=0, start=start)
        with pytest.raises(ValueError, match=f"`{name}` must be 0 to"):
            kernels.judge_lanes(tree.native, beyond, right, right, reach, np.zeros_like(reach))


def test_a_tree_without_its_last_round_is_refused() -> None:
    tree = kernels.LaneTree(2)
    request = kernels.PassRequest(mode="evaluate", player=0)
    array, reach = (np.zeros(16, dtype=np.float32), None), np.zeros((1, 1), dtype=np.float32)
    with pytest.raises(ValueError, match="the tree must have a round"):
        kernels.judge_lanes(tree, request, array, array, reach, reach)


def shape(**changes: object) -> kernels.BettingShape:
    """One player checks, and the round is over."""
    settings: dict[str, object] = {
        "player": 0,
        "has_fold": False,
        "call_node": None,
        "call_end": 0,
        "raise_nodes": [],
    }
    node = kernels.BettingNode(**(settings | changes))  # type: ignore[arg-type]
    return kernels.BettingShape(nodes=[node], end_is_all_in=[False])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"player": 2}, "`player` must be 0 or 1"),
        ({"call_end": 5}, "`call_end` must be an ending"),
        ({"call_end": None}, "a call must lead to a node or to an ending"),
        ({"raise_nodes": [0]}, "must come after its node"),
        ({"raise_nodes": [7]}, "must come after its node"),
        ({"raise_nodes": [1] * 8}, "at most 8 actions"),
    ],
)
def test_a_node_that_leads_nowhere_is_refused(changes: dict[str, object], message: str) -> None:
    shape()
    with pytest.raises(ValueError, match=message):
        shape(**changes)


def hand_list(**changes: object) -> kernels.HandList:
    """One hand of one card."""
    columns: dict[str, object] = {
        "parent_hand": np.zeros(1, dtype=np.int32),
        "orbit": np.zeros(1, dtype=np.uint8),
        "class_weight": np.ones(1),
        "orbit_weight": np.ones(1),
        "up_weight": np.ones(1),
        "group_end": np.ones(1, dtype=np.int32),
        "opponent_hand": np.zeros(1, dtype=np.int32),
    }
    return kernels.HandList(**(columns | changes))  # type: ignore[arg-type]


def add_round(hands: kernels.HandList, **changes: object) -> kernels.LaneTree:
    """A tree of one round, one lane and one board."""
    block: dict[str, object] = {
        "shape": 0,
        "first_lane": 0,
        "width": 1,
        "num_lanes": 1,
        "fold_chips": np.ones((1, 1)),
        "won_chips": np.ones((1, 1)),
        "end_chips": np.ones((1, 1)),
        "half_rake": np.zeros((1, 1)),
        "next_lane": np.zeros((1, 1), dtype=np.int32),
    }
    tree = kernels.LaneTree(1)
    tree.add_round(
        kernels.LaneRound(
            is_last=True,
            shapes=[shape()],
            blocks=[kernels.LaneBlock(**(block | changes))],  # type: ignore[arg-type]
            boards=[
                kernels.Board(
                    num_hands=(1, 1), first_child=0, num_children=0, first_group=0, num_groups=1, num_orbits=1
                )
            ],
            hands=(hands, hands),
        )
    )
    return tree


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": 1}, "`shape` must be 0 to 1, exclusive; got 1"),
        ({"first_lane": 1}, "blocks must follow each other"),
        ({"width": 3}, "16, 8 or 1 lanes wide"),
        ({"num_lanes": 2}, "1 to `width` lanes"),
        ({"fold_chips": np.ones((2, 1))}, "`fold_chips` and `won_chips` must be"),
        ({"end_chips": np.ones((2, 1))}, "`end_chips` and `half_rake` must be"),
        ({"next_lane": np.zeros((2, 1), dtype=np.int32)}, "`next_lane` must be"),
    ],
)
def test_a_block_that_does_not_fit_its_shape_is_refused(changes: dict[str, object], message: str) -> None:
    add_round(hand_list())
    with pytest.raises(ValueError, match=message):
        add_round(hand_list(), **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"orbit": np.array([1], dtype=np.uint8)}, "`orbit` must be 0 to 1, exclusive; got 1"),
        ({"opponent_hand": np.array([2], dtype=np.int32)}, "`opponent_hand` must be 0 to 2, exclusive; got 2"),
        ({"group_end": np.array([2], dtype=np.int32)}, "must end with its last hand"),
        ({"up_weight": np.ones(2)}, "one entry per hand"),
    ],
)
def test_a_list_of_hands_that_leads_nowhere_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        add_round(hand_list(**changes))


def test_a_call_that_is_all_in_needs_the_edges_of_its_board() -> None:
    tree = add_round(hand_list())
    with pytest.raises(ValueError, match=r"`edge` must have the shape \(1, 1\); got \(2, 1\)"):
        tree.add_all_in_edge(0, 0, np.zeros((2, 1), dtype=np.float32), 1)
    tree.add_all_in_edge(0, 0, np.zeros((1, 1), dtype=np.float32), 1)
    with pytest.raises(ValueError, match="every board of the round has its edges already"):
        tree.add_all_in_edge(0, 0, np.zeros((1, 1), dtype=np.float32), 1)


def test_unknown_modes_and_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="`mode` must be `update`, `best_response` or `evaluate`; got `look`"):
        kernels.PassRequest(mode="look", player=0)
    tree = river()
    table = np.zeros((tree.rounds[-1].boards[0].hands[0].num_hands, 16), dtype=np.float32)
    chips = np.ones(16, dtype=np.float32)
    with pytest.raises(ValueError, match="`kind` must be `fold`, `showdown`, `own` or `opponent`; got `draw`"):
        kernels.evaluate_endings(tree.native, 0, "draw", table, table.copy(), chips, chips)
    state = kernels.SolverState(regrets=np.zeros(0), strategy=np.zeros(0), average=np.zeros(0))
    terminal = kernels.GameNodes(
        kind=np.array([3], dtype=np.uint8),
        first_child=np.zeros(1, dtype=np.int32),
        num_children=np.zeros(1, dtype=np.int32),
        infoset=np.zeros(1, dtype=np.int32),
        probability=np.ones(1),
        payoff=np.zeros(1),
        is_public=np.zeros(1, dtype=np.bool_),
        first_action=np.zeros(1, dtype=np.int32),
    )
    with pytest.raises(ValueError, match="`sampling` must be `external`, `outcome` or `public-chance`; got `none`"):
        kernels.run_sampled(terminal, state, [], first_iteration=0, sampling="none", exploration=0.5, seed=0)


@pytest.mark.parametrize("num_threads", [1, 2, 8])
def test_an_error_in_a_thread_reaches_the_caller(num_threads: int) -> None:
    def work(item: int) -> None:
        if item == 3:
            raise KeyError(item)

    with pytest.raises(KeyError, match="3"):
        kernels.for_each_in_threads(100, num_threads, work)


def test_threads_share_all_items() -> None:
    done: list[tuple[int, int]] = []
    kernels.for_each_in_threads(50, 4, lambda item: done.append((item, get_ident())))
    assert sorted(item for item, _ in done) == list(range(50))


def run_with_level(level: str) -> subprocess.CompletedProcess[str]:
    code = (
        "from errai.errors import InputError\n"
        "try:\n"
        "    import errai._native\n"
        "except InputError as error:\n"
        "    print(error, '/', error.hint)"
    )
    environment = {**os.environ, "ERRAI_NATIVE_LEVEL": level}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)


def test_an_unknown_level_is_named() -> None:
    printed = run_with_level("v9").stdout
    assert "`ERRAI_NATIVE_LEVEL` must be one of `v4`, `v3`, `v2`, `plain`; got `v9`" in printed


def test_a_level_that_cannot_run_or_was_not_compiled_is_named() -> None:
    for name in sorted(set(LEVELS) - set(available_levels())):
        with pytest.raises(InputError) as caught:
            load_level(name)
        if name in runnable_levels():
            assert f"the kernels were not compiled for the level `{name}`" in str(caught.value)
            assert caught.value.hint == "compile all levels with `make build LEVELS=all`"
        else:
            assert str(caught.value) == f"this processor cannot run the level `{name}`"
