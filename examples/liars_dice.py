"""Liar's dice as a game of one's own: a class of two methods, solved by CFR+ and checked by a linear program.

Each player rolls one die of `sides` sides in secret. In turn they bid "so many dice show this face", each bid higher
than the last, first by the number of dice, then by the face; the highest face is wild and counts as every face. Instead
of bidding, a player may call the last bid a lie: whoever is wrong pays 1 chip.

    python examples/liars_dice.py
"""

from dataclasses import dataclass, replace
from itertools import product

from errai.evaluate.flat_best_response import exploitability_flat
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.linear_programs import solve_sequence_form
from errai.solvers.variants import find_variant
from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form


@dataclass(frozen=True)
class Table:
    """What has happened so far."""

    dice: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    is_called: bool = False


class LiarsDice:
    def __init__(self, *, sides: int) -> None:
        self.sides = sides
        self.bids = [(count, face) for count in (1, 2) for face in range(1, sides + 1)]

    def initial(self) -> Table:
        return Table()

    def node(self, table: Table) -> Terminal | Chance[Table] | Decision[Table]:
        if not table.dice:
            rolls = list(product(range(1, self.sides + 1), repeat=2))
            return Chance([(Table(dice=roll), 1 / len(rolls)) for roll in rolls])
        player = len(table.bids) % 2
        if table.is_called:
            caller_wins = not self._is_true(table)
            return Terminal(payoff=1.0 if caller_wins == (player == 0) else -1.0)
        next_bid = table.bids[-1] + 1 if table.bids else 0
        children = {
            f"{self.bids[bid][0]}x{self.bids[bid][1]}": replace(table, bids=(*table.bids, bid))
            for bid in range(next_bid, len(self.bids))
        }
        if table.bids:
            children["liar"] = replace(table, is_called=True)
        return Decision(player, infoset=(table.dice[player], table.bids), children=children)

    def _is_true(self, table: Table) -> bool:
        count, face = self.bids[table.bids[-1]]
        return sum(die in (face, self.sides) for die in table.dice) >= count


def main(*, sides: int = 4, iterations: int = 2000) -> None:
    form = build_custom_form(LiarsDice(sides=sides), name=f"liar's dice, {sides} sides")
    print(f"{form.name}: {form.num_nodes} nodes, {form.num_infosets} infosets")

    solver = FlatSolver(form, variant=find_variant("cfr+"))
    solver.run(iterations)
    result = exploitability_flat(form, solver.average_strategy(), with_value=True)
    low, high = result.value_bounds_chips
    print(f"CFR+, {iterations} iterations: exploitability {result.exploitability_chips:.6f} chips")
    print(f"value to the first player: between {low:.6f} and {high:.6f}")
    print(f"by linear programming: {solve_sequence_form(form).value_chips:.9f}")


if __name__ == "__main__":
    main()
