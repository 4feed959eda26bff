"""Tables that are built, against the obvious way to build them: over all deals of a small game, in plain Python."""

from collections import defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from errai.abstraction import cluster_rounds
from errai.abstraction.bucket_table import BucketTable, RoundBuckets
from errai.abstraction.build import build_table
from errai.abstraction.build_steps import BuildStep
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.checkpoints import Checkpoints
from errai.abstraction.opponent_clusters import default_clusters
from errai.abstraction.recipe import parse_recipe
from errai.cards.deck import Deck
from errai.cards.hands import number_of_hand
from errai.errors import InputError, StorageError
from reference import abstraction as reference

Deal = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]  # hole cards, and the new board cards of each round

SMALL = CardRounds(Deck(4, 2), 2, (0, 2, 1))
TWO_ROUNDS = CardRounds(Deck(3, 3), 1, (0, 1))


def all_deals(cards: CardRounds, round_index: int) -> list[Deal]:
    """All deals up to the end of a round."""
    every = range(cards.deck.size)
    deals: list[Deal] = [(hand, ()) for hand in combinations(every, cards.num_hole_cards)]
    for count in cards.num_board_cards[: round_index + 1]:
        deals = [
            (hand, (*rounds, new))
            for hand, rounds in deals
            for new in combinations(sorted(set(every) - set(hand) - {card for one in rounds for card in one}), count)
        ]
    return deals


def board_of(deal: Deal) -> tuple[int, ...]:
    return tuple(card for new in deal[1] for card in new)


@cache
def features(cards: CardRounds, hand: tuple[int, ...], board: frozenset[int]) -> tuple[float, float]:
    """E[HS^2] and E[HS], rounded so that equal ones compare equal."""
    strengths = reference.strengths(cards, hand, sorted(board))
    return round(float(np.mean(np.square(strengths))), 9), round(float(np.mean(strengths)), 9)


def percentile_buckets(cards: CardRounds, splits: list[tuple[int, ...]], *, nested: bool) -> list[dict[Deal, int]]:
    """The bucket of every deal in every round."""
    found: list[dict[Deal, int]] = []
    for round_index, round_splits in enumerate(splits):
        deals = all_deals(cards, round_index)
        buckets = {deal: found[-1][deal[0], deal[1][:-1]] if nested and round_index else 0 for deal in deals}
        for level, count in enumerate(round_splits):
            members = defaultdict(list)
            for deal in deals:
                members[buckets[deal]].append(deal)
            for group, inside in members.items():
                values = {deal: features(cards, deal[0], frozenset(board_of(deal)))[level % 2] for deal in inside}
                for deal in inside:
                    below = sum(value < values[deal] for value in values.values())
                    equal = sum(value == values[deal] for value in values.values())
                    buckets[deal] = group * count + (2 * below + equal) * count // (2 * len(inside))
        found.append(buckets)
    return found


def bucket_of(table: BucketTable, deal: Deal) -> int:
    return int(table.of_board(len(deal[1]) - 1, board_of(deal))[number_of_hand(deal[0])])


def build(name: str, cards: CardRounds, directory: Path, *, num_threads: int = 1) -> BucketTable:
    return build_table(parse_recipe(name, cards), Checkpoints(directory), num_threads=num_threads)


def same_tables(first: BucketTable, second: BucketTable) -> bool:
    return all(map(same_rounds, first.rounds, second.rounds))


def same_rounds(first: RoundBuckets, second: RoundBuckets) -> bool:
    if not np.array_equal(first.labels, second.labels):
        return False
    if first.within is None or second.within is None:
        return first.within is second.within
    return np.array_equal(first.within, second.within)


@pytest.mark.parametrize(
    ("cards", "name", "splits", "nested"),
    [
        (SMALL, "pr-2x2-phs", [(2, 2)] * 3, True),
        (SMALL, "pr-3-phs", [(3,)] * 3, True),
        (SMALL, "ir-2-3x2-4-phs", [(2,), (3, 2), (4,)], False),
        (TWO_ROUNDS, "pr-2-3-phs", [(2,), (3,)], True),
    ],
)
def test_percentiles_are_those_of_all_deals(
    tmp_path: Path, cards: CardRounds, name: str, splits: list[tuple[int, ...]], nested: bool
) -> None:
    table = build(name, cards, tmp_path, num_threads=2)
    for buckets in percentile_buckets(cards, splits, nested=nested):
        deals = list(buckets)[:: 1 if len(buckets) < 1000 else 13]
        assert {deal: bucket_of(table, deal) for deal in deals} == {deal: buckets[deal] for deal in deals}


@pytest.mark.parametrize("name", ["pr-2-ke-ko", "pr-2x2-ke-ko", "pr-2-3-2-ke-ko"])
def test_clusters_with_perfect_recall_lie_within_those_before(tmp_path: Path, name: str) -> None:
    table = build(name, SMALL, tmp_path)
    before: dict[tuple[int, int], int] = {}
    for deal in all_deals(SMALL, 2)[::7]:
        buckets = [bucket_of(table, (deal[0], deal[1][: index + 1])) for index in range(3)]
        for index in (1, 2):
            assert before.setdefault((index, buckets[index]), buckets[index - 1]) == buckets[index - 1]


def test_enough_clusters_tell_apart_all_hands_with_different_features(tmp_path: Path) -> None:
    table = build("ir-200-200-200-ke-ko", SMALL, tmp_path)
    for round_index in (1, 2):
        seen: dict[object, set[int]] = defaultdict(set)
        for deal in all_deals(SMALL, round_index)[::5]:
            hand, board = deal[0], board_of(deal)
            if round_index == 1:
                key: object = tuple(reference.histogram(reference.strengths(SMALL, hand, board), 50).round(6))
            else:
                every = list(combinations(range(8), 2))
                clusters = default_clusters(SMALL)
                key = tuple(
                    round(
                        reference.cluster_equity(
                            SMALL,
                            hand,
                            board,
                            [every_hand for every_hand in every if clusters[number_of_hand(every_hand)] == cluster],
                        ),
                        6,
                    )
                    for cluster in range(int(clusters.max()) + 1)
                )
            seen[str(key)].add(bucket_of(table, deal))
        assert all(len(buckets) == 1 for buckets in seen.values())
        assert len({bucket for buckets in seen.values() for bucket in buckets}) == len(seen)


@pytest.mark.parametrize("name", ["pr-3-ke-ko", "ir-7-ke-ko", "pr-2-phs"])
def test_a_table_does_not_depend_on_the_number_of_threads(tmp_path: Path, name: str) -> None:
    one = build(name, SMALL, tmp_path / "one", num_threads=1)
    three = build(name, SMALL, tmp_path / "three", num_threads=3)
    assert same_tables(one, three)


def test_another_seed_gives_another_clustering(tmp_path: Path) -> None:
    first, second = (build(name, SMALL, tmp_path / name) for name in ("ir-12-ke-ko", "ir-12-ke-ko-s1"))
    assert not same_tables(first, second)


def test_cells_are_clustered_within_each_bucket_before(tmp_path: Path) -> None:
    """With as many cells as there are features, this is k-means of the hands themselves within each bucket."""
    recipe = parse_recipe("pr-2-ke-ko", SMALL)
    table = build_table(recipe, Checkpoints(tmp_path / "direct"), num_threads=1)
    step = BuildStep(recipe, 2, table.rounds[:2], Checkpoints(tmp_path / "cells"), 2)
    cells = cluster_rounds.cluster_round(step, most_labels=10, num_cells=300)
    assert cells.within is not None
    assert cells.within.shape == (4, 300)
    by_cells = BucketTable("cells", SMALL, True, (*table.rounds[:2], cells))
    pairs = {(bucket_of(table, deal), bucket_of(by_cells, deal)) for deal in all_deals(SMALL, 2)[::3]}
    assert len(pairs) == len({first for first, _ in pairs}) == len({second for _, second in pairs})


class Killed(Exception):
    pass


@pytest.mark.parametrize("name", ["pr-2x2-ke-ko", "pr-3-phs"])
def test_a_build_that_is_interrupted_anywhere_continues_to_the_same_table(tmp_path: Path, name: str) -> None:
    recipe = parse_recipe(name, SMALL)
    expected = build_table(recipe, Checkpoints(tmp_path / "whole"), num_threads=1)
    for patience in range(3, 1000, 9):
        left = patience

        def stop_soon(_round_index: int, _step: str, _done: float) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Killed

        try:
            found = build_table(recipe, Checkpoints(tmp_path / "parts"), num_threads=1, on_progress=stop_soon)
        except Killed:
            continue
        break
    assert same_tables(expected, found)
    assert patience > 12


def test_a_damaged_step_is_named(tmp_path: Path) -> None:
    build("pr-2-phs", SMALL, tmp_path)
    path = tmp_path / "round-1.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(
        StorageError, match=r"round-1\.npz`, a step of a build that is not finished, is damaged"
    ) as caught:
        build("pr-2-phs", SMALL, tmp_path)
    assert caught.value.hint is not None
    assert "rm " in caught.value.hint


def test_tables_whose_last_round_is_split_further_are_nested(tmp_path: Path) -> None:
    names = ("pr-4-2-3-phs", "pr-4-2-3x2-phs", "pr-4-2-3x2x2-phs")
    tables = [build(name, SMALL, tmp_path / name) for name in names]
    coarse_of: dict[tuple[int, int], int] = {}
    for deal in all_deals(SMALL, 2)[::3]:
        buckets = [bucket_of(table, deal) for table in tables]
        for index in (1, 2):
            assert coarse_of.setdefault((index, buckets[index]), buckets[index - 1]) == buckets[index - 1]


def test_the_first_round_is_lossless_where_it_has_enough_buckets(tmp_path: Path) -> None:
    table = build("ir-5-phs", SMALL, tmp_path)
    assert table.counts == (16, 5, 5)
    assert table.rounds[0].labels.tolist() == list(range(16))
    assert isinstance(table.rounds[1], RoundBuckets)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pr-phs", "`pr-phs` does not say how a table is made"),
        ("pr-10-10-phs", "has numbers for 2 rounds; the game has 3"),
        ("pr-0-phs", "a round is split into 1 to 65,536 buckets; got `0`"),
        ("pr-100-phs", "has 1,000,000 buckets in round 2; a table has at most 65,536"),
    ],
)
def test_names_that_make_no_table_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_recipe(name, SMALL)
