"""Which iterations an average needs, and how it is rounded: tables of docs/reference/benchmarks.md.

    python benchmarks/averages.py [ITERATIONS]

One run of DCFR+ in floats on `four-ranks` with three ranks, and several averages of it. Each is the weighted sum of the
strategies of some iterations, times their own reach; some are rounded in every iteration, on the last round, as a run
from disk rounds them. Prints the exploitability of each at the end, and the bytes that its last round takes; then those
of an average that is kept above the last round only, and of none.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from math import log2

import numpy as np
from numpy.typing import NDArray

from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import load_game
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.storage.codec import ChunkShape, SymbolModel, encode_chunk, zero_counts
from errai.trees.lane_arrays import LaneArray, zeros
from errai.trees.public_tree import PublicTree, build_public_tree

NUM_THREADS = 2
GOLDEN_RATIO = (5**0.5 - 1) / 2
MEASURED_UNITS = 5120.0  # in which the bytes of an average that is not rounded are counted


@dataclass
class Average:
    """From which part of the iterations on, with weights of t^gamma; if in units, and how it rounds."""

    name: str
    begins: float = 0.0
    gamma: float = 4.0
    takes_in: Callable[[int], bool] = lambda _: True
    units: float | None = None
    point: Callable[[int], float] = lambda _: 0.5
    sums: tuple[LaneArray, LaneArray] | None = field(default=None, init=False)
    total: float = field(default=0.0, init=False)  # of the weights
    passed_over: float = field(default=0.0, init=False)  # of the weights of iterations that were left out

    def add(self, strategy: tuple[LaneArray, LaneArray], tree: PublicTree, *, iteration: int, iterations: int) -> None:
        """Take in the strategy of an iteration, already times its own reach."""
        counted = iteration - int(self.begins * iterations)
        if counted <= 0:
            return
        self.passed_over += float(counted) ** self.gamma
        if not self.takes_in(iteration):
            return
        weight, self.passed_over = self.passed_over, 0.0
        self.total += weight
        if self.sums is None:
            self.sums = (zeros(tree, 0), zeros(tree, 1))
        for player in (0, 1):
            values = self.sums[player].values
            values += np.float32(weight) * strategy[player].values
            if self.units is not None:
                self._round(values[last_round(tree, player)], counted)

    def _round(self, sums: NDArray[np.float32], counted: int) -> None:
        scale = np.float32(self.scale)
        np.multiply(sums, scale, out=sums)
        sums += np.float32(1 / 32 + 15 / 16 * self.point(counted))
        np.floor(sums, out=sums)
        sums /= scale

    @property
    def scale(self) -> float:
        """Units of fixed point for a weight of one; a power of two smaller as the weights add up."""
        return (self.units or MEASURED_UNITS) / 2 ** int(log2(max(self.total, 1.0)))


def last_round(tree: PublicTree, player: int) -> slice:
    """Where the values of the last round are in an array of `player`."""

    def size(index: int) -> int:
        tree_round = tree.rounds[index]
        return tree_round.num_hands(player) * tree_round.betting.num_actions(player)

    begin = sum(size(index) for index in range(len(tree.rounds) - 1))
    return slice(begin, begin + size(len(tree.rounds) - 1))


def bytes_per_infoset(tree: PublicTree, average: Average) -> float:
    """Of the last round, coded by the symbols of the same values."""
    assert average.sums is not None
    tree_round = tree.rounds[-1]
    size = 0
    for player in (0, 1):
        model = SymbolModel()
        for _ in range(2):  # the second time with the model that the first one counted
            counts, coded, begin = zero_counts(), 0, last_round(tree, player).start
            for board in tree_round.boards:
                for block in tree_round.blocks:
                    nodes = tree_round.groups[block.group].shape.nodes
                    actions = tuple(node.num_actions for node in nodes if node.player == player)
                    shape = ChunkShape(board.hands[player].num_hands, block.num_lanes, actions)
                    values = average.sums[player].values[begin : begin + shape.num_values]
                    coded += len(encode_chunk(shape, values, scale=average.scale, model=model, counts=counts))
                    begin += shape.num_values
            model = SymbolModel(counts)
        size += coded
    return size / tree_round.num_infosets


def averages() -> list[Average]:
    def golden(counted: int) -> float:
        return GOLDEN_RATIO * counted % 1.0

    return [
        Average("all, weights t^4"),
        Average("32 per doubling", takes_in=lambda t: t % (1 << max((t // 32).bit_length() - 1, 0)) == 0),
        Average("second half, weights t", begins=0.5, gamma=1),
        Average("second half, equal weights", begins=0.5, gamma=0),
        Average("last quarter, equal weights", begins=0.75, gamma=0),
        Average("last eighth, equal weights", begins=0.875, gamma=0),
        *(
            Average(f"last quarter, {units:.0f} units, {name}", begins=0.75, gamma=0, units=units, point=point)
            for name, point in (("to the nearest", lambda _: 0.5), ("golden ratio", golden))
            for units in (1280.0, 2560.0, 5120.0)
        ),
    ]


def main(iterations: int) -> None:
    text = format_definition(load_game("four-ranks")).replace("numRanks = 4", "numRanks = 3")
    tree = build_public_tree(parse_definition(text, name="three-ranks", source="three-ranks"), precision="float32")
    variant = find_variant("dcfr+").with_exponents(gamma=0.0)  # so that an iteration's strategy has the weight 1
    solver = LaneSolver(tree, variant=variant, num_threads=NUM_THREADS)
    kept = averages()
    for iteration in range(1, iterations + 1):
        strategy = solver.average_strategy()
        for array in strategy:
            array.values.fill(0)
        solver.run(1)
        for average in kept:
            average.add(strategy, tree, iteration=iteration, iterations=iterations)
    print(f"{tree.num_infosets:,} infosets, {iterations} iterations\n")
    print("| average | mbb/g | bytes per infoset |\n|---|---|---|")
    for average in kept:
        assert average.sums is not None
        mbb = exploitability_lanes(tree, average.sums, num_threads=NUM_THREADS).exploitability_mbb
        print(f"| {average.name} | {mbb:.3g} | {bytes_per_infoset(tree, average):.3f} |", flush=True)
    current, mixed = solver.current_strategy(), kept[0].sums
    assert mixed is not None
    for player in (0, 1):
        river = last_round(tree, player)
        mixed[player].values[river] = current[player].values[river]
    for name, weights in ((f"{kept[0].name}; the last round current", mixed), ("none, all rounds current", current)):
        mbb = exploitability_lanes(tree, weights, num_threads=NUM_THREADS).exploitability_mbb
        print(f"| {name} | {mbb:.3g} | |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 240)
