"""CFR+ iterations a second on Rhode Island hold'em (3,937,128 infosets) with one thread, and with what numbers.

Later on, lanes that nobody reaches any more are skipped; so both the first iterations and those after 100 are timed.
The target is 30 a second in doubles.

Run: python benchmarks/rhode_island.py
"""

import errai
from errai._native import level
from errai.bench.rates import items_per_second
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.public_tree import Precision, build_public_tree

ORIGINAL = 4.0  # iterations a second that the published program for CFR+ makes on a core of the same kind
PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "uint16")
ITERATIONS, REPEATS, LATER = 10, 5, 100


def main() -> None:
    print(
        f"CFR+ on Rhode Island hold'em, iterations a second, one thread, level {level}; the original makes {ORIGINAL:g}"
    )
    print(f"{'':<10} {'from the start':>16} {f'after {LATER}':>16} {'times the original':>20}")
    for precision in PRECISIONS:
        tree = build_public_tree(errai.load_game("rhode-island"), precision=precision)
        solver = LaneSolver(tree, variant=find_variant("cfr+"))
        first = items_per_second(lambda solver=solver: solver.run(ITERATIONS), ITERATIONS, repeats=REPEATS)
        solver.run(max(LATER - solver.iteration, 0))
        later = items_per_second(lambda solver=solver: solver.run(ITERATIONS), ITERATIONS, repeats=REPEATS)
        print(f"{precision:<10} {first:>16.1f} {later:>16.1f} {first / ORIGINAL:>20.1f}")


if __name__ == "__main__":
    main()
