"""`errai replay`: recorded hands, checked and rated."""

from pathlib import Path

import pytest

import errai as package
from errai.games.library import load_game

from .conftest import Errai

DATA = Path(__file__).parents[1] / "data"
LOG = """\
# name/game/hands/seed x kuhn.game 2 1
STATE:0:rc:Qs|Ks:-2|2:ann|bob
STATE:1:crf:As|Qs:-1|1:bob|ann
"""
# Student's t with one degree of freedom: 12.706205 (any table) standard errors of 1,500 mbb/h.
CHECKED = """\
file     x.log, ACPC log
hands    2 of kuhn
payoffs  2 checked, 0 wrong or damaged
luck     removed: that of the cards

player  hands  wins (chips)          wins (mbb/h)        luck removed
ann         2            -1   -500.0 ± 19,059.3   500.0 ± 19,059.3
bob         2             1    500.0 ± 19,059.3  -500.0 ± 19,059.3
"""


@pytest.fixture
def kuhn(tmp_path: Path) -> str:
    package.solve("kuhn", iterations=300).save(tmp_path / "kuhn")
    return "kuhn"


def test_payoffs_are_checked(errai: Errai, tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text(LOG)
    outcome = errai("replay", "x.log")
    assert outcome.exit_code == 0
    shown, expected = (" ".join(text.split()) for text in (outcome.stdout, CHECKED))
    assert shown.startswith(expected)


def test_a_wrong_payoff_fails(errai: Errai, tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text(LOG.replace("-2|2", "-1|1"))
    outcome = errai("replay", "x.log")
    assert outcome.exit_code == 1
    assert "hand 0 pays `-2|2` by the rules; the record says `-1|1`\n" in outcome.stdout
    assert errai("replay", "x.log", "--json").json["mismatches"] == [
        "hand 0 pays `-2|2` by the rules; the record says `-1|1`"
    ]


def test_every_decision_is_rated_by_what_the_strategy_does(errai: Errai, tmp_path: Path, kuhn: str) -> None:
    (tmp_path / "x.log").write_text(LOG)
    found = errai("replay", "x.log", "--strategy", kuhn, "--json").json
    players = {player["name"]: player for player in found["players"]}
    assert [players[name]["rated"] for name in ("ann", "bob")] == [2, 3]
    assert found["unrated"] == {}
    # Folding the ace to a bet is dominated: an equilibrium never does it.
    assert found["worst"][0] == {
        "hand": "1",
        "player": "bob",
        "round": 1,
        "betting": "cr",
        "board": "",
        "hole_cards": "As",
        "action": "fold",
        "probability": pytest.approx(0.0, abs=1e-3),
    }
    # The mean is of the same answers that `query` gives, one decision at a time.
    stored = package.open(kuhn)
    asked = [("", "Ks", 1), ("cr", "As", 0), ("", "As", 0)]
    deck = load_game("kuhn").deck
    taken = [stored.query(betting=betting).probabilities[deck.parse(card)[0], place] for betting, card, place in asked]
    bets_ks_calls = stored.query(betting="r").probabilities[deck.parse("Ks")[0], 1]
    assert players["bob"]["mean_probability"] == pytest.approx((bets_ks_calls + taken[1] + taken[2]) / 3)


def test_the_luck_of_a_player_who_played_the_strategy_is_removed(errai: Errai, tmp_path: Path, kuhn: str) -> None:
    match = ("match", kuhn, "seed=1", "--hands", "2x200", "--log", "x.log")
    assert errai(*match).exit_code == 0
    found = errai("replay", "x.log", "--strategy", kuhn, "--played-by", kuhn, "--json").json
    assert (found["played_by"], found["luck_remains"]) == (kuhn, None)
    first, second = found["players"]
    assert first["aivat_mbb"] == -second["aivat_mbb"]
    cards_alone = errai("replay", "x.log", "--json").json["players"][0]
    assert first["aivat_ci95_mbb"] < cards_alone["aivat_ci95_mbb"] < cards_alone["ci95_mbb"] == first["ci95_mbb"]
    # The value of the match, which more hands approach: within the interval of each.
    assert first["aivat_mbb"] == pytest.approx(cards_alone["aivat_mbb"], abs=2 * cards_alone["aivat_ci95_mbb"])
    wrong = errai("replay", "x.log", "--strategy", kuhn, "--played-by", "seed=1")
    assert wrong.exit_code == 0
    assert "not removed: `seed=1` did not play the strategy" in wrong.stdout


def test_a_solution_of_a_spot_rates_what_happens_on_it(errai: Errai, tmp_path: Path) -> None:
    spot = ("--board", "Ks8s3d7h2c", "--betting", "rc/cc/cc/", "--range-dealer", "random")
    assert errai("solve", "holdem.limit.2p", *spot, "--iterations", "5", "--out", "river").exit_code == 0
    (tmp_path / "x.log").write_text(
        "# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 3 1\n"
        "STATE:0:rc/cc/cc/cc:AsAc|QhJh/8s3dKs/7h/2c:20|-20:a|b\n"  # the flop in another order
        "STATE:1:rc/cc/cc/cc:AsAc|QhJh/8s3dKh/7h/2c:20|-20:a|b\n"
        "STATE:2:cc/cc/cc/cc:AsAc|QhJh/8s3dKs/7h/2c:10|-10:a|b\n"
    )
    found = errai("replay", "x.log", "--strategy", "river", "--json").json
    assert [player["rated"] for player in found["players"]] == [1, 1]
    assert found["unrated"] == {
        "the betting does not reach the strategy's spot": 6 + 6 + 8,
        "another board than the strategy's spot": 2,
    }


def test_hands_of_other_stacks_are_not_rated(errai: Errai, tmp_path: Path) -> None:
    assert errai("solve", "kuhn", "--iterations", "2", "--out", "kuhn").exit_code == 0
    found = errai("replay", str(DATA / "histories" / "pokerstars.txt"), "--strategy", "kuhn", "--json").json
    assert found["unrated"] == {"other rules, blinds or stacks than the strategy's": 15}
    assert found["worst"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.log",), "error: `missing.log` cannot be read: No such file or directory\n"),
        (("x.log", "--strategy", "missing"), "error: `missing` must be the directory of a saved solution"),
        (("x.log", "--game", "chess"), "error: there is no game `chess`\n"),
        (("x.log", "--played-by", "ann"), "error: the strategy that `ann` played is missing\n"),
        (("x.log", "--strategy", "kuhn", "--played-by", "eve"), "error: nobody in the file is called `eve`\n"),
    ],
)
def test_what_is_wrong_is_said(
    errai: Errai, tmp_path: Path, kuhn: str, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "x.log").write_text(LOG)
    outcome = errai("replay", *arguments)
    assert outcome.exit_code > 0
    assert outcome.stderr.startswith(message)
