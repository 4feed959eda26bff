from pathlib import Path

import pytest

from reference import benchmark_spot

from .conftest import Errai

SPOT = ("--pot", "100", "--stack", "150", "--board", "2s3h4d6c7c")
BENCHMARK = (
    *("tree", "holdem.nolimit.2p", "--pot", str(benchmark_spot.POT), "--stack", str(benchmark_spot.STACK)),
    *("--board", benchmark_spot.BOARD),
    *("--range-bb", benchmark_spot.RANGE_BB, "--range-dealer", benchmark_spot.RANGE_DEALER),
    *(word for bets in benchmark_spot.BETS for word in ("--bets", bets)),
)


def test_the_benchmark_spot_is_counted_as_published(errai: Errai) -> None:
    content = errai(*BENCHMARK, "--json").json
    assert content["infoset_actions"] == 143_462_978
    assert content["infoset_actions_with_blocked_hands"] == 155_952_394
    assert content["memory_bytes"] == 8 * 143_462_978
    assert [street["decisions"] for street in content["streets"]] == [[5, 5], [23, 23], [69, 69]]
    assert [street["lines"] for street in content["streets"]] == [1, 7, 25]
    assert [street["ends_all_in"] for street in content["streets"]] == [2, 14, 0]
    assert content["infosets"] == sum(
        decisions * hands
        for street in content["streets"]
        for decisions, hands in zip(street["decisions"], street["hands"], strict=True)
    )
    assert len(content["lines"]) == 2 * (5 + 23 + 69)
    assert content["lines"][0] == {
        "street": "flop",
        "line": "",
        "to_act": "bb",
        "pot_chips": 180,
        "call_chips": 0,
        "actions": ["check", "bet 94"],
    }


def test_a_tree_prints_its_sizes_and_lines(errai: Errai) -> None:
    outcome = errai("tree", "holdem.nolimit.2p", *SPOT, "--range-bb", "AA", "--range-dealer", "KK", "--bets", "50% / a")
    assert outcome.stderr == ""
    assert (
        outcome.stdout
        == """\
game                holdem.nolimit.2p 2s3h4d6c7c pot 100 stack 150
pot                 100 chips
bets                50% / a
infosets            36
infoset-actions     84
with blocked hands  84
memory              672 bytes

street  lines  shapes  decisions bb  dealer  folds  showdowns  all-in  go on  boards
river       1       1             3       3      4          5       0      0       1

street  to act  pot  line                   actions
river   bb      100  -                      check, bet 50
river   dealer  100  check                  check, bet 50
river   bb      150  check, bet 50          fold, call, all-in
river   dealer  300  check, bet 50, all-in  fold, call
river   dealer  150  bet 50                 fold, call, all-in
river   bb      300  bet 50, all-in         fold, call
"""
    )


def test_thresholds_and_files_make_one_menu(errai: Errai) -> None:
    Path("my.bets").write_text("river 50%,140%\n")
    content = errai(
        "tree",
        "holdem.nolimit.2p",
        *SPOT,
        "--bets",
        "my.bets",
        "--force-all-in",
        "0.15",
        "--add-all-in",
        "0.1",
        "--json",
    ).json
    assert content["bets"] == ["river 50%,140%", "add-all-in 0.1", "force-all-in 0.15"]
    assert content["lines"][0]["actions"] == ["check", "bet 50", "all-in"]  # 140 leaves 10 behind a pot of 380


def test_a_whole_limit_game_has_the_sizes_of_errai_count(errai: Errai) -> None:
    tree, total = errai("tree", "leduc", "--json").json, errai("count", "leduc", "--json").json["total"]
    assert tree["infosets"] == total["canonical_infosets"]
    assert tree["infoset_actions"] == total["canonical_infoset_actions"]
    assert len(tree["lines"]) == total["decision_nodes"]


def test_a_whole_no_limit_game_has_stacks_in_big_blinds_and_ends_early(errai: Errai) -> None:
    arguments = ("tree", "holdem.nolimit.2p", "--stack", "10bb", "--last-round", "1", "--bets", "a", "--json")
    content = errai(*arguments).json
    assert content["infosets"] == 91 * 4  # two cards at the showdown: only their ranks matter
    assert [line["actions"] for line in content["lines"]] == [
        ["fold", "call", "all-in"],
        ["check", "all-in"],
        ["fold", "call"],
        ["fold", "call"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("holdem.nolimit.2p",), "`holdem.nolimit.2p` is no-limit: a spot needs a bet menu"),
        (("holdem.nolimit.2p", *SPOT), "`holdem.nolimit.2p` is no-limit: a spot needs a bet menu"),
        (("holdem.nolimit.2p", *SPOT, "--bets", ""), "a bet menu needs at least one entry"),
        (("holdem.nolimit.2p", *SPOT, "--bets", "turn 50%"), "the bet menu has no sizes for bb on the river"),
        (("holdem.nolimit.2p", *SPOT, "--bets", "river 3x"), "`3x` is a multiple of the previous bet"),
        (("holdem.nolimit.2p", *SPOT, "--bets", "fcpa", "--merge", "x"), "`merge` takes a number"),
        (("holdem.nolimit.2p", *SPOT, "--bets", "none.bets"), "cannot read the bet menu `none.bets`"),
        (("holdem.nolimit.2p", "--pot", "10", "--bets", "a"), "pot and stack must be given together"),
        (("holdem.nolimit.2p", "--stack", "1", "--bets", "a"), "`--stack`: `stack` must cover the blinds"),
        (("holdem.nolimit.2p", "--stack", "1.001bb", "--bets", "a"), "`--stack` must be whole chips"),
        (("holdem.nolimit.2p", "--stack", "\u0665", "--bets", "a"), "`--stack` takes chips or big blinds"),
        (("holdem.nolimit.2p", "--last-round", "5", "--bets", "a"), "has rounds 1 to 4; got `5`"),
        (("holdem.nolimit.2p", "--bets", "33%,50%,75%,100%,150%,a"), "more than 500,000 decisions"),
        (("holdem.nolimit.2p", *SPOT, "--bets", "a", "--range-bb", "2s2h"), "no hand of `2s2h` is possible"),
        (("holdem.limit.2p", "--bets", "fcpa"), "`bets` is for no-limit games"),
        (("holdem.limit.2p", "--stack", "100"), "`--stack` is for no-limit games"),
    ],
    ids=str,
)
def test_bad_input_gets_a_sentence_and_a_hint(errai: Errai, arguments: tuple[str, ...], message: str) -> None:
    outcome = errai("tree", *arguments)
    assert outcome.exit_code in (1, 2)
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("error: ")
    assert "unexpected" not in outcome.stderr
    assert message in outcome.stderr
    assert "\nhint: " in outcome.stderr


def test_a_spot_of_the_tree_can_be_solved(errai: Errai) -> None:
    spot = (
        "--pot",
        "20",
        "--stack",
        "10",
        "--board",
        "2s3h4d6c7c",
        "--range-bb",
        "AsAh,QsQh",
        "--range-dealer",
        "KsKh",
    )
    content = errai("solve", "holdem.nolimit.2p", *spot, "--bets", "a", "--algorithm", "lp", "--json").json
    # Aces bet and are called two times in three; queens bluff a third of the time and are worth nothing.
    assert content["expected_value_chips"] == pytest.approx([(20 + 20 / 3) / 2, 20 - (20 + 20 / 3) / 2])
    assert content["exploitability_percent_of_pot"] == pytest.approx(0, abs=1e-9)
    assert content["bets"] == ["a"]


@pytest.mark.parametrize("engine", [("--engine", "lanes"), ("--engine", "flat", "--precision", "float64")])
def test_a_solve_counts_infosets_as_the_tree_does(errai: Errai, engine: tuple[str, ...]) -> None:
    """On a board of two suits the lanes engine keeps one hand of each pair that diamonds and clubs make equal."""
    spot = (
        *("holdem.nolimit.2p", "--pot", "20", "--stack", "40", "--board", "QsJs2h8h", "--bets", "50%,a"),
        *("--range-bb", "AdAc,AsAd,AsAc,KdQd,KcQc", "--range-dealer", "JdJc,TdTc,AdKd,AcKc"),
    )
    tree = errai("tree", *spot, "--json").json
    solved = errai("solve", *spot, *engine, "--iterations", "1", "--json").json
    assert (solved["infosets"], solved["infoset_actions"]) == (tree["infosets"], tree["infoset_actions"])
    assert solved["merged_infosets"] != tree["infosets"]
