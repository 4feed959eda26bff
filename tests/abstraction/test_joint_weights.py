from dataclasses import replace

import numpy as np
import pytest

from errai.abstraction.bucket_table import lossless_table, random_table, single_bucket_table
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.joint_weights import count_joint_weights
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from reference.pair_counts import pair_counts

LEDUC = load_game("leduc")
RHODE_ISLAND = replace(load_game("rhode-island"), num_ranks=3)
FLOP_HOLDEM = replace(load_game("flop-holdem"), num_ranks=4, num_suits=2)


@pytest.mark.parametrize("definition", [LEDUC, RHODE_ISLAND, FLOP_HOLDEM], ids=lambda definition: definition.name)
@pytest.mark.parametrize("kind", ["lossless", "one bucket", "random"])
def test_the_weights_are_those_of_all_deals(definition: GameDefinition, kind: str) -> None:
    cards = CardRounds.of(definition)
    table = {
        "lossless": lossless_table(cards),
        "one bucket": single_bucket_table(cards),
        "random": random_table(cards, [3] * definition.num_rounds, seed=3, perfect_recall=True),
    }[kind]
    joint = count_joint_weights(table, num_threads=2)
    weight, edge = pair_counts(definition, table)
    assert joint.is_exact
    np.testing.assert_array_equal(joint.weight, weight)
    np.testing.assert_array_equal(joint.edge, edge)


def test_parents_are_the_buckets_before() -> None:
    table = random_table(CardRounds.of(RHODE_ISLAND), (2, 3, 2), seed=1, perfect_recall=True)
    joint = count_joint_weights(table)
    np.testing.assert_array_equal(joint.parents[0], np.arange(6) // 3)
    np.testing.assert_array_equal(joint.parents[1], np.arange(12) // 2)


def test_a_sample_of_boards_is_the_same_for_a_seed_and_close_to_all() -> None:
    table = random_table(CardRounds.of(load_game("flop-holdem")), (2, 2), seed=1, perfect_recall=True)
    whole = count_joint_weights(table)
    some, again, other = (count_joint_weights(table, max_boards=300, seed=seed) for seed in (5, 5, 6))
    assert (whole.is_exact, some.is_exact) == (True, False)
    assert whole.num_boards == 1755
    assert 250 < some.num_boards <= 300
    np.testing.assert_array_equal(some.weight, again.weight)
    assert not np.array_equal(some.weight, other.weight)
    # Sixteen cells of about 6 % each, from 300 boards with 1,176 hands each.
    np.testing.assert_allclose(some.weight / some.weight.sum(), whole.weight / whole.weight.sum(), atol=0.005)


def test_imperfect_recall_is_refused() -> None:
    table = random_table(CardRounds.of(LEDUC), (2, 3), seed=1, perfect_recall=False)
    with pytest.raises(InputError, match="need perfect recall"):
        count_joint_weights(table)
