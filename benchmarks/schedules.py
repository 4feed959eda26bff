"""Which variant of CFR and which schedule solve a spot first: a table of docs/reference/benchmarks.md.

    python benchmarks/schedules.py [--iterations 200] SPOT [METHOD ...]

For each method: iterations and processor seconds (of both threads) until the average and the current strategy are at
0.3 % and at 0.1 % of the pot, or in a whole game at 3 and at 1 mbb/g. Both are measured every 10 iterations; where
one is not reached, what was reached last. Iterations do not depend on the machine.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.library import load_game
from errai.games.libratus import BETS as ENDGAME_BETS
from errai.games.libratus import read_endgame
from errai.games.spot import Spot
from errai.passes.step import Step
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.variants import VARIANTS, Exponents, Variant
from errai.trees.betting_tree import build_betting_tree
from errai.trees.public_tree import PublicTree, build_public_tree
from reference import benchmark_spot

NUM_THREADS = 2
PLANNED_ITERATIONS = 200  # of the methods whose weights depend on it
MEASURE_EVERY = 10
PERCENT_TARGETS = (0.3, 0.1)
MBB_TARGETS = (3.0, 1.0)
LIMIT_RANGE = "QQ+,AK"
TIGHT, WIDE = benchmark_spot.RANGE_BB, benchmark_spot.RANGE_DEALER


@dataclass
class RestartedAverage(LaneSteps):
    """The average begins anew at iterations 1, 4, 16, 64, 256, and counts from there."""

    def next(self) -> Step:
        step = super().next()
        restart = 4 ** ((self.iteration.bit_length() - 1) // 2)
        counted = self.iteration - restart + 1
        decay = ((counted - 1) / counted) ** self.variant.exponents.gamma
        return step._replace(average_decay=decay, average_weight=1.0)


@dataclass
class DiscountedAtFirst(LaneSteps):
    """Modicum's schedule: regrets are discounted in the first 30 iterations only, the second half is averaged."""

    last_discounted = 30

    def next(self) -> Step:
        step = super().next()
        if self.iteration > self.last_discounted:
            step = step._replace(discount_positive=1.0)
        counted = self.iteration - PLANNED_ITERATIONS // 2
        return step._replace(average_decay=1.0, average_weight=float(max(counted, 0)))


def with_exponents(name: str, **exponents: float) -> LaneSteps:
    return LaneSteps(VARIANTS[name].with_exponents(**exponents), planned_iterations=PLANNED_ITERATIONS)


METHODS: dict[str, Callable[[], LaneSteps]] = {
    "dcfr, alpha 1.4, beta 0.2, gamma 5": lambda: with_exponents("dcfr", alpha=1.4, beta=0.2, gamma=5.0),
    "dcfr, gamma 4": lambda: with_exponents("dcfr", gamma=4.0),
    "dcfr+": lambda: with_exponents("dcfr+"),
    "dcfr, gamma 3, average restarted at powers of 4": lambda: RestartedAverage(
        VARIANTS["dcfr"].with_exponents(gamma=3.0)
    ),
    "hs-dcfr over 200": lambda: with_exponents("hs-dcfr"),
    "dcfr, gamma 6": lambda: with_exponents("dcfr", gamma=6.0),
    "dcfr, gamma 2": lambda: with_exponents("dcfr"),
    "dcfr+, alpha 2": lambda: with_exponents("dcfr+", alpha=2.0),
    "pdcfr+": lambda: with_exponents("pdcfr+"),
    "pcfr+": lambda: with_exponents("pcfr+"),
    "cfr+": lambda: with_exponents("cfr+"),
    "cfr+, discounted to 30, averaged from 100": lambda: DiscountedAtFirst(
        Variant("discounted-at-first", Exponents(0.5, 0, 1), floor=True)
    ),
}


def spots() -> dict[str, Callable[[], Spot | None]]:
    """By name; None is the whole of flop hold'em."""
    no_limit, limit = load_game("holdem.nolimit.2p"), load_game("holdem.limit.2p")
    benchmark = {"range_bb": TIGHT, "range_dealer": WIDE}
    endgame = Path(__file__).parent.parent / "tests" / "data" / "libratus" / "subgame1.txt"
    return {
        "3betpotfast": lambda: Spot(
            no_limit,
            pot=benchmark_spot.POT,
            stack=benchmark_spot.STACK,
            board=benchmark_spot.BOARD,
            bets="; ".join(benchmark_spot.BETS),
            **benchmark,
        ),
        "turn": lambda: Spot(
            no_limit, pot=390, stack=805, board="QsJh2h8c", bets="turn 33%,75% / 60%; river 50%,100% / 60%", **benchmark
        ),
        "libratus-turn": lambda: read_endgame(endgame).spot(no_limit, board="7s9h9cTc", pot=500, bets=ENDGAME_BETS),
        "limit-flop": lambda: Spot(
            limit, betting="rc/", board="Ks8s3d", range_bb=LIMIT_RANGE, range_dealer=LIMIT_RANGE
        ),
        "flop-holdem": lambda: None,
    }


def build_tree(spot: Spot | None) -> PublicTree:
    if spot is None:
        return build_public_tree(load_game("flop-holdem"), precision="float32")
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips, rake=spot.rake_rule)
    return build_public_tree(
        spot.definition, betting=betting, board=spot.board_cards, ranges=spot.weights, precision="float32"
    )


def run(
    tree: PublicTree, steps: LaneSteps, targets: tuple[float, ...], unit_mbb: float, *, most_iterations: int
) -> list[str]:
    """The cells of a row: for each target those of the average and of the current strategy."""
    solver = LaneSolver(tree, variant=steps.variant, planned_iterations=PLANNED_ITERATIONS, num_threads=NUM_THREADS)
    solver._steps = steps
    seconds = 0.0
    reached: dict[tuple[int, int], str] = {}
    while solver.iteration < most_iterations and len(reached) < 2 * len(targets):
        started = process_time()
        solver.run(MEASURE_EVERY)
        seconds += process_time() - started
        strategies = (solver.average_strategy(), solver.current_strategy())
        measured = [
            exploitability_lanes(tree, strategy, num_threads=NUM_THREADS).exploitability_mbb / unit_mbb
            for strategy in strategies
        ]
        print(
            f"  {solver.iteration} {seconds:.1f}", *(f"{value:.4g}" for value in measured), file=sys.stderr, flush=True
        )
        for which, value in enumerate(measured):
            for index, target in enumerate(targets):
                if value <= target:
                    reached.setdefault((index, which), f"{solver.iteration}, {seconds:.0f} s")
    return [
        reached.get((index, which), f"({measured[which]:.2g} at {solver.iteration})")
        for which in (0, 1)
        for index in range(len(targets))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=PLANNED_ITERATIONS, help="at most")
    parser.add_argument("spot", choices=spots())
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    options = parser.parse_intermixed_args()
    spot = spots()[options.spot]()
    tree = build_tree(spot)
    targets, unit, unit_mbb = MBB_TARGETS, "mbb/g", 1.0
    if spot is not None:
        targets, unit, unit_mbb = PERCENT_TARGETS, "%", 10.0 * spot.pot_chips / tree.definition.unit_chips
    heads = [f"{which} to {target:g} {unit}" for which in ("average", "current") for target in targets]
    print(f"{options.spot}: {tree.num_infosets:,} infosets\n\n| method | " + " | ".join(heads) + " |")
    print("|---" * (1 + len(heads)) + "|", flush=True)
    for method in options.methods or METHODS:
        cells = run(tree, METHODS[method](), targets, unit_mbb, most_iterations=options.iterations)
        print(f"| {method} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
