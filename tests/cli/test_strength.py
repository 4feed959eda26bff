import pytest

from .conftest import Errai


def test_features_of_a_hand_on_a_flop(errai: Errai) -> None:
    content = errai("strength", "TcQd", "--board", "7h9hQh", "--json").json
    assert list(content) == ["hand", "board", "ehs", "ehs2", "histogram", "ochs"]
    assert sum(content["histogram"]) == pytest.approx(1, abs=1e-12)
    assert (len(content["histogram"]), len(content["ochs"])) == (50, 8)
    assert content["ehs"] ** 2 < content["ehs2"] < content["ehs"]


def test_two_hands_have_a_distance(errai: Errai) -> None:
    content = errai("strength", "AhKs", "AdKc", "--board", "7h9hQh2c", "--bars", "10", "--json").json
    assert [hand["hand"] for hand in content["hands"]] == ["AhKs", "AdKc"]
    assert content["emd"] > 0
    shown = errai("strength", "AhKs", "AdKc", "--board", "7h9hQh2c", "--bars", "10").stdout
    assert f"earth mover's distance: {content['emd']:.4f} bars" in shown


def test_own_clusters(errai: Errai) -> None:
    content = errai("strength", "AsKs", "--board", "7h9hQh2c", "--cluster", "AA", "--cluster", "33", "--json").json
    assert len(content["ochs"]) == 2
    assert content["ochs"][0] < content["ochs"][1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("AK",), "the hands of `AK` differ in strength here"),
        (("XX",), "`XX` is not a term of a range"),
        (("AA", "KK", "QQ"), "takes one or two hands; got 3"),
        (("AA", "--board", "7h"), "a board of this game has 0 or 3 or 4 or 5 cards; got `7h`"),
        (("AA", "--bars", "0"), "a histogram has 1 to 1000 bars; got `0`"),
    ],
)
def test_wrong_arguments_are_refused(errai: Errai, arguments: tuple[str, ...], message: str) -> None:
    outcome = errai("strength", *arguments)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
