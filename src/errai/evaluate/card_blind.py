"""Exact exploitability of a strategy that does not look at its cards, over a whole limit game.

The algorithm is in `blind_betting.py` (the betting) and `native/judge/card_blind.hpp` (the cards):

1. A hand's edge on a last board, its weaker less its stronger opponents as a share of all, decides what it is worth
   there; the last round's betting program makes a table of rows, one an edge.
2. For each flop, from the last boards up: look the rows up, take means over the cards to come, run the betting program.
3. Over all flops: the mean for each hand, then the betting before the flop. What the hands are worth on average is what
   the best response wins.
"""

from functools import cached_property
from time import perf_counter

import numpy as np

from errai._native import kernels
from errai.cards.hands import hands
from errai.evaluate.blind_betting import BlindBetting
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_totals import JudgingCost
from errai.games.definition import GameDefinition
from errai.games.strategies import WholeGameStrategy
from errai.trees.board_deals import deal_flops, flop_round, num_deals
from errai.trees.sequence_form import Float64Array
from errai.trees.symmetry import suit_symmetry
from errai.workers.pools import ShouldStop


class CardBlindJudge:
    """Judges a strategy that declares itself card-blind; a flop adds a row for every hand."""

    is_for_threads = True

    def __init__(self, definition: GameDefinition, strategy: WholeGameStrategy) -> None:
        self.definition = definition
        self.betting = BlindBetting(definition, strategy)
        self._hands = hands(definition.deck, definition.num_hole_cards)
        self._flop_round = flop_round(definition)
        self._symmetry = suit_symmetry(definition)
        self._flops = deal_flops(definition, self._symmetry)
        self._num_columns = len(self.betting.rounds[self._flop_round].columns) if self._flop_round else 2
        self.multiplicities = [flop.multiplicity for flop in self._flops]

    def judge_flop(self, index: int, should_stop: ShouldStop = lambda: False) -> Float64Array:
        """The values with which the betting on the flop begins, [hand][column], times the flops that it stands for."""
        flop = self._flops[index]
        rows = np.empty((len(self._hands), self._num_columns))
        self._kernel.evaluate(
            board=np.array(flop.cards, dtype=np.uint8), relabellings=flop.symmetry.relabellings, rows=rows
        )
        return flop.multiplicity * rows

    def added(self, total: Float64Array, values: Float64Array) -> Float64Array:
        """The sum with one more flop."""
        return total + values

    def finish(self, total: Float64Array) -> Exploitability:
        """The best responses, from the sum over all flops."""
        definition = self.definition
        dealt = definition.num_board_cards[self._flop_round]
        _, classes, sizes = np.unique(self._symmetry.hand_keys(), return_inverse=True, return_counts=True)
        means = np.zeros((len(sizes), self._num_columns))
        np.add.at(means, classes, total)
        means /= sizes[:, np.newaxis] * num_deals(definition, board_cards=0, hands=1, count=dealt)
        if self._flop_round:
            ends, means = means, np.empty((len(sizes), 2))
            self.betting.programs[0].run(ends=ends, starts=means)
        first, second = (sizes @ means / sizes.sum()).tolist()
        return Exploitability((first, second), self.betting.mixed_value(), float(definition.unit_chips))

    def estimate_cost(self, *, num_threads: int) -> JudgingCost:
        """From the time of a flop in the middle."""
        middle = len(self._flops) // 2
        started = perf_counter()
        row_bytes = self.judge_flop(middle).nbytes
        seconds = (perf_counter() - started) * sum(self.multiplicities) / self.multiplicities[middle]
        # A thread holds rows of a round, of the one below it, and what waits to be added.
        memory_bytes = self._table.nbytes + num_threads * self.definition.num_rounds * 2 * row_bytes
        return JudgingCost(len(self._flops), self.betting.num_states, memory_bytes, num_threads, seconds / num_threads)

    @cached_property
    def _kernel(self) -> kernels.CardBlindGame:
        definition = self.definition
        kernel = kernels.CardBlindGame(
            deck_size=definition.deck.size, num_suits=definition.num_suits, hands=self._hands, table=self._table
        )
        rounds = zip(self.betting.programs, definition.num_board_cards[1:], strict=False)
        for program, dealt_after in list(rounds)[self._flop_round :]:
            kernel.add_round(program=program, num_dealt=dealt_after)
        return kernel

    @cached_property
    def _table(self) -> Float64Array:
        """The row of each edge with which the last round begins, from losing to all to winning against all."""
        definition = self.definition
        opponents = num_deals(
            definition, board_cards=sum(definition.num_board_cards), hands=1, count=definition.num_hole_cards
        )
        edges = np.arange(-opponents, opponents + 1) / opponents
        showdowns = np.outer(edges, list(self.betting.showdown_chips))
        program = self.betting.programs[-1]
        is_first = definition.num_rounds == 1
        table = np.empty((len(edges), 2 if is_first else len(self.betting.rounds[-1].columns)))
        program.run(ends=showdowns, starts=table)
        return table
