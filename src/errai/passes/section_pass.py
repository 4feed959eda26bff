"""A pass over a tree whose values come as sections of bytes (`native/lanes/sections.hpp`), wherever they are stored.

Section 0 is that of the root board; section 1 + i is that of the i-th board of the second round and of all boards below
it. Sections are read one ahead of the arithmetic and written in order; several threads can compute the sections of one
tree.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import thread_time
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.errors import InputError
from errai.passes.step import Step
from errai.trees.public_tree import PublicTree
from errai.workers.pools import map_in_order

ByteArray = NDArray[np.uint8]
Mode = Literal["update", "best_response", "evaluate"]
Sections = tuple[ByteArray | None, ...]  # own, the opponent's, its average
Outputs = tuple[ByteArray | None, ByteArray | None]  # own, the opponent's average

OWN, OPPONENT, AVERAGE = 0, 1, 2
_NO_UPDATE = Step()


class PassStoppedError(Exception):
    """A pass was asked to stop before its end, which leaves everything unchanged."""


class SectionSource(Protocol):
    """Where the sections of one array come from."""

    @property
    def scales(self) -> Sequence[float]:
        """One per round of the tree: the scale of fixed point, or 0 for values without loss."""
        ...

    @property
    def model(self) -> Sequence[int] | None:
        """The counts of symbols with which it was encoded; None for a first version."""
        ...

    @property
    def next_model(self) -> Sequence[int] | None:
        """The counts with which the next version will be encoded."""
        ...

    def read(self, section: int) -> ByteArray: ...


class SectionSink(Protocol):
    """Where the sections of one array go, in order, that of the root at the end."""

    def write(self, section: ByteArray) -> None: ...


@dataclass
class PassArrays:
    """The arrays of a pass; a pass that updates writes the new regrets and, with averages, the opponent's average."""

    own: SectionSource | None
    opponent: SectionSource
    average: SectionSource | None = None
    own_sink: SectionSink | None = None
    average_sink: SectionSink | None = None
    counts_symbols: bool = False  # for the models of versions to come
    average_shift: int = 0  # by how many bits the average that is written is shortened, at least
    average_rounding: float = 0.5  # what is added before it is rounded down
    is_fast: bool = False  # the coding of what is written: `fast` instead of `small`
    should_stop: Callable[[], bool] | None = None  # asked before every section

    @property
    def sources(self) -> tuple[SectionSource | None, SectionSource | None, SectionSource | None]:
        return self.own, self.opponent, self.average

    def read(self, section: int) -> Sections:
        return tuple(None if source is None else source.read(section) for source in self.sources)

    def write(self, outputs: Outputs) -> None:
        for sink, output in zip((self.own_sink, self.average_sink), outputs, strict=True):
            if sink is not None:
                assert output is not None
                sink.write(output)


@dataclass(frozen=True)
class RootNode:
    """A node of the betting on the root board, in all lanes of its group."""

    group: int
    node: int


@dataclass(frozen=True)
class SectionPassResult:
    """The result of a pass."""

    value: NDArray[np.float32]  # of every root hand at the node, [hand][padded lane]
    own_counts: list[int]  # of the symbols written, if they were counted
    average_counts: list[int]
    core_seconds: float  # of all threads


def pass_over_sections(
    tree: PublicTree,
    arrays: PassArrays,
    *,
    mode: Mode,
    player: int,
    reach: NDArray[np.float32],
    node: RootNode | None = None,
    step: Step = _NO_UPDATE,
    num_threads: int = 1,
    action_values: NDArray[np.float32] | None = None,
) -> SectionPassResult:
    """Make one pass for `player` against the opponent's reach at a node of the root's betting, [hand][padded lane].

    `action_values`, [action][hand][padded lane], is set to the value of each action of a node where `player` acts.
    """
    started = thread_time()
    verify_reach(tree, reach, node)
    native = kernels.EncodedPass(
        tree=tree.native,
        request=kernels.PassRequest(mode=mode, player=player, step=step.native(), start=pass_start(node)),
        codecs=[
            None if source is None else _codec(source, arrays, is_average=kind == AVERAGE)
            for kind, source in enumerate(arrays.sources)
        ],
    )
    native.begin(reach=reach, root=arrays.read(0))
    elsewhere = _pass_over_children(native, arrays, num_children=len(tree.rounds[1].boards), num_threads=num_threads)
    value = np.zeros(reach.shape, dtype=np.float32)
    arrays.write(native.end(value=value, action_values=flat_action_values(action_values)))
    return SectionPassResult(value, native.counts(OWN), native.counts(AVERAGE), elsewhere + thread_time() - started)


def read_node(
    tree: PublicTree,
    source: SectionSource,
    *,
    round_index: int,
    board_index: int,
    node_index: int,
    lanes: range,
    group: int = 0,
) -> NDArray[np.float32]:
    """The numbers of an array (of the node's player) at a node on a board, in some lanes: [hand][action][lane]."""
    tree_round = tree.rounds[round_index]
    shape = tree_round.groups[group].shape
    node = shape.nodes[node_index]
    hands = tree_round.boards[board_index].hands[node.player].num_hands
    child = _child_of_root(tree, round_index, board_index)
    section = source.read(1 + child if child >= 0 else 0)
    counts = source.model
    model = kernels.SymbolModel() if counts is None else kernels.SymbolModel(np.array(counts, dtype=np.uint64))
    values = np.empty((hands, node.num_actions, len(lanes)), dtype=np.float32)
    for number, block in enumerate(tree_round.blocks):
        wanted = range(max(lanes.start, block.first), min(lanes.stop, block.first + block.num_lanes))
        if block.group != group or not wanted:
            continue
        block_values = kernels.decode_block(
            tree=tree.native,
            player=node.player,
            place=kernels.BlockPlace(section=child, round=round_index, board=board_index, block=number),
            section=section,
            scale=source.scales[round_index],
            model=model,
        )
        first = hands * shape.first_actions[node_index] * block.num_lanes
        of_node = block_values[first : first + hands * node.num_actions * block.num_lanes]
        values[:, :, wanted.start - lanes.start : wanted.stop - lanes.start] = of_node.reshape(
            hands, node.num_actions, block.num_lanes
        )[:, :, wanted.start - block.first : wanted.stop - block.first]
    return values


def _child_of_root(tree: PublicTree, round_index: int, board_index: int) -> int:
    """The board of the second round at or above a board; -1 for the root."""
    if round_index == 0:
        return kernels.ROOT_SECTION
    for index in range(round_index, 1, -1):
        board_index = tree.rounds[index].boards[board_index].parent
    return board_index


def _codec(source: SectionSource, arrays: PassArrays, *, is_average: bool) -> kernels.ArrayCodec:
    return kernels.ArrayCodec(
        scales=source.scales,
        read_counts=source.model,
        write_counts=source.next_model,
        counts_symbols=arrays.counts_symbols,
        least_shift=arrays.average_shift if is_average else 0,
        rounding=arrays.average_rounding if is_average else 0.5,
        is_fast=arrays.is_fast,
    )


def pass_start(node: RootNode | None) -> kernels.PassStart:
    """Where a pass begins: at a node, or at the start of all lanes."""
    return kernels.PassStart() if node is None else kernels.PassStart(shape=node.group, node=node.node)


def flat_action_values(action_values: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    """[action][hand][padded lane] as the kernels take it."""
    return None if action_values is None else action_values.reshape(-1, action_values.shape[-1])


def verify_reach(tree: PublicTree, reach: NDArray[np.float32], node: RootNode | None) -> None:
    """Raise an `InputError` unless `reach` is [hand][padded lane] of the root board and `node` one of its nodes."""
    root = tree.rounds[0]
    expected = (root.most_hands(0), root.padded_lanes)
    if reach.shape != expected or reach.dtype != np.float32 or not reach.flags.c_contiguous:
        raise InputError(
            f"`reach` must be a contiguous array of shape {expected} and type `float32`; "
            f"got shape {reach.shape} and type `{reach.dtype}`"
        )
    if node is not None and not 0 <= node.node < len(root.groups[node.group].shape.nodes):
        raise InputError(f"`node` must be one of {len(root.groups[node.group].shape.nodes)}; got `{node.node}`")


def _pass_over_children(
    native: kernels.EncodedPass, arrays: PassArrays, *, num_children: int, num_threads: int
) -> float:
    """Read and write sections in order while other threads compute; the seconds that those threads worked."""
    seconds: list[float] = []

    def compute(child: tuple[int, Sections]) -> Outputs:
        started = thread_time()
        index, sections = child
        outputs = native.run_section(child=index, sections=sections)
        seconds.append(thread_time() - started)
        return outputs

    def read() -> Iterator[tuple[int, Sections]]:
        for child in range(num_children):
            if arrays.should_stop is not None and arrays.should_stop():
                raise PassStoppedError
            yield child, arrays.read(1 + child)

    with closing(map_in_order(compute, read(), num_threads=num_threads, max_ahead=num_threads)) as outputs:
        for output in outputs:
            arrays.write(output)
    return sum(seconds)
