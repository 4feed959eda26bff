"""What solving an abstract game takes: memory, which is known, and time, which is estimated from rates of one core.

The rates were measured with AVX2 on limit hold'em.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import comb, factorial

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.joint_weights import joint_memory_bytes
from errai.games.definition import GameDefinition
from errai.passes.bucket_pass import NUM_SUMS
from errai.solutions.bot_design import BotRequest, num_counted_boards
from errai.trees.betting_tree import BettingTree, EndKind, StreetBetting
from errai.trees.board_deals import deal_cards
from errai.trees.bucket_layout import BucketLayout
from errai.trees.sampled_boards import infosets_per_board
from errai.trees.symmetry import full_symmetry

_BYTES_PER_VALUE = 4
# Infosets of hands on drawn boards, and what a board needs beside that.
_HAND_INFOSETS_PER_SECOND = 130e6
_SECONDS_PER_BOARD = 0.003
# `dense` with `pr-10-phs`: pairs of buckets for each column of reach at an ending; boards whose pairs are counted.
_PAIRS_PER_SECOND = 40e9
_SECONDS_PER_COUNTED_BOARD = 0.0025
# `cfr-br` on a drawn flop: infosets of hands of three passes, and what a hand of its tree needs beside that.
_RESPONSE_INFOSETS_PER_SECOND = 430e6
_SECONDS_PER_TREE_HAND = 2e-6
_BYTES_PER_TREE_HAND = 250


@dataclass(frozen=True)
class BotCost:
    """Of a request with so many buckets in each round, on so many threads."""

    request: BotRequest
    counts: tuple[int, ...]
    num_threads: int

    @property
    def memory_bytes(self) -> int:
        """What the arrays take; where boards are walked, with sums and responses."""
        request = self.request
        own = _BYTES_PER_VALUE * BucketLayout(request.betting, self.counts).num_infoset_actions
        if request.method == "sampled":
            return 2 * own
        if request.method == "dense":
            return 2 * own + joint_memory_bytes(self.counts[-1])
        if request.drawn_flops is not None:
            flop = _DrawnFlop(request.definition, request.betting)
            # Regrets and averages: of all iterations, of this one, and for one seat those of each sum.
            return (2 + 2 + NUM_SUMS) * own + flop.tree_bytes + flop.response_bytes * self._responding_threads
        response = _BYTES_PER_VALUE * request.game_counts.infoset_actions // 2 if request.method == "cfr-br" else 0
        return (2 + 2 * NUM_SUMS) * own + response

    @property
    def seconds_before(self) -> float:
        """The time before the first iteration: that of counting pairs of buckets."""
        if self.request.method != "dense":
            return 0.0
        num_boards, _ = num_counted_boards(CardRounds.of(self.request.definition), self.request.joint_boards)
        return num_boards * _SECONDS_PER_COUNTED_BOARD / self.num_threads

    @property
    def seconds_per_iteration(self) -> float:
        request = self.request
        if request.method == "dense":
            streets = zip(self.counts, request.betting.streets, strict=True)
            pairs = 2 * sum(count**2 * _num_endings(street) for count, street in streets)
            return pairs / _PAIRS_PER_SECOND / self.num_threads
        if request.method == "sampled":
            infosets = infosets_per_board(request.definition, request.betting)
            seconds = infosets / _HAND_INFOSETS_PER_SECOND / self.num_threads + _SECONDS_PER_BOARD
            return request.boards_per_iteration * seconds
        if request.drawn_flops is not None:
            flop = _DrawnFlop(request.definition, request.betting)
            return request.drawn_flops * flop.seconds(self._responding_threads)
        infosets = request.game_counts.infosets * (3 if request.method == "cfr-br" else 1)
        return infosets / _HAND_INFOSETS_PER_SECOND / self.num_threads

    @property
    def _responding_threads(self) -> int:
        return min(self.num_threads, NUM_SUMS)


@dataclass(frozen=True)
class _DrawnFlop:
    """A flop whose suits are all different, which is the largest there is."""

    definition: GameDefinition
    betting: BettingTree

    @property
    def tree_bytes(self) -> int:
        """Of its tree with the buckets, and of the first round above all flops."""
        num_first = len(self._multiplicities) * self._hands_of_round(1)
        hands = self._hands(from_round=1)
        # Where a call can be all-in before the last round: the edge of every hand over every hand, for both players.
        num_edges = sum(
            2 * count * self._hands_of_round(street.round)
            for count, street in zip(hands[:-1], self.betting.streets[1:-1], strict=True)
            if street.num_ends(EndKind.ALL_IN)
        )
        return _BYTES_PER_TREE_HAND * (num_first + sum(hands)) + _BYTES_PER_VALUE * num_edges

    @property
    def response_bytes(self) -> int:
        """Of a best response on one turn."""
        actions = [max(street.num_actions(0), street.num_actions(1)) for street in self.betting.streets]
        hands = zip(self._hands(from_round=2), actions[2:], strict=True)
        return _BYTES_PER_VALUE * sum(count * most for count, most in hands)

    def seconds(self, num_threads: int) -> float:
        """Of both seats; flops whose suits can be exchanged take less, and are drawn less often."""
        every = self._multiplicities
        share = sum(own**2 for own in every) / sum(every) / factorial(self.definition.num_suits)
        hands = self._hands(from_round=1)
        nodes = [street.num_nodes(0) + street.num_nodes(1) for street in self.betting.streets[1:]]
        infosets = sum(count * of_street for count, of_street in zip(hands, nodes, strict=True))
        of_passes = 2 * 3 * infosets / _RESPONSE_INFOSETS_PER_SECOND / num_threads
        return share * (of_passes + _SECONDS_PER_TREE_HAND * sum(hands))

    @cached_property
    def _multiplicities(self) -> list[int]:
        definition = self.definition
        flops = deal_cards(full_symmetry(definition), (), definition.num_board_cards[1])
        return [flop.multiplicity for flop in flops]

    def _hands(self, *, from_round: int) -> list[int]:
        """The hands of each round, over all boards that can follow one of `from_round`."""
        boards, hands = 1, []
        for round_index in range(from_round, self.definition.num_rounds):
            if round_index > from_round:
                left = self.definition.deck.size - self._board_size(round_index - 1)
                boards *= comb(left, self.definition.num_board_cards[round_index])
            hands.append(boards * self._hands_of_round(round_index))
        return hands

    def _hands_of_round(self, round_index: int) -> int:
        """Of one board."""
        return comb(self.definition.deck.size - self._board_size(round_index), self.definition.num_hole_cards)

    def _board_size(self, round_index: int) -> int:
        return list(accumulate(self.definition.num_board_cards))[round_index]


def _num_endings(street: StreetBetting) -> int:
    """Folds and showdowns, over all lanes."""
    return sum(street.num_ends(kind) for kind in EndKind if kind is not EndKind.NEXT_STREET)
