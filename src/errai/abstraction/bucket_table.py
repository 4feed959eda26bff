"""A bucket table: which hands of a round a strategy treats alike.

Every round has labels, one per canonical hand: hands that differ only in the names of suits have the same one. The
hands of a round are numbered by hole cards and board, either as dealt or with an unordered board (which is smaller: on
the river of hold'em 123,156,254 hands instead of 2,428,287,420). A label is the bucket itself, unless the round has
`within`: then the bucket is `within[bucket in the round before, label]`.

With perfect recall, the bucket of a hand determines its buckets in all earlier rounds: a player who remembers the last
bucket remembers them all. Buckets of a round are then numbered so that those of the same bucket before are adjacent,
in the order of the buckets before. With imperfect recall, a player knows the current bucket and forgets the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.card_rounds import CardRounds, Grouping
from errai.errors import InputError

Labels = NDArray[np.uint16] | NDArray[np.uint32]

_MOST_LOSSLESS_HANDS = 20_000_000
_BLOCKED = -1


@dataclass(frozen=True)
class RoundBuckets:
    """The buckets of one round."""

    num_buckets: int
    grouping: Grouping  # how the cards are grouped where canonical hands are numbered
    labels: Labels  # one per canonical hand
    within: Labels | None = None  # [bucket of the round before, label]


@dataclass(frozen=True)
class BucketTable:
    """The bucket of every hand of every round."""

    name: str
    cards: CardRounds
    perfect_recall: bool
    rounds: tuple[RoundBuckets, ...]

    def __post_init__(self) -> None:
        if len(self.rounds) != self.cards.num_rounds:
            raise InputError(f"a table needs buckets for {self.cards.num_rounds} rounds; got {len(self.rounds)}")
        for round_index, stored in enumerate(self.rounds):
            if stored.grouping not in (self.cards.dealt(round_index), self.cards.unordered(round_index)):
                raise InputError(f"round {round_index} cannot be numbered by groups of `{stored.grouping}` cards")
            size = self.cards.num_hands(stored.grouping)
            if stored.labels.shape != (size,):
                raise InputError(f"round {round_index} needs {size} labels; got shape {stored.labels.shape}")
            buckets = stored.labels if stored.within is None else stored.within
            if buckets.size and (largest := int(buckets.max())) >= stored.num_buckets:
                raise InputError(
                    f"buckets of round {round_index} are numbered 0 to {stored.num_buckets - 1}; got `{largest}`"
                )

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each round has."""
        return tuple(stored.num_buckets for stored in self.rounds)

    def of_board(self, round_index: int, board: Sequence[int]) -> NDArray[np.int32]:
        """The bucket of each hand, in the package's order of hands; -1 where it shares a card with the board.

        The board has all cards up to this round, in the order in which they were dealt.
        """
        return self.of_boards(round_index, np.array(board, dtype=np.uint8).reshape(1, -1)).ravel()

    def of_boards(self, round_index: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The same for many boards, a row each: shape (number of boards, number of hands)."""
        self.cards.verify_round(round_index)
        size = self.cards.board_sizes[round_index]
        if boards.ndim != 2 or boards.shape[1] != size:
            raise InputError(f"boards of round {round_index} have {size} cards; got shape {boards.shape}")
        every_hand = self.cards.hands
        boards = boards.astype(np.uint8, copy=False)
        blocked = (every_hand[np.newaxis, :, :, np.newaxis] == boards[:, np.newaxis, np.newaxis, :]).any(axis=(2, 3))
        board_rows, hand_rows = np.nonzero(~blocked)
        buckets = np.full(blocked.shape, _BLOCKED, dtype=np.int32)
        buckets[board_rows, hand_rows] = self.of_hands(
            round_index, np.hstack((every_hand[hand_rows], boards[board_rows]))
        )
        return buckets

    def of_hands(self, round_index: int, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The bucket of each row: hole cards, then the board in the order in which it was dealt."""
        return find_buckets(self.cards, self.rounds, round_index, cards)


def find_buckets(
    game: CardRounds, rounds: Sequence[RoundBuckets], round_index: int, cards: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """The bucket of each row of cards in a table of which the rounds up to this one are known."""
    stored = rounds[round_index]
    labels = stored.labels[game.indexer(stored.grouping).index(np.ascontiguousarray(cards))]
    if stored.within is None:
        return labels.astype(np.int32)
    num_cards_before = cards.shape[1] - game.num_board_cards[round_index]
    before = find_buckets(game, rounds, round_index - 1, cards[:, :num_cards_before])
    return stored.within[before, labels].astype(np.int32)


def lossless_table(cards: CardRounds) -> BucketTable:
    """Every canonical hand is its own bucket, with perfect recall of the board's rounds: for small games."""
    rounds = []
    for round_index in range(cards.num_rounds):
        size = cards.num_hands(cards.dealt(round_index))
        if size > _MOST_LOSSLESS_HANDS:
            raise InputError(
                f"a table with a bucket for each of {size:,} hands would be too large",
                hint=f"a table of this kind has at most {_MOST_LOSSLESS_HANDS:,} buckets in a round",
            )
        order = _order_by_parent(cards, round_index)
        rounds.append(RoundBuckets(size, cards.dealt(round_index), smallest_labels(order, size)))
    return BucketTable("lossless", cards, True, tuple(rounds))


def single_bucket_table(cards: CardRounds) -> BucketTable:
    """One bucket for all hands of a round: a strategy that does not see cards."""
    return BucketTable(
        "single-bucket",
        cards,
        True,
        tuple(
            RoundBuckets(
                1,
                cards.unordered(round_index),
                np.zeros(cards.num_hands(cards.unordered(round_index)), dtype=np.uint16),
            )
            for round_index in range(cards.num_rounds)
        ),
    )


def random_table(
    cards: CardRounds, buckets_per_round: Sequence[int], *, seed: int, perfect_recall: bool
) -> BucketTable:
    """Buckets drawn at random; with perfect recall so many within each bucket of the round before."""
    random = np.random.default_rng(seed)
    rounds: list[RoundBuckets] = []
    num_before = 1
    for round_index, count in enumerate(buckets_per_round):
        if not perfect_recall:
            drawn = random.integers(count, size=cards.num_hands(cards.unordered(round_index)))
            rounds.append(RoundBuckets(count, cards.unordered(round_index), smallest_labels(drawn, count)))
            continue
        num_labels = 4 * count
        drawn = random.integers(num_labels, size=cards.num_hands(cards.unordered(round_index)))
        within = random.integers(count, size=(num_before, num_labels)) + count * np.arange(num_before)[:, np.newaxis]
        if round_index == 0:
            drawn, table = within[0, drawn], None
        else:
            table = smallest_labels(within, num_before * count)
        num_before *= count
        labels = smallest_labels(drawn, max(num_labels, num_before))
        rounds.append(RoundBuckets(num_before, cards.unordered(round_index), labels, table))
    return BucketTable(f"random-{seed}", cards, perfect_recall, tuple(rounds))


def smallest_labels(values: NDArray[np.integer], count: int) -> Labels:
    """Numbers below `count` in the smallest type that labels have."""
    return values.astype(np.uint16) if count <= 2**16 else values.astype(np.uint32)


def _order_by_parent(cards: CardRounds, round_index: int) -> NDArray[np.int64]:
    """The place of each canonical hand when all are sorted by their hands in the rounds before."""
    indexer = cards.indexer(cards.dealt(round_index))
    last = len(indexer.cards_per_round) - 1
    every = indexer.unindex(np.arange(indexer.size(last), dtype=np.uint64), last)
    keys = [np.arange(len(every))]
    if round_index:
        before = cards.indexer(cards.dealt(round_index - 1))
        place_before = _order_by_parent(cards, round_index - 1)
        num_cards = sum(before.cards_per_round)
        keys.append(place_before[before.index(np.ascontiguousarray(every[:, :num_cards])).astype(np.int64)])
    places = np.empty(len(every), dtype=np.int64)
    places[np.lexsort(keys)] = np.arange(len(every))
    return places
