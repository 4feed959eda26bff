"""Exact exploitability of a strategy that has one row per bucket of hands, over a whole limit game.

Flop by flop, as in `board_by_board.py`, but everything below a flop is one pass of the lane kernels per quantity, which
read the strategy bucket by bucket. The betting before the flop is small, and is done as there.
"""

from functools import cached_property
from time import perf_counter

import numpy as np

from errai.cards.isomorphism_counts import count_canonical_deals
from errai.errors import InputError
from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.flop_totals import JudgingCost, JudgingStoppedError
from errai.games.definition import GameDefinition
from errai.passes.bucket_pass import BucketedTree, judge_buckets
from errai.trees.betting_tree import BettingTree, build_betting_trees
from errai.trees.board_deals import Deal
from errai.trees.bucket_layout import BucketArrays, can_merge_suits, tree_buckets
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.large_arrays import large_copy
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.sequence_form import Float64Array
from errai.trees.symmetry import SuitSymmetry
from errai.workers.pools import ShouldStop

NextBoards = dict[tuple[int, ...], float]


class BucketedJudge(BoardByBoardJudge):
    """Judges a bucketed strategy of a limit game; a flop adds the values with which its betting begins."""

    is_for_threads = True
    judged = ((0, True), (1, True))  # its own value would take as long as both

    def __init__(self, definition: GameDefinition, bucketed: BucketedStrategy) -> None:
        if not definition.is_limit:
            raise InputError(
                f"only strategies of limit games are judged exactly; `{definition.name}` is no-limit",
                hint="`errai lbr` gives a lower bound",
            )
        super().__init__(definition, bucketed)
        self._bucketed = bucketed
        # Copied here and not when they are first used, because several threads use them first.
        first, second = (tuple(map(large_copy, array[self._flop_round :])) for array in bucketed.weights)
        self._flop_weights: BucketArrays = first, second

    def judge_flop(self, index: int, should_stop: ShouldStop = lambda: False) -> Float64Array:
        """Judge everything that can follow one flop."""
        if should_stop():
            raise JudgingStoppedError
        flop = self._flops[index]
        return flop.multiplicity * self._flop_values(flop, self._flop_tree(flop))

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """From the time of a flop in the middle with one of its turns."""
        definition = self.definition
        flop = self._flops[len(self._flops) // 2]
        first_turn = self._first_turn(flop)  # found before the clock starts: a whole flop does not look for it
        started = perf_counter()
        tree = self._flop_tree(flop, first_turn)
        self._flop_values(flop, tree)
        seconds = perf_counter() - started
        boards = count_canonical_deals(definition.deck, definition.num_board_cards, flushes=True)
        seconds *= boards / len(tree.rounds[-1].boards)
        weights_bytes = sum(values.nbytes for array in self._bucketed.weights for values in array)
        share_of_largest = max(self.multiplicities) / sum(self.multiplicities)
        hands_of_largest = tree.rounds[-1].most_hands(0) * boards * share_of_largest
        memory_bytes = weights_bytes + int(num_threads * hands_of_largest * _BYTES_PER_HAND)
        states = sum(
            count_canonical_deals(definition.deck, definition.num_board_cards[: street.round + 1], flushes=True)
            * (street.num_nodes(0) + street.num_nodes(1))
            for street in self._bucketed.layout.betting.streets
        )
        return JudgingCost(len(self._flops), states, memory_bytes, num_threads, seconds / num_threads)

    @cached_property
    def _flop_betting(self) -> BettingTree:
        betting = self._bucketed.layout.betting
        return build_betting_trees(betting.streets[self._flop_round].groups[0].starts)

    def _first_turn(self, flop: Deal[SuitSymmetry]) -> NextBoards | None:
        """One board that follows a flop; None where none does."""
        if len(self._flop_betting.streets) == 1:
            return None
        below = build_public_tree(self.definition, betting=self._flop_betting, board=flop.cards, num_rounds=2)
        return {below.rounds[1].boards[0].cards: 1.0}

    def _flop_tree(self, flop: Deal[SuitSymmetry], next_boards: NextBoards | None = None) -> PublicTree:
        return build_public_tree(
            self.definition,
            betting=self._flop_betting,
            board=flop.cards,
            next_boards=next_boards,
            precision="float64" if self._bucketed.weights[0][0].dtype == np.float64 else "float32",
            merge_suits=can_merge_suits(self.definition),
        )

    def _flop_values(self, flop: Deal[SuitSymmetry], tree: PublicTree) -> Float64Array:
        """What the hands are worth where the betting on a flop begins, [judged][hand][lane]."""
        _, reach = self._flop_lanes
        live = self._live_lanes(self._top) if self._flop_round else [0]
        held = tree.rounds[0].boards[0].hands[0]  # all hands, of both players
        lanes = tree.rounds[0].padded_lane[0][live]
        first, second = (np.zeros((held.num_hands, tree.rounds[0].padded_lanes), dtype=tree.dtype) for _ in range(2))
        for own, padded in zip(reach, (first, second), strict=True):
            padded[:, lanes] = own[held.raw_hands]
        table = self._bucketed.table
        bucketed_tree = BucketedTree(tree.native, tree_buckets(tree, (table, table)), (first, second))
        values: Float64Array = np.zeros((len(self.judged), len(held.hand_of_raw), len(live)))
        is_held = held.hand_of_raw >= 0
        for judged, (player, best_response) in enumerate(self.judged):
            of_class = judge_buckets(bucketed_tree, self._flop_weights, player, best_response=best_response)
            values[judged, is_held] = of_class[held.hand_of_raw[is_held]][:, lanes]
        return values


# What a tree and its buckets keep for a hand of a last board.
_BYTES_PER_HAND = 180
