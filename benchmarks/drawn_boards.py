"""What iterations that visit a part of the rivers gain: tables of docs/reference/benchmarks.md.

    python benchmarks/drawn_boards.py [royal | holdem | three-ranks | four-ranks]

DCFR+ in floats. A schedule is `A of 1/K + B`: A iterations that visit one river in K, then B that visit all. Averaged
is the second half of B, or without draws the last quarter. The work is counted in iterations over all rivers without
the average: 1/K for a drawn one, 1.8 for one that is averaged. Prints the exploitability of the average, which does not
depend on the machine.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from errai.evaluate.lane_exploitability import exploitability_lanes
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.spot_tree import build_spot_tree

NUM_THREADS = 2
AVERAGED_WORK = 1.8
LIMIT_RANGE = "QQ+,AK"


@dataclass(frozen=True)
class Schedule:
    """Iterations that visit one river in `one_in`, then iterations that visit all."""

    whole: int
    drawn: int = 0
    one_in: int = 1

    @property
    def averaging_delay(self) -> int:
        return self.drawn + self.whole // 2 if self.drawn else self.whole * 3 // 4

    @property
    def work(self) -> float:
        averaged = self.drawn + self.whole - self.averaging_delay
        return self.drawn / self.one_in + self.whole + (AVERAGED_WORK - 1) * averaged

    def __str__(self) -> str:
        return f"{self.drawn} of 1/{self.one_in} + {self.whole}" if self.drawn else str(self.whole)


def exploitability_mbb(tree: PublicTree, schedule: Schedule) -> float:
    solver = LaneSolver(
        tree,
        variant=find_variant("dcfr+").with_exponents(gamma=0.0),
        averaging_delay=schedule.averaging_delay,
        num_threads=NUM_THREADS,
    )
    solver._steps.draw_boards, solver._steps.draw_until = schedule.one_in, schedule.drawn
    solver.run(schedule.drawn + schedule.whole)
    return exploitability_lanes(tree, solver.average_strategy(), num_threads=NUM_THREADS).exploitability_mbb


def ranks(number: int) -> PublicTree:
    text = format_definition(load_game("four-ranks")).replace("numRanks = 4", f"numRanks = {number}")
    return build_public_tree(parse_definition(text, name="ranks", source="ranks"), precision="float32")


def flop(game: str, board: str, hands: str = "random") -> PublicTree:
    spot = Spot(load_game(game), betting="rc/", board=board, range_bb=hands, range_dealer=hands)
    return build_spot_tree(spot, precision="float32")


TREES: dict[str, Callable[[], PublicTree]] = {
    "royal": lambda: flop("royal", "QsQhJd"),
    "holdem": lambda: flop("holdem.limit.2p", "Ks8s3d", LIMIT_RANGE),
    "three-ranks": lambda: ranks(3),
    "four-ranks": lambda: ranks(4),
}
SCHEDULES = (
    *(Schedule(whole) for whole in (60, 80, 100, 120)),
    *(Schedule(40, drawn, 2) for drawn in (60, 80, 100)),
    *(Schedule(40, drawn, 4) for drawn in (80, 120)),
)


def main(names: list[str]) -> None:
    for name in names or list(TREES):
        tree = TREES[name]()
        print(f"{name}: {tree.num_infosets:,} infosets\n\n| iterations | work | mbb/g |\n|---|---|---|", flush=True)
        for schedule in SCHEDULES:
            print(f"| {schedule} | {schedule.work:.0f} | {exploitability_mbb(tree, schedule):.1f} |", flush=True)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
