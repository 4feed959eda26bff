"""A sample of deals, to look at a table with: which buckets occur how often, how strong their hands are, and examples.

Deals are complete, from a fixed seed. The strength is that at the showdown, against an opponent who holds any hand.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import BucketTable
from errai.abstraction.showdowns import Showdowns
from errai.cards.hands import hand_index

NUM_DEALS = 20_000
_SEED = 0
_BOARDS_AT_ONCE = 2000


@dataclass(frozen=True)
class BucketSample:
    """The deals of one bucket."""

    bucket: int
    share: float  # of all deals
    strength: float  # the mean
    examples: tuple[str, ...]


class TableSample:
    """Deals with their strengths, and their buckets in each round."""

    def __init__(self, table: BucketTable, num_deals: int = NUM_DEALS) -> None:
        self.table = table
        cards = table.cards
        num_cards = cards.num_hole_cards + cards.board_sizes[-1]
        shuffled = np.random.default_rng(_SEED).random((num_deals, cards.deck.size)).argsort(axis=1)
        self.deals = np.ascontiguousarray(shuffled[:, :num_cards].astype(np.uint8))
        self.strengths = self._strengths()

    def buckets(self, round_index: int) -> NDArray[np.int32]:
        """The bucket of each deal in a round."""
        cards = self.table.cards
        cards.verify_round(round_index)
        num_cards = cards.num_hole_cards + cards.board_sizes[round_index]
        return self.table.of_hands(round_index, self.deals[:, :num_cards])

    def describe(self, round_index: int, *, num_examples: int) -> list[BucketSample]:
        """The buckets that occur, from the weakest to the strongest."""
        buckets = self.buckets(round_index)
        order = np.argsort(buckets, kind="stable")
        found, starts = np.unique(buckets[order], return_index=True)
        samples = [
            BucketSample(
                bucket,
                len(members) / len(buckets),
                float(self.strengths[members].mean()),
                tuple(self._text(round_index, deal) for deal in members[:num_examples].tolist()),
            )
            for bucket, members in zip(found.tolist(), np.split(order, starts[1:]), strict=True)
        ]
        return sorted(samples, key=lambda sample: (sample.strength, sample.bucket))

    def _strengths(self) -> NDArray[np.float64]:
        showdowns = Showdowns(self.table.cards)
        hole = self.table.cards.num_hole_cards
        points = np.concatenate(
            [
                showdowns.points(np.ascontiguousarray(block[:, hole:]))[
                    np.arange(len(block)), hand_index(block[:, :hole])
                ]
                for block in np.array_split(self.deals, -(-len(self.deals) // _BOARDS_AT_ONCE))
            ]
        )
        return points / showdowns.scale.most_points

    def _text(self, round_index: int, deal: int) -> str:
        cards = self.table.cards
        row = self.deals[deal].tolist()
        hole, board = row[: cards.num_hole_cards], row[cards.num_hole_cards :][: cards.board_sizes[round_index]]
        shown = cards.deck.text(sorted(hole, reverse=True))
        return f"{shown} {cards.deck.text(board)}" if board else shown
