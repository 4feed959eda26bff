"""The figures are those of figures.md, section 1 unless a test says otherwise."""

from dataclasses import replace

import pytest

from errai.games.library import load_game
from errai.games.sizes import count_sizes

LIMIT = load_game("holdem.limit.2p")


def test_limit_holdem_has_the_published_sizes_in_every_round() -> None:
    sizes = count_sizes(LIMIT)
    table = [
        (round.decision_nodes, round.infosets, round.canonical_infosets, round.states)
        for round in (*sizes.rounds, sizes.total)
    ]
    assert table == [
        (8, 10_608, 1_352, 12_994_800),
        (70, 1_819_272_000, 90_075_440, 1_966_633_032_000),
        (630, 769_552_056_000, 34_770_038_940, 796_486_377_960_000),
        (5_670, 318_594_551_184_000, 13_768_389_671_400, 315_408_605_672_160_000),
        (6_378, 319_365_922_522_608, 13_803_249_787_132, 316_207_058_696_146_800),
    ]
    assert sizes.total.canonical_infoset_actions == 35_888_449_446_577


@pytest.mark.parametrize(("name", "infosets"), [("kuhn", 12), ("leduc", 288), ("rhode-island", 3_937_128)])
def test_small_games_have_the_published_canonical_infosets(name: str, infosets: int) -> None:
    assert count_sizes(load_game(name)).total.canonical_infosets == infosets


def test_limit_flop_holdem_has_its_known_sizes() -> None:
    # figures.md, section 8.
    total = count_sizes(load_game("flop-holdem")).total
    assert total.decision_nodes == 64
    assert total.canonical_infosets == 72_061_704
    assert total.canonical_infoset_actions == 180_154_429


@pytest.mark.parametrize(
    ("num_ranks", "infosets"),
    [(5, 7_993_762_900), (3, 83_285_652)],  # printed by the original program
)
def test_limit_holdem_with_fewer_ranks_has_the_sizes_of_the_original_program(num_ranks: int, infosets: int) -> None:
    assert count_sizes(replace(LIMIT, num_ranks=num_ranks)).total.canonical_infosets == infosets


def test_no_limit_holdem_has_the_published_sizes() -> None:
    total = count_sizes(load_game("holdem.nolimit.2p")).total  # Johanson 2013 prints seven digits
    assert f"{total.states:.6e}" == "6.311439e+164"
    assert f"{total.infosets:.6e}" == "6.375191e+161"


def test_leduc_has_its_known_actions() -> None:
    # By hand: a round has 6 nodes with 2, 2, 3, 3, 2, 2 actions; 3 hands, then 5 ways on and 9 hands with the board.
    first, second = count_sizes(load_game("leduc")).rounds
    assert (first.canonical_infoset_actions, second.canonical_infoset_actions) == (14 * 3, 14 * 5 * 9)
