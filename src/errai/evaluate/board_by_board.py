"""Exact exploitability of any strategy of a whole limit game, asked for board by board.

1. From the first decision down, the strategy is asked at every public state that its player gets to with some hand, and
   reach is multiplied up (`round_pass.py`). Nothing is kept but the boards on the way to the one at hand.
2. On a last board the lane kernels judge the betting with all hands and lanes at once.
3. Values come back up as sums over the cards to come. With a strategy that is blind to suits, cards that a relabelling
   of suits makes of each other are dealt once, and a hand's value is the mean over the relabellings of its board.

Three things are computed in one pass: the best responses of both players, and what player 0 gets by its own strategy.
"""

from collections.abc import Sequence
from functools import cached_property
from time import perf_counter

import numpy as np

from errai.cards.hands import num_hands
from errai.cards.isomorphism_counts import count_canonical_deals, count_deals
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_totals import JudgingCost, JudgingStoppedError
from errai.games.definition import GameDefinition
from errai.games.state import BettingState, initial_state
from errai.games.strategies import WholeGameStrategy
from errai.passes.round_pass import Reach, RoundPass, pass_down, possible_hands
from errai.passes.tree_values import values_at_node
from errai.trees.betting_tree import BettingShape, build_betting_tree, build_betting_trees
from errai.trees.board_deals import Deal, deal_cards, deal_flops, flop_round, num_deals
from errai.trees.lane_arrays import set_node_values, zeros
from errai.trees.public_tree import build_public_tree
from errai.trees.sequence_form import Float64Array
from errai.trees.symmetry import SuitSymmetry, no_symmetry, suit_symmetry
from errai.workers.pools import ShouldStop


class BoardByBoardJudge:
    """Judges by asking; a flop adds the values with which its betting begins, [judged][hand][lane]."""

    is_for_threads = False  # no strategy has to answer several threads at once
    # What is computed: for which player, and whether by a best response or by its own strategy.
    judged: tuple[tuple[int, bool], ...] = ((0, True), (1, True), (0, False))

    def __init__(self, definition: GameDefinition, strategy: WholeGameStrategy) -> None:
        self.definition = definition
        self._strategy = strategy
        self._shapes = _round_shapes(definition)
        self._flop_round = flop_round(definition)
        symmetry = suit_symmetry if strategy.is_suit_blind else no_symmetry
        self._symmetry: SuitSymmetry = symmetry(definition)
        self._flops = deal_flops(definition, self._symmetry)
        self.multiplicities = [flop.multiplicity for flop in self._flops]

    def judge_flop(self, index: int, should_stop: ShouldStop = lambda: False) -> Float64Array:
        """Ask about everything that can follow one flop."""
        flop = self._flops[index]
        lanes, reach = self._flop_lanes
        return flop.multiplicity * self._values(self._flop_round, flop, flop.cards, lanes, reach, should_stop)

    def finish(self, total: Float64Array, *, chosen_by: Float64Array | None = None) -> Exploitability:
        """The best responses, from the sum over all flops.

        Before the flop they take the actions that are best for the sum `chosen_by`, where that is given.
        """
        definition = self.definition
        values, chosen = (
            None if sums is None else self._mean_over_relabellings(sums, self._symmetry) / self._num_flop_deals
            for sums in (total, chosen_by)
        )
        assert values is not None
        if self._flop_round:
            values = self._values_at_start(self._top, values, self._live_lanes(self._top), chosen_by=chosen)
        opponents = num_deals(definition, board_cards=0, hands=1, count=definition.num_hole_cards)
        first, second, *value = (values[:, :, 0].mean(axis=1) / opponents).tolist()
        return Exploitability((first, second), value[0] if value else None, float(definition.unit_chips))

    @property
    def _num_flop_deals(self) -> int:
        dealt = self.definition.num_board_cards[self._flop_round]
        return num_deals(self.definition, board_cards=0, hands=2, count=dealt)

    def added(self, total: Float64Array, values: Float64Array) -> Float64Array:
        """The sum with one more flop."""
        return total + values

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """From the time of one board a round."""
        definition = self.definition
        seconds, states, lanes = 0.0, 0, 1
        timed = self._time_boards()
        for round_, shape in enumerate(self._shapes):
            boards = self._count_boards(round_)
            seconds += boards * timed.get(round_, 0.0)
            states += boards * lanes * len(shape.nodes)
            lanes *= len(shape.call_ends)
        hands = num_hands(definition.deck, definition.num_hole_cards)
        last = self._shapes[-1]
        numbers = hands * (lanes // len(last.call_ends)) * sum(node.num_actions + 2 for node in last.nodes)
        memory_bytes = 2 * 8 * numbers * num_threads
        return JudgingCost(len(self._flops), states, memory_bytes, num_threads, seconds / num_threads)

    def _count_boards(self, round_: int) -> int:
        deck, groups = self.definition.deck, self.definition.num_board_cards[: round_ + 1]
        if self._strategy.is_suit_blind:
            return count_canonical_deals(deck, groups, flushes=True)
        return count_deals(deck, groups)

    @cached_property
    def _top(self) -> RoundPass:
        """The betting before the flop."""
        return pass_down(self._strategy, self._shapes[0], (), *self._root)

    @property
    def _root(self) -> tuple[Sequence[BettingState], Reach]:
        ones = np.ones((num_hands(self.definition.deck, self.definition.num_hole_cards), 1))
        return [initial_state(self.definition)], (ones, ones)

    @cached_property
    def _flop_lanes(self) -> tuple[Sequence[BettingState], Reach]:
        """The lanes with which the betting on a flop begins."""
        return self._lanes_after(self._top, self._live_lanes(self._top)) if self._flop_round else self._root

    def _values(
        self,
        round_: int,
        deal: Deal[SuitSymmetry],
        board: tuple[int, ...],
        lanes: Sequence[BettingState],
        reach: Reach,
        should_stop: ShouldStop,
    ) -> Float64Array:
        """What the hands are worth at the start of a round with `deal` on `board`, [judged][hand][lane]."""
        if should_stop():
            raise JudgingStoppedError
        possible = possible_hands(self.definition, board)
        reach = reach[0] * possible, reach[1] * possible
        if not lanes:
            return np.zeros((len(self.judged), len(possible), 0))
        passed = pass_down(self._strategy, self._shapes[round_], board, lanes, reach)
        if round_ + 1 == self.definition.num_rounds:
            return self._values_on_last_board(passed, reach)
        live = self._live_lanes(passed)
        next_lanes, next_reach = self._lanes_after(passed, live)
        dealt = self.definition.num_board_cards[round_ + 1]
        total: Float64Array = np.zeros((len(self.judged), len(possible), len(live)))
        for below in deal_cards(deal.symmetry, board, dealt):
            values = self._values(round_ + 1, below, (*board, *below.cards), next_lanes, next_reach, should_stop)
            total += below.multiplicity * values
        mean = self._mean_over_relabellings(total, deal.symmetry)
        mean /= num_deals(self.definition, board_cards=len(board), hands=2, count=dealt)
        return self._values_at_start(passed, mean, live)

    def _values_on_last_board(self, passed: RoundPass, reach: Reach) -> Float64Array:
        tree = build_public_tree(
            self.definition,
            betting=build_betting_trees(tuple(passed.lanes)),
            board=passed.board,
            merge_suits=self._strategy.is_suit_blind,
        )
        held = tree.rounds[0].boards[0].hands[0]  # all hands, of both players
        weights = zeros(tree, 0), zeros(tree, 1)
        for index, (node, probabilities) in enumerate(zip(passed.shape.nodes, passed.probabilities, strict=True)):
            set_node_values(
                tree,
                weights[node.player],
                probabilities[held.raw_hands],
                round_index=0,
                board_index=0,
                node_index=index,
            )
        lanes = slice(0, len(passed.lanes))
        values: Float64Array = np.zeros((len(self.judged), *reach[0].shape))
        for judged, (player, best_response) in enumerate(self.judged):
            opponent_reach = np.zeros((held.num_hands, tree.rounds[0].padded_lanes))
            opponent_reach[:, lanes] = reach[1 - player][held.raw_hands]
            of_class = values_at_node(tree, weights, player, opponent_reach, best_response=best_response)
            is_held = held.hand_of_raw >= 0
            values[judged, is_held] = of_class[held.hand_of_raw[is_held], lanes]
        return values

    def _values_at_start(
        self, passed: RoundPass, after: Float64Array, live: list[int], *, chosen_by: Float64Array | None = None
    ) -> Float64Array:
        """The values of a round, given those of the live lanes after it."""
        num_ends = len(passed.shape.call_ends)

        def of_ends(of_lanes: Float64Array) -> list[list[Float64Array]]:
            """[judged][end][hand][lane]"""
            num_judged, hands, _ = of_lanes.shape
            every = np.zeros((num_judged, hands, len(passed.lanes) * num_ends))
            every[:, :, live] = of_lanes
            return [[own[:, end::num_ends] for end in range(num_ends)] for own in every]

        ends = of_ends(after)
        chosen = [None] * len(ends) if chosen_by is None else of_ends(chosen_by)
        return np.stack(
            [
                passed.values(player, own, best_response=best, chosen_by=own_chosen)
                for own, own_chosen, (player, best) in zip(ends, chosen, self.judged, strict=True)
            ]
        )

    @staticmethod
    def _live_lanes(passed: RoundPass) -> list[int]:
        """The lanes of the next round, numbered lane by lane and ending by ending, that a strategy reaches."""
        gets_there = [(reach[0] + reach[1]).any(axis=0) for reach in passed.end_reach]
        live: list[int] = np.flatnonzero(np.stack(gets_there, axis=1)).tolist()
        return live

    @staticmethod
    def _lanes_after(passed: RoundPass, live: list[int]) -> tuple[Sequence[BettingState], Reach]:
        num_ends = len(passed.shape.call_ends)
        states = [passed.end_states[number % num_ends][number // num_ends] for number in live]
        of_ends = [np.stack([reach[player] for reach in passed.end_reach], axis=2) for player in (0, 1)]
        first, second = (array.reshape(len(array), -1)[:, live] for array in of_ends)
        return states, (first, second)

    @staticmethod
    def _mean_over_relabellings(values: Float64Array, symmetry: SuitSymmetry) -> Float64Array:
        _, classes, sizes = np.unique(symmetry.hand_keys(), return_inverse=True, return_counts=True)
        sums = np.zeros((len(sizes), len(values), values.shape[2]))
        np.add.at(sums, classes, values.swapaxes(0, 1))
        means: Float64Array = (sums / sizes[:, np.newaxis, np.newaxis])[classes].swapaxes(0, 1)
        return means

    def _time_boards(self) -> dict[int, float]:
        """The seconds that a board of each round from the flop on takes, without what follows it."""
        seconds: dict[int, float] = {}
        lanes, reach = self._flop_lanes
        flop = self._flops[0]
        board, symmetry = flop.cards, flop.symmetry
        for round_ in range(self._flop_round, self.definition.num_rounds):
            if not lanes:
                break
            began = perf_counter()
            possible = possible_hands(self.definition, board)
            reach = reach[0] * possible, reach[1] * possible
            passed = pass_down(self._strategy, self._shapes[round_], board, lanes, reach)
            if round_ + 1 == self.definition.num_rounds:
                self._values_on_last_board(passed, reach)
            else:
                live = self._live_lanes(passed)
                lanes, reach = self._lanes_after(passed, live)
                self._values_at_start(passed, np.zeros((len(self.judged), len(possible), len(live))), live)
                deal: Deal[SuitSymmetry] = deal_cards(symmetry, board, self.definition.num_board_cards[round_ + 1])[0]
                board, symmetry = (*board, *deal.cards), deal.symmetry
            seconds[round_] = perf_counter() - began
        return seconds


def _round_shapes(definition: GameDefinition) -> list[BettingShape]:
    """In a limit game every round has one."""
    return [street.groups[0].shape for street in build_betting_tree(initial_state(definition)).streets]
