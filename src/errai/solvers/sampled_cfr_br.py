"""CFR-BR by sampled flops, for games whose best response does not fit in memory (`cfr_br.py` says what CFR-BR is).

The game is cut at the flop. For each seat on its own, an iteration

1. plays the first round: the player by its buckets, its opponent by regrets, with a row for each class of hands;
2. on each flop that was drawn, finds the opponent's best response in the real game to the player's current strategy,
   and the regrets of the player's buckets against it, one turn at a time;
3. updates the regrets of the player in all rounds and those of its opponent in the first, and the player's average.

Flops are drawn in proportion to how many each stands for, and what one adds is weighted so that its mean over all draws
is what all flops add. The draws of an iteration follow from the seed and its number alone, so that a run that was
stopped goes on as if it had not been. Both seats see the same flops, whose trees are built once.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.passes.bucket_pass import NUM_SUMS, BucketedTree, update_against_response
from errai.passes.preflop_pass import PreflopPass
from errai.passes.step import Step
from errai.solvers.bucket_solver import add_average, add_regrets, copy_arrays, named_arrays, verify_bucket_variant
from errai.solvers.variants import Variant
from errai.trees.board_deals import choose_in_steps
from errai.trees.bucket_layout import BucketArray, BucketLayout, HandBuckets, renumbered_hands, tree_buckets
from errai.trees.public_tree import PublicTree
from errai.trees.whole_game import WholeGame, first_round_values

Float32Array = NDArray[np.float32]
# An update of a pass that replaces regrets by what this iteration adds to them.
_ADDED = Step(discount_positive=0.0, discount_negative=0.0, floor=False)


class SampledCfrBrSolver:
    """Regrets and averages of both seats, and in the first round the regrets of their opponents."""

    def __init__(
        self,
        game: WholeGame,
        table: HandBuckets,
        *,
        variant: Variant,
        seed: int = 0,
        flops_per_iteration: int = 1,
        num_threads: int = 1,
    ) -> None:
        verify_bucket_variant(variant)
        self.game = game
        self.table = table
        self.layout = BucketLayout(game.betting, table.counts)
        self.variant = variant
        self.iteration = 0
        self.responses = _Responses(num_threads)
        self._seed = seed
        self._flops_per_iteration = flops_per_iteration
        self.regrets = self.layout.zeros(0), self.layout.zeros(1)
        self.average = self.layout.zeros(0), self.layout.zeros(1)
        first, second = (np.zeros(first_round_values(game.top, player), dtype=np.float32) for player in (0, 1))
        self.opponent_regrets = first, second  # of each player where it is the opponent
        self._multiplicities = [flop.multiplicity for flop in game.flops]

    def run(self, iterations: int) -> None:
        """Make this many iterations of both seats."""
        for _ in range(iterations):
            self.iteration += 1
            step = self.variant.step(self.iteration)
            updates = [_SeatUpdate(self, player, step) for player in (1, 0)]
            for flop, factor in self.draw(self.iteration).items():
                self._add_flop(updates, flop, factor)
            for update in updates:
                update.end()

    def draw(self, iteration: int) -> dict[int, float]:
        """The flops of an iteration, and the factor of what each adds: 1 where all are drawn."""
        every, count = self._multiplicities, self._flops_per_iteration
        if count >= len(every):
            return dict.fromkeys(range(len(every)), 1.0)
        start = np.random.default_rng([self._seed, iteration]).random()
        flops, times = np.unique(choose_in_steps(every, count, start=start), return_counts=True)
        scale = sum(every) / count
        return {flop: scale * often / every[flop] for flop, often in zip(flops.tolist(), times.tolist(), strict=True)}

    def state_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that has to be saved to resume later."""
        opponents = {f"opponent_{player}": regrets for player, regrets in enumerate(self.opponent_regrets)}
        return named_arrays({"regrets": self.regrets, "average": self.average}) | opponents

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the arrays that `state_arrays` returned after `iteration` iterations."""
        copy_arrays(arrays, self.state_arrays())
        self.iteration = iteration

    def _add_flop(self, updates: list["_SeatUpdate"], flop: int, factor: float) -> None:
        tree = self.game.flop_tree(flop)
        for update in updates:
            update.add_flop(flop, tree, factor)

    @cached_property
    def bucket_of_first_hand(self) -> NDArray[np.int32]:
        """Of every class of hands of the first round."""
        buckets = self.table.of_boards(0, np.zeros((1, 0), dtype=np.uint8))[0]
        return np.asarray(buckets[self.game.top.rounds[0].boards[0].hands[0].raw_hands])


class _SeatUpdate:
    """One iteration of one seat: the first round around the flops, whose sums it collects."""

    def __init__(self, solver: SampledCfrBrSolver, player: int, step: Step) -> None:
        self._solver = solver
        self._player = player
        self._step = step
        self._first = _FirstRound(solver, player, step)
        self._regrets, self._average = (solver.layout.zeros(player)[1:] for _ in range(2))

    def add_flop(self, flop: int, tree: PublicTree, factor: float) -> None:
        """Add what a flop adds to the player's regrets and average, and to both players' values in the first round."""
        solver, player = self._solver, self._player
        tables = (solver.table, None) if player == 0 else (None, solver.table)
        buckets = tree_buckets(tree, tables, renumber_hands=True)
        sums = update_against_response(
            BucketedTree(tree.native, buckets, self._first.reach(flop)),
            solver.regrets[player][1:],
            player,
            solver.responses.on_turns(tree, 1 - player),
        )
        self._first.add_flop(flop, sums.values, factor)
        weight = factor * solver.game.flops[flop].multiplicity
        for totals, of_flop in ((self._regrets, sums.regrets), (self._average, sums.average)):
            for total, added in zip(totals, of_flop, strict=True):
                added *= weight
                total += added

    def end(self) -> None:
        """Update the player in all rounds, and its opponent in the first."""
        solver, player = self._solver, self._player
        regrets, average = self._first.end()
        add_regrets(solver.regrets[player], (regrets, *self._regrets), self._step)
        if self._step.average_weight > 0:
            add_average(solver.average[player], (average, *self._average), self._step)


class _FirstRound:
    """The first round of a seat's update: both players' reach goes down to the flops, and their values come up."""

    def __init__(self, solver: SampledCfrBrSolver, player: int, step: Step) -> None:
        self._solver = solver
        self._player = player
        game, opponent_regrets = solver.game, solver.opponent_regrets[1 - player]
        num_hands = len(solver.bucket_of_first_hand)
        self._of_hands = BucketLayout(solver.layout.betting, (num_hands, *solver.layout.counts[1:]))
        self._regrets = self._spread(solver.regrets[player][0])
        self._average = np.zeros_like(self._regrets)
        self._passes = (
            PreflopPass(game, mode="update", player=player, own=self._regrets, opponent=opponent_regrets, step=_ADDED),
            PreflopPass(
                game,
                mode="update",
                player=1 - player,
                own=opponent_regrets,
                opponent=self._regrets.copy(),
                average=self._average,
                step=step._replace(average_decay=1.0, average_weight=1.0),
            ),
        )
        opponent_reach, own_reach = (of_seat.begin() for of_seat in self._passes)
        self._reach = (own_reach, opponent_reach) if player == 0 else (opponent_reach, own_reach)

    def reach(self, flop: int) -> tuple[Float32Array, Float32Array]:
        """Of both players at a flop, [hand][padded lane]."""
        first, second = (self._solver.game.flop_reach(flop, reach) for reach in self._reach)
        return first, second

    def add_flop(self, flop: int, values: tuple[Float32Array, Float32Array], factor: float) -> None:
        """Add the values of a flop to those of both players."""
        for seat, of_seat in zip((self._player, 1 - self._player), self._passes, strict=True):
            of_seat.add_flop(flop, np.float32(factor) * values[seat])

    def end(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Update the opponent's regrets; what the iteration adds to the player's buckets: regrets, and average."""
        for of_seat in self._passes:
            of_seat.end()
        return self._collect(self._regrets), self._collect(self._average)

    def _spread(self, of_buckets: NDArray[Any]) -> Float32Array:
        """The values of buckets, one row for each hand."""
        rows = np.zeros(self._of_hands.sizes(self._player)[0], dtype=np.float32)
        for hands, buckets in self._nodes(rows, of_buckets):
            hands[:] = buckets[self._solver.bucket_of_first_hand]
        return rows

    def _collect(self, rows: Float32Array) -> NDArray[Any]:
        """The sum over the hands of each bucket, each times the hands that it stands for."""
        of_buckets = self._solver.layout.zeros(self._player)[0]
        sizes = self._solver.game.top.root_sizes[self._player].astype(np.float32)[:, np.newaxis, np.newaxis]
        for hands, buckets in self._nodes(rows, of_buckets):
            np.add.at(buckets, self._solver.bucket_of_first_hand, sizes * hands)
        return of_buckets

    def _nodes(self, rows: NDArray[Any], of_buckets: NDArray[Any]) -> Any:
        """The values of each node of the first round, of hands and of buckets."""
        return zip(
            self._of_hands.all_nodes(self._player, (rows,), last_round=0),
            self._solver.layout.all_nodes(self._player, (of_buckets,), last_round=0),
            strict=True,
        )


class _Responses:
    """Room for the response on one turn, for each thread. It is kept: new pages cost more than half of the work."""

    def __init__(self, num_threads: int) -> None:
        self._rooms: list[list[Float32Array]] = [[] for _ in range(min(num_threads, NUM_SUMS))]

    def on_turns(self, tree: PublicTree, player: int) -> list[BucketArray]:
        """For a player's hands on any turn of the tree of a flop."""
        counts = tuple(int(numbers.max()) + 1 for numbers in renumbered_hands(tree, player))
        sizes = BucketLayout(tree.betting, counts).sizes(player)
        for room in self._rooms:
            if not room:
                room += [np.empty(0, dtype=np.float32) for _ in sizes]
            for index, size in enumerate(sizes):
                if len(room[index]) < size:
                    room[index] = np.empty(size, dtype=np.float32)  # in large pages, other than `np.zeros`
                    room[index].fill(0)
        return [tuple(values[:size] for values, size in zip(room, sizes, strict=True)) for room in self._rooms]
