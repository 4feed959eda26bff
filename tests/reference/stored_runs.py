"""What a run on disk holds, without what may differ between two runs that did the same: their ids and times."""

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from errai.games.strategies import StrategyKind
from errai.passes.section_pass import read_node
from errai.runs.flop_worker import ArrayName
from errai.runs.run import WholeRun
from errai.storage.flop_file import FlopFile
from errai.storage.run_identity import RunIdentity
from errai.trees.lane_arrays import LaneArray, node_values
from errai.trees.public_tree import PublicTree

_TIMES = {"seconds", "core_seconds"}


def logical_files(directory: Path) -> dict[str, object]:
    """Every file of a flop by its path: what it says it is, and the bytes of its sections; other files byte by byte."""
    found: dict[str, object] = {}
    for path in sorted(directory.rglob("*.flop*")):
        name = str(path.relative_to(directory))
        if path.suffix != ".flop":
            found[name] = path.read_bytes()
            continue
        with FlopFile(path) as file:
            array = replace(file.array, run=RunIdentity("", file.array.run.settings_digest))
            found[name] = array, [file.read(section).tobytes() for section in range(file.num_sections)]
    return found


def logical_ledger(directory: Path) -> dict[str, Any]:
    """Every record of a ledger, without times and the run's id; arrays as lists of their bits."""
    with closing(sqlite3.connect(directory / "ledger.sqlite")) as connection:
        rows = connection.execute("SELECT key, content FROM records ORDER BY key").fetchall()
    return {key: _content(content) for key, content in rows}


def _content(content: bytes) -> Any:
    if content.startswith(b"{"):
        return {name: value for name, value in json.loads(content).items() if name not in {*_TIMES, "run_id"}}
    with np.load(io.BytesIO(content)) as arrays:
        return {
            name: (arrays[name].dtype.str, arrays[name].shape, arrays[name].tobytes())
            for name in arrays.files
            if name not in _TIMES
        }


def assert_same_bits(
    run: WholeRun, tree: PublicTree, strategy: StrategyKind, expected: tuple[LaneArray, LaneArray]
) -> None:
    """Every number of a run is that of the whole tree in memory."""
    for player in (0, 1):
        first_round = run.preflop_state().weights(strategy)[player].values[:-16]
        assert np.array_equal(first_round, expected[player].values[: len(first_round)])
    worker = run.flop_worker()
    firsts = [0] * len(tree.rounds)  # boards of each round that belong to the flops before
    for flop in range(run.num_flops):
        flop_tree = run.game.flop_tree(flop)
        for player in (0, 1):
            source = worker.open_array(flop, ArrayName(strategy, player), run.ledger.passes_done)
            for index, tree_round in enumerate(flop_tree.rounds):
                for board_index in range(len(tree_round.boards)):
                    for group_index, group in enumerate(tree_round.groups):
                        for node_index, node in enumerate(group.shape.nodes):
                            if node.player != player:
                                continue
                            where = {"round_index": index, "board_index": board_index, "node_index": node_index}
                            where["group"] = group_index
                            values = read_node(flop_tree, source, **where, lanes=range(group.num_lanes))
                            where |= {"round_index": index + 1, "board_index": firsts[index + 1] + board_index}
                            assert np.array_equal(values, node_values(tree, expected[player], **where))
        for index, tree_round in enumerate(flop_tree.rounds):
            firsts[index + 1] += len(tree_round.boards)
