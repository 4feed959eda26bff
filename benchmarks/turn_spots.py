"""Which variant and which precision solve a turn of limit hold'em best: the tables of docs/reference/benchmarks.md.

    python benchmarks/turn_spots.py variants     iterations to 1 mbb/g, current and average, on three turns
    python benchmarks/turn_spots.py precision    what is reached, against the bytes that it takes in memory
    python benchmarks/turn_spots.py packed       the same against the bytes that it takes on disk, with the codec

Iterations and exploitability do not depend on the machine; each takes some ten minutes on two cores.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.passes.tree_values import root_value
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import VARIANTS, Variant
from errai.storage.codec import DEFAULT_SCALE, ChunkShape, SymbolModel, encode_chunk, zero_counts
from errai.trees.betting_tree import build_betting_tree
from errai.trees.lane_arrays import array_bytes
from errai.trees.public_tree import Precision, PublicTree, build_public_tree

SPOTS = {"Ks8s3d7h": "rc/cc/", "Td9d6hQc": "rc/rc/", "AhAc5d5s": "rrc/cc/"}
NUM_THREADS = 2
TARGET_MBB = 1.0
MOST_ITERATIONS = 600
MEASURE_EVERY = 20


def build(board: str, precision: Precision) -> PublicTree:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, SPOTS[board])
    return build_public_tree(game, betting=build_betting_tree(root), board=game.deck.parse(board), precision=precision)


def measure(solver: LaneSolver) -> tuple[float, float]:
    """The exploitability of the average and of the current strategy, in mbb/g."""
    tree = solver.tree
    average, current = (
        sum(root_value(tree, weights, player, best_response=True, num_threads=NUM_THREADS) for player in (0, 1))
        / 2
        * 1000
        / tree.definition.unit_chips
        for weights in (solver.average_strategy(), solver.current_strategy())
    )
    return average, current


def compared_variants() -> Iterator[tuple[str, Variant]]:
    for name in ("cfr+", "dcfr", "dcfr+"):
        yield name, VARIANTS[name]
    yield "dcfr+, a = 2", VARIANTS["dcfr+"].with_exponents(alpha=2.0)
    for name in ("pcfr+", "pdcfr+", "lcfr"):
        yield name, VARIANTS[name]


def print_variants() -> None:
    print("| variant | " + " | ".join(f"{board} average | current" for board in SPOTS) + " |")
    print("|---" * (1 + 2 * len(SPOTS)) + "|")
    trees = {board: build(board, "float32") for board in SPOTS}
    for name, variant in compared_variants():
        cells = []
        for tree in trees.values():
            solver = LaneSolver(tree, variant=variant, num_threads=NUM_THREADS, planned_iterations=MOST_ITERATIONS)
            reached: list[str | None] = [None, None]
            while solver.iteration < MOST_ITERATIONS and None in reached:
                solver.run(MEASURE_EVERY)
                measured = measure(solver)
                for kind, mbb in enumerate(measured):
                    if reached[kind] is None and mbb <= TARGET_MBB:
                        reached[kind] = str(solver.iteration)
            cells += [
                iteration or f"({mbb:.1f} at {MOST_ITERATIONS})"
                for iteration, mbb in zip(reached, measured, strict=True)
            ]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def run_fixed_point(solver: LaneSolver, iterations: int, step_chips: float) -> None:
    """As `solver.run`, with regrets rounded to multiples of `step_chips` after every iteration."""
    for _ in range(iterations):
        solver.run(1)
        for array in solver.regrets:
            np.multiply(np.rint(array.values / np.float32(step_chips)), np.float32(step_chips), out=array.values)


def print_precision() -> None:
    iterations, board = 400, "Ks8s3d7h"
    print("| regrets | bytes an infoset-action | current strategy after 400 iterations, mbb/g |")
    print("|---|---|---|")
    variant = VARIANTS["cfr+"]
    for precision in ("float64", "float32", "uint16"):
        tree = build(board, precision)  # type: ignore[arg-type]
        solver = LaneSolver(tree, variant=variant, num_threads=NUM_THREADS)
        solver.run(iterations)
        size = sum(array_bytes(tree, player) for player in (0, 1)) / sum(tree.num_values)
        print(f"| {precision} | {size:.2f} | {measure(solver)[1]:.2f} |", flush=True)
    for per_chip in (16.0, 2.0, 0.5, 0.1, 0.02):
        tree = build(board, "float32")
        solver = LaneSolver(tree, variant=variant, num_threads=NUM_THREADS)
        # Regrets are sums over the opponent's hands, so that a chip of one hand is a chip divided by their number.
        run_fixed_point(solver, iterations, 1 / per_chip)
        largest = max(float(array.values.max()) for array in solver.regrets) * per_chip
        bits = max(int(np.ceil(np.log2(largest + 1))), 1)
        print(f"| fixed point, {per_chip:g} a chip | {bits} bits | {measure(solver)[1]:.2f} |", flush=True)


PACKED = [
    ("dcfr+", "nearest", [None, 2**-3, 2**-5, 2**-6, 2**-7, DEFAULT_SCALE, 2**-9]),
    ("dcfr+", "dithered", [2**-5, 2**-7]),
    ("cfr+", "nearest", [None, 2**-3, 2**-4, 2**-5, 2**-6]),
]
MEASURED_AT = (100, 200, 400)
TURN_SCALE = 16  # times that of the river; the turn is 1 % of the values


def turn_size(tree: PublicTree, player: int) -> int:
    turn = tree.rounds[0]
    return turn.num_hands(player) * turn.betting.num_actions(player)


def round_to_units(values: NDArray[np.float32], scale: float, dither: np.random.Generator | None) -> None:
    """In place. Dithered: up or down at random, in proportion to how near they are."""
    scaled = values * np.float32(scale)
    units = np.rint(scaled) if dither is None else np.floor(scaled + dither.random(scaled.shape, dtype=np.float32))
    np.multiply(units, np.float32(1 / scale), out=values)


def packed_bytes_an_infoset(solver: LaneSolver, scale: float) -> float:
    """What the codec makes of the rivers, with the model that they themselves give."""
    river = solver.tree.rounds[1]
    chunks = []
    for player in (0, 1):
        actions = tuple(node.num_actions for node in river.groups[0].shape.nodes if node.player == player)
        first = turn_size(solver.tree, player)
        for board, block in product(river.boards, river.blocks):
            shape = ChunkShape(board.hands[player].num_hands, block.num_lanes, actions)
            chunks.append((shape, solver.regrets[player].values[first : first + shape.num_values]))
            first += shape.num_values
    counts = zero_counts()
    for shape, values in chunks:
        encode_chunk(shape, values, scale=scale, counts=counts)
    model = SymbolModel(counts)
    return (
        sum(len(encode_chunk(shape, values, scale=scale, model=model)) for shape, values in chunks) / river.num_infosets
    )


def print_packed() -> None:
    headings = [f"{kind} at {iteration}" for kind in ("average", "current") for iteration in MEASURED_AT]
    print(f"| variant | rounding | scale | bytes an infoset | {' | '.join(headings)} |")
    print("|---" * (4 + len(headings)) + "|")
    tree = build("Ks8s3d7h", "float32")
    for name, rounding, scales in PACKED:
        for scale in scales:
            solver = LaneSolver(tree, variant=VARIANTS[name], num_threads=NUM_THREADS)
            dither = np.random.default_rng(1) if rounding == "dithered" else None
            measured = []
            while solver.iteration < MEASURED_AT[-1]:
                solver.run(1)
                for player, array in enumerate(solver.regrets) if scale else ():
                    turn = turn_size(tree, player)
                    round_to_units(array.values[:turn], TURN_SCALE * scale, dither)
                    round_to_units(array.values[turn:], scale, dither)
                if solver.iteration in MEASURED_AT:
                    measured.append(measure(solver))
            size = f"{packed_bytes_an_infoset(solver, scale):.2f}" if scale else "10.4"
            cells = [f"{mbb:.2f}" for kind in zip(*measured, strict=True) for mbb in kind]
            kept = f"1/{1 / scale:g}" if scale else "floats"
            print(f"| {name} | {rounding if scale else ''} | {kept} | {size} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    {"variants": print_variants, "precision": print_precision, "packed": print_packed}[sys.argv[1]]()
