"""Endgames of Libratus on the command line."""

from pathlib import Path

import pytest

from .conftest import Errai

REACHES = str(Path(__file__).parents[1] / "data" / "libratus" / "subgame4.txt")
RIVER = ("--board", "JsKs5cQs7d", "--pot", "3750")


def test_an_endgame_is_solved_and_reported_in_every_unit(errai: Errai) -> None:
    content = errai("solve", "holdem.nolimit.2p", "--reaches", REACHES, *RIVER, "--target-pot", "1", "--json").json
    assert (content["pot_chips"], content["bets"]) == (3750, ["50%,100%,a / 100%,a"])
    assert content["exploitability_percent_of_pot"] <= 1
    assert content["exploitability_chips"] == pytest.approx(37.5 * content["exploitability_percent_of_pot"])
    assert content["exploitability_mbb"] == pytest.approx(10 * content["exploitability_chips"])  # of 100 chips
    assert sum(content["expected_value_chips"]) == pytest.approx(3750)
    assert list(content["root_frequencies"]) == ["check", "bet 1875", "bet 3750", "all-in"]


def test_a_file_may_say_board_pot_and_round(errai: Errai) -> None:
    reaches = Path(REACHES).read_text()
    Path("endgame.txt").write_text(f"-round 4\n-board JsKs5cQs7d\n-pot 3750\n-reach {reaches}")
    options = ("--iterations", "5", "--rake", "5%", "--bets", "a", "--json")
    alone = errai("solve", "holdem.nolimit.2p", "--reaches", REACHES, *RIVER, *options).json
    told = errai("solve", "holdem.nolimit.2p", "--reaches", "endgame.txt", *options).json
    assert told["exploitability_mbb"] == alone["exploitability_mbb"]
    assert (told["rake"], told["bets"]) == ("5%", ["a"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("holdem.nolimit.2p", "--reaches", "none.txt"), "cannot read the endgame `none.txt`: No such file"),
        (("holdem.nolimit.2p", "--reaches", REACHES), "the endgame holds reaches alone: board and pot must be given"),
        (("holdem.limit.2p", "--reaches", REACHES, "--board", "JsKs5cQs7d"), "endgames of Libratus are of no-limit"),
        (("holdem.nolimit.2p", "--reaches", REACHES, *RIVER, "--range-bb", "AA"), "`--range-bb` is known of an"),
        (("holdem.nolimit.2p", "--reaches", REACHES, *RIVER, "--stack", "900"), "`--stack` is known of an endgame"),
        (("--resume", "spot", "--reaches", REACHES), "`--reaches` cannot change when a solution is resumed"),
    ],
)
def test_an_endgame_that_cannot_be_has_a_sentence_and_a_hint(
    errai: Errai, arguments: tuple[str, ...], error: str
) -> None:
    outcome = errai("solve", *arguments)
    assert outcome.exit_code == 2
    assert f"error: {error}" in outcome.stderr
    assert "\n\nhint: " in outcome.stderr
