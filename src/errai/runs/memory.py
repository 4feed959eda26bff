"""What a run of a whole game takes of a worker's memory, known before it is taken.

A flop that is being worked on takes the tables of its tree, the vectors of a walk over one section, and the bytes of
the sections that are read ahead, in work, and written. What the operating system keeps of files is not counted.
"""

from dataclasses import dataclass

from errai.errors import SizeError
from errai.runs.settings import RunSettings
from errai.storage.codec import Coding
from errai.trees.public_tree import PublicTree
from errai.trees.tree_memory import table_bytes

# Python, NumPy and the program.
_BASE_BYTES = 80_000_000
# Of a number in fixed point over a whole section, by its coding: 0.25 and 0.35 were seen where regrets had filled, less
# before.
_PACKED_BYTES: dict[Coding, float] = {"small": 0.35, "fast": 0.45}
_PLAIN_BYTES = 4.125
_SECTIONS_HELD = 3  # ahead of the one in work, in work, and on its way to the file
_FLOAT = 4
_PYTHON_PER_BOARD = 1_500
_BYTES_FOR_TREES = 500_000_000  # of flops that are not in work, where no limit is given


@dataclass(frozen=True)
class RunMemory:
    """Bytes that a run takes."""

    base_bytes: int
    tree_bytes: int  # of the largest flop
    thread_bytes: int  # of a thread that works on it

    def total_bytes(self, *, num_flops: int, num_threads: int) -> int:
        """With so many flops in work by so many threads in all."""
        return self.base_bytes + num_flops * self.tree_bytes + num_threads * self.thread_bytes


@dataclass(frozen=True)
class RunResources:
    """How many threads work at once, and how many trees are kept."""

    num_threads: int
    max_trees: int
    memory_bytes: int


def estimate_memory(settings: RunSettings) -> RunMemory:
    """What the largest flop of a run takes."""
    game = settings.game
    largest = max(
        range(len(game.flops)), key=lambda flop: (game.flops[flop].hands[0].num_hands, game.flops[flop].multiplicity)
    )
    tree = game.flop_tree(largest)
    boards = sum(len(tree_round.boards) for tree_round in tree.rounds)
    top_bytes = table_bytes(game.top) + len(game.flops) * _PYTHON_PER_BOARD
    return RunMemory(
        base_bytes=_BASE_BYTES + top_bytes,
        tree_bytes=table_bytes(tree) + boards * _PYTHON_PER_BOARD,
        # A walk has the weights of all hands once more, as floats.
        thread_bytes=table_bytes(tree) // 2 + _vector_bytes(tree) + _section_bytes(tree, settings),
    )


def plan_resources(settings: RunSettings, *, num_threads: int, memory_limit_bytes: int | None) -> RunResources:
    """As many threads as are asked for and fit, with as many trees kept as fit beside them."""
    memory = estimate_memory(settings)
    num_flops = len(settings.game.flops)
    if memory_limit_bytes is None:
        most = memory.total_bytes(num_flops=min(num_threads, num_flops), num_threads=num_threads)
        memory_limit_bytes = most + _BYTES_FOR_TREES
    for threads in range(num_threads, 0, -1):
        total = memory.total_bytes(num_flops=min(threads, num_flops), num_threads=threads)
        if total <= memory_limit_bytes:
            spare = (memory_limit_bytes - total) // memory.tree_bytes
            trees = min(num_flops, min(threads, num_flops) + spare)
            return RunResources(threads, trees, total + (trees - min(threads, num_flops)) * memory.tree_bytes)
    least = memory.total_bytes(num_flops=1, num_threads=1)
    raise SizeError(
        f"one flop of `{settings.name}` takes {least / 1e9:.2f} GB of memory; got a limit of "
        f"{memory_limit_bytes / 1e9:.2f} GB",
        hint="raise `--memory`; numbers in fixed point take a sixth of what lossless ones do",
    )


def _vector_bytes(tree: PublicTree) -> int:
    """The scratch space (`native/lanes/round_tables.hpp`) and decoded values (`native/lanes/encoded_source.hpp`)."""
    total = 0
    for index, tree_round in enumerate(tree.rounds):
        hands = tree_round.most_hands(0)
        is_last = index + 1 == len(tree.rounds)
        blocks = [(block.width, tree_round.groups[block.group].shape) for block in tree_round.blocks]
        columns = [width * len(shape.nodes) for width, shape in blocks]
        values = [width * max(shape.num_actions(player) for player in (0, 1)) for width, shape in blocks]
        kept = max if is_last else sum  # the last round is done with a block before it begins the next
        total += hands * ((2 if is_last else 1) * kept(columns) + 3 * kept(values))
        if not is_last:
            below = tree.rounds[index + 1]
            total += (2 * hands + below.most_hands(0)) * below.padded_lanes
    return total * _FLOAT


def _section_bytes(tree: PublicTree, settings: RunSettings) -> int:
    """Of all arrays of a section, as many times as it is held at once."""
    most_values = 0
    for player in (0, 1):
        for child in range(len(tree.rounds[1].boards)):
            most_values = max(most_values, _section_values(tree, child, player))
    byte_rate = _PACKED_BYTES[settings.coding] if settings.scale else _PLAIN_BYTES
    arrays = 2 + settings.with_average
    return int(_SECTIONS_HELD * arrays * most_values * byte_rate)


def _section_values(tree: PublicTree, child: int, player: int) -> int:
    values = 0
    boards = [tree.rounds[1].boards[child]]
    for index in range(1, len(tree.rounds)):
        tree_round = tree.rounds[index]
        hands = sum(board.hands[player].num_hands for board in boards)
        values += hands * tree_round.betting.num_actions(player)
        if index + 1 < len(tree.rounds):
            first, last = boards[0].first_child, boards[-1].first_child + boards[-1].num_children
            boards = list(tree.rounds[index + 1].boards[first:last])
    return values
