from pathlib import Path

import pytest

from .conftest import Errai

# The sizes of heads-up limit hold'em: totals as printed by Bowling et al. (2015), rounds counted exactly.
LIMIT_HOLDEM = {
    "states": [12_994_800, 1_966_633_032_000, 796_486_377_960_000, 315_408_605_672_160_000],
    "infosets": [10_608, 1_819_272_000, 769_552_056_000, 318_594_551_184_000],
    "canonical_infosets": [1_352, 90_075_440, 34_770_038_940, 13_768_389_671_400],
}


def test_games_lists_what_is_bundled(errai: Errai) -> None:
    outcome = errai("games")
    assert outcome.exit_code == 0
    assert outcome.stderr == ""
    assert (
        outcome.stdout
        == """\
game               betting   rounds  cards  hole    board
2-1                limit          2     52     2      0 3
2-4                limit          2     52     2      0 3
flop-holdem        limit          2     52     2      0 3
four-ranks         limit          4     16     2  0 3 1 1
holdem.limit.2p    limit          4     52     2  0 3 1 1
holdem.nolimit.2p  no-limit       4     52     2  0 3 1 1
kuhn               limit          1      3     1        0
leduc              limit          2      6     1      0 1
rhode-island       limit          3     52     1    0 1 1
royal              limit          4     20     2  0 3 1 1
royal.nolimit      no-limit       4     20     2  0 3 1 1
"""
    )


def test_games_as_json_names_the_unit_of_each_game(errai: Errai) -> None:
    leduc = next(game for game in errai("games", "--json").json["games"] if game["name"] == "leduc")
    assert leduc == {
        "name": "leduc",
        "is_limit": True,
        "rounds": 2,
        "cards": 6,
        "hole_cards": 1,
        "board_cards": [0, 1],
        "unit_chips": 2,
    }


def test_count_prints_a_round_a_row(errai: Errai) -> None:
    outcome = errai("count", "leduc")
    assert outcome.stderr == ""
    assert (
        outcome.stdout
        == """\
round  decision nodes  states  infosets  canonical infosets  canonical infoset actions
0                   6     180        36                  18                         42
1                  30   3,600       900                 270                        630
total              36   3,780       936                 288                        672
"""
    )


def test_count_as_json_has_the_exact_sizes_of_limit_holdem(errai: Errai) -> None:
    content = errai("count", "holdem.limit.2p", "--json").json
    for key, expected in LIMIT_HOLDEM.items():
        assert [round_[key] for round_ in content["rounds"]] == expected
        assert content["total"][key] == sum(expected)
    assert content["total"]["canonical_infoset_actions"] == 35_888_449_446_577
    assert content["total"]["decision_nodes"] == 6_378


def test_count_never_shortens_a_number_on_a_narrow_terminal(errai: Errai, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert "316,207,058,696,146,800" in errai("count", "holdem.limit.2p").stdout


def test_count_writes_huge_numbers_with_their_power_of_ten(errai: Errai) -> None:
    Path("short.game").write_text(
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 2000 2000\nblind = 100 50\nfirstPlayer = 2 1 1 1\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    outcome = errai("count", "short.game")
    total = errai("count", "short.game", "--json").json["total"]["states"]
    exponent = len(str(total)) - 1
    assert exponent > 21
    assert f"{total / 10**exponent:.6f}e{exponent}" in outcome.stdout
