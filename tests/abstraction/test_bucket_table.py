from functools import cache
from itertools import combinations

import numpy as np
import pytest

from errai.abstraction.bucket_table import (
    BucketTable,
    RoundBuckets,
    lossless_table,
    random_table,
    single_bucket_table,
)
from errai.abstraction.card_rounds import CardRounds
from errai.cards.deck import Deck
from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.games.library import load_game
from reference.isomorphism import canonical_deal

HOLDEM = CardRounds.of(load_game("holdem.limit.2p"))
SMALL = CardRounds(Deck(4, 2), 2, (0, 2, 1))


def all_deals(cards: CardRounds) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """Every hand, flop and turn of the small game."""
    deck = set(range(cards.deck.size))
    return [
        (hand, flop, (turn,))
        for flop in combinations(sorted(deck), 2)
        for turn in sorted(deck - set(flop))
        for hand in combinations(sorted(deck - set(flop) - {turn}), 2)
    ]


def buckets_of_all_deals(table: BucketTable) -> list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    @cache
    def of_board(index: int, board: tuple[int, ...]) -> list[int]:
        return list(table.of_board(index, board).tolist())

    return [
        (
            (hand, flop, turn),
            tuple(
                of_board(index, board)[number_of_hand(hand)] for index, board in enumerate(((), flop, (*flop, *turn)))
            ),
        )
        for hand, flop, turn in all_deals(table.cards)
    ]


def test_canonical_hands_of_holdem_with_unordered_boards_are_as_many_as_published() -> None:
    sizes = [
        HOLDEM.indexer(HOLDEM.unordered(index)).size(len(HOLDEM.unordered(index)) - 1)
        for index in range(HOLDEM.num_rounds)
    ]
    assert sizes == [169, 1_286_792, 13_960_050, 123_156_254]


def test_hands_that_share_a_card_with_the_board_are_in_no_bucket() -> None:
    board = (3, 5)
    buckets = single_bucket_table(SMALL).of_board(1, board)
    blocked = [bool(set(hand.tolist()) & set(board)) for hand in SMALL.hands]
    assert buckets.dtype == np.int32
    assert buckets.tolist() == [-1 if is_blocked else 0 for is_blocked in blocked]


def test_a_lossless_table_joins_only_hands_that_differ_in_the_names_of_suits() -> None:
    buckets: dict[object, set[int]] = {}
    for deal, (_, _, last) in buckets_of_all_deals(lossless_table(SMALL)):
        buckets.setdefault(canonical_deal(SMALL.deck, deal), set()).add(last)
    assert all(len(found) == 1 for found in buckets.values())
    numbers = [number for found in buckets.values() for number in found]
    assert sorted(numbers) == list(range(lossless_table(SMALL).counts[-1]))


@pytest.mark.parametrize(
    "table",
    [
        lossless_table(SMALL),
        single_bucket_table(SMALL),
        random_table(SMALL, (2, 3, 2), seed=5, perfect_recall=True),
    ],
    ids=lambda table: table.name,
)
def test_with_perfect_recall_a_bucket_determines_the_buckets_before(table: BucketTable) -> None:
    assert table.perfect_recall
    before: dict[tuple[int, int], int] = {}
    for _, buckets in buckets_of_all_deals(table):
        for index in range(1, len(buckets)):
            assert before.setdefault((index, buckets[index]), buckets[index - 1]) == buckets[index - 1]
    # Buckets with the same bucket before are adjacent, in the order of the buckets before.
    for index in range(1, SMALL.num_rounds):
        parents = [parent for (found, _), parent in sorted(before.items()) if found == index]
        assert parents == sorted(parents)


def test_a_random_table_of_imperfect_recall_forgets_and_depends_on_its_seed() -> None:
    table = random_table(SMALL, (2, 3, 2), seed=5, perfect_recall=False)
    assert table.counts == (2, 3, 2)
    pairs = {buckets[1:] for _, buckets in buckets_of_all_deals(table)}
    assert len(pairs) == 6
    same = random_table(SMALL, (2, 3, 2), seed=5, perfect_recall=False)
    other = random_table(SMALL, (2, 3, 2), seed=6, perfect_recall=False)
    assert np.array_equal(table.rounds[2].labels, same.rounds[2].labels)
    assert not np.array_equal(table.rounds[2].labels, other.rounds[2].labels)


def test_many_boards_at_once_give_the_buckets_of_each() -> None:
    table = random_table(SMALL, (2, 3, 2), seed=1, perfect_recall=True)
    boards = np.array([(0, 1, 2), (7, 3, 4), (2, 1, 0)], dtype=np.uint8)
    together = table.of_boards(2, boards)
    assert np.array_equal(together, [table.of_board(2, board.tolist()) for board in boards])


def test_games_without_cards_in_a_round_have_tables_too() -> None:
    kuhn = CardRounds.of(load_game("kuhn"))
    assert lossless_table(kuhn).of_board(0, ()).tolist() == [0, 1, 2]
    assert lossless_table(CardRounds.of(load_game("leduc"))).counts == (3, 15)


def test_wrong_rounds_and_labels_are_refused() -> None:
    table = single_bucket_table(SMALL)
    with pytest.raises(InputError, match=r"^rounds are numbered 0 to 2; got `3`$"):
        table.of_board(3, (0, 1, 2))
    with pytest.raises(InputError, match=r"^boards of round 1 have 2 cards; got shape \(1, 3\)$"):
        table.of_board(1, (0, 1, 2))
    wrong = RoundBuckets(1, table.rounds[0].grouping, table.rounds[0].labels + np.uint16(3))
    with pytest.raises(InputError, match=r"^buckets of round 0 are numbered 0 to 0; got `3`$"):
        BucketTable("wrong", SMALL, True, (wrong, *table.rounds[1:]))
    with pytest.raises(InputError, match=r"would be too large"):
        lossless_table(HOLDEM)
