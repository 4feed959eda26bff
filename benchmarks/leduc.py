"""CFR+ iterations a second on Leduc hold'em, one process and one thread, beside the programs that researchers use.

All of them make the same number of iterations from the start, on the same game with suits merged (288 infosets), and
only the iterations are timed, not the building of trees. What each has reached after them is shown, so that one sees
that all of them did the work.

    Errai, lanes   the engine that `errai solve leduc` takes
    Errai, flat    the engine for any tree
    OpenSpiel      its C++ CFR+ (`pyspiel.CFRPlusSolver`)
    LiteEFG        its CFR+ baseline with the linear average, on the tree that it reads from OpenSpiel

Run: python -m pip install --group peers    (pip 25.1 or newer; LiteEFG is compiled, which takes minutes)
     python benchmarks/leduc.py
"""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import errai
from errai._native import level
from errai.bench.rates import items_per_second
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import find_variant
from errai.trees.poker_form import build_extensive_form
from errai.trees.public_tree import build_public_tree

ITERATIONS = 1000
SMALL_BET_CHIPS = 2


@dataclass
class Start:
    """A solver that has not begun yet."""

    iterate: Callable[[int], object]
    nash_conv_chips: Callable[[], float]


def lanes() -> Start:
    tree = build_public_tree(errai.load_game("leduc"))
    solver = LaneSolver(tree, variant=find_variant("cfr+"))
    return Start(solver.run, lambda: errai.exploitability(tree, solver.average_strategy()).nash_conv_chips)


def flat() -> Start:
    form = build_extensive_form(errai.load_game("leduc"))
    solver = FlatSolver(form, variant=find_variant("cfr+"))
    return Start(solver.run, lambda: errai.exploitability(form, solver.average_strategy()).nash_conv_chips)


def open_spiel() -> Start:
    import pyspiel

    game = open_spiel_game()
    solver = pyspiel.CFRPlusSolver(game)

    def iterate(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    return Start(iterate, lambda: pyspiel.nash_conv(game, solver.average_policy()))


def lite_efg() -> Start:
    import LiteEFG
    from LiteEFG.baselines import CFRplus

    LiteEFG.set_threads(1)
    with contextlib.redirect_stdout(io.StringIO()):  # it greets
        environment = LiteEFG.OpenSpielEnv(open_spiel_game(), traverse_type="Enumerate", regenerate=False)
        graph = CFRplus.graph()
    environment.set_graph(graph)

    def iterate(count: int) -> None:
        for _ in range(count):
            graph.update_graph(environment)
            environment.update_strategy(graph.current_strategy())

    return Start(
        iterate,
        lambda: sum(environment.exploitability(graph.current_strategy(), "linear-avg-iterate")),
    )


def open_spiel_game() -> Any:
    import pyspiel

    return pyspiel.load_game("leduc_poker", {"suit_isomorphism": True})


@dataclass(frozen=True)
class Contender:
    """A program, the modules that it needs, how often it starts, and how many times as fast our lanes are to be."""

    name: str
    build: Callable[[], Start]
    modules: tuple[str, ...] = ()
    repeats: int = 3
    target: int | None = None

    def measure(self) -> tuple[float, float]:
        """The iterations a second of the best start, and the exploitability reached, in mbb."""
        starts = [self.build() for _ in range(self.repeats)]
        fresh = iter(starts)
        rate = items_per_second(lambda: next(fresh).iterate(ITERATIONS), ITERATIONS, repeats=self.repeats)
        return rate, starts[0].nash_conv_chips() / 2 * 1000 / SMALL_BET_CHIPS


CONTENDERS = (
    Contender("Errai, lanes", lanes, repeats=50),
    Contender("Errai, flat", flat, repeats=50),
    Contender("OpenSpiel", open_spiel, modules=("pyspiel",), target=50),
    Contender("LiteEFG", lite_efg, modules=("pyspiel", "LiteEFG"), target=10),
)


def main() -> None:
    print(f"CFR+ on Leduc hold'em, {ITERATIONS:,} iterations, one thread, level {level}")
    print(f"{'':<14} {'iterations a second':>20} {'mbb reached':>12} {'lanes are':>12} {'target':>10}")
    rate_of_lanes = 0.0
    for contender in CONTENDERS:
        if any(find_spec(module) is None for module in contender.modules):
            print(f"{contender.name:<14} is not installed: python -m pip install --group peers")
            continue
        rate, reached_mbb = contender.measure()
        rate_of_lanes = rate_of_lanes or rate
        times = f"{rate_of_lanes / rate:,.1f} times"
        target = f"{contender.target} times" if contender.target else ""
        print(f"{contender.name:<14} {rate:>20,.0f} {reached_mbb:>12.4f} {times:>12} {target:>10}")


if __name__ == "__main__":
    main()
