"""`/api`: the same numbers as `StoredStrategy.query`, and errors that say what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from errai.cards.hands import held_cards
from errai.cards.ranges import parse_range
from errai.runs.opening import open_strategy


def get(client: TestClient, path: str, **parameters: Any) -> Any:
    answer = client.get(f"/api/{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_strategy_below_the_directory_is_listed(client: TestClient) -> None:
    found = get(client, "strategies")["strategies"]
    assert [entry["id"] for entry in found] == ["leduc", "menu", "small/flop", "turn"]


def test_a_state_has_the_numbers_of_a_query(client: TestClient, solutions: Path) -> None:
    betting, board = "rc/cc/cr", "Ks8s3d7h"
    view = get(client, "state", id="turn", betting=betting, board=board, values=1)
    report = open_strategy(solutions / "turn").query(betting=betting, board=board)
    assert report.value_chips is not None
    assert report.action_value_chips is not None
    assert (view["kind"], view["player"], view["pot_chips"]) == ("decision", report.player, report.pot_chips)
    assert [action["action"] for action in view["actions"]] == list(report.actions)
    assert [action["text"] for action in view["actions"]] == ["fold", "call", "raise 40"]
    expected = [
        *report.reach,
        *report.probabilities.T,
        *report.value_chips,
        *report.equity,
        *report.action_value_chips.T,
    ]
    columns = ("reach", "probabilities", "values", "equities", "action_values")
    found = [column for name in columns for column in view[name]]
    for column, numbers in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.array(column, dtype=float), numbers, rtol=1e-4, atol=1e-9)
    assert sum(view["average_values"]) == pytest.approx(report.pot_chips, rel=1e-3)  # rounded


def test_a_strategy_names_its_hands_in_the_order_of_the_columns(client: TestClient, solutions: Path) -> None:
    game = get(client, "strategy", id="turn")
    assert game["hands"] == open_strategy(solutions / "turn").query().hand_texts
    assert game["root"] == {"betting": "rc/cc/", "board": "Ks8s3d7h"}
    assert game["description"]["iterations"] == 30


def test_the_line_leads_back_to_every_step(client: TestClient) -> None:
    view = get(client, "state", id="turn", betting="rc/cc/crc/c", board="Ks8s3d7h2c")
    kinds = [step["kind"] for step in view["line"]]
    assert kinds == ["decision", "decision", "decision", "deal", "decision"]
    assert view["line"][3]["cards"] == "2c"
    for step in view["line"]:
        there = get(client, "state", id="turn", betting=step["betting"], board=step["board"])
        assert there["kind"] == step["kind"]
        if step["kind"] == "decision":
            assert there["actions"] == step["actions"]


def test_where_cards_are_missing_both_ranges_are_those_after_the_last_action(client: TestClient) -> None:
    view = get(client, "state", id="turn", betting="rc/cc/crc/", board="Ks8s3d7h")
    assert (view["kind"], view["missing_cards"]) == ("deal", 1)
    after = get(client, "state", id="turn", betting="rc/cc/crc/", board="Ks8s3d7h2c")
    game = get(client, "strategy", id="turn")
    free = ["2c" not in (hand[:2], hand[2:]) for hand in game["hands"]]
    for player in (0, 1):
        before, now = (np.array(shown["reach"][player], dtype=float) for shown in (view, after))
        np.testing.assert_allclose(before[free], now[free], rtol=1e-4, atol=1e-9)


def test_the_end_of_a_hand_names_who_folded(client: TestClient) -> None:
    view = get(client, "state", id="turn", betting="rc/cc/crf", board="Ks8s3d7h")
    assert (view["kind"], view["folded_player"]) == ("end", 0)


def test_a_report_over_next_cards_has_a_row_for_each(client: TestClient, solutions: Path) -> None:
    place = {"id": "turn", "betting": "rc/cc/cc/", "board": "Ks8s3d7h"}
    rows: list[Any] = []
    next_row: int | None = 0
    while next_row is not None:
        portion = get(client, "deals", **place, **{"from": next_row}, values=1)
        rows += portion["rows"]
        next_row = portion["next"]
    assert len(rows) == portion["total"] == 48
    row = next(row for row in rows if row["cards"] == "2c")
    report = open_strategy(solutions / "turn").query(betting="rc/cc/cc/", board="Ks8s3d7h2c")
    np.testing.assert_allclose(row["frequencies"], list(report.action_shares.values()), rtol=1e-4)
    assert sum(row["equities"]) == pytest.approx(1, rel=1e-4)
    assert sum(row["values_chips"]) == pytest.approx(report.pot_chips, rel=1e-3)


def test_flops_that_differ_by_the_names_of_suits_are_reported_once(client: TestClient) -> None:
    first = get(client, "deals", id="small/flop", betting="cc/")
    rows = list(first["rows"])
    while first["next"] is not None:
        first = get(client, "deals", id="small/flop", betting="cc/", **{"from": first["next"]})
        rows += first["rows"]
    assert sum(row["count"] for row in rows) == 12 * 11 * 10 // 6  # all flops of twelve cards
    assert len(rows) < 40


def test_a_report_can_be_about_any_line_after_a_deal(client: TestClient, solutions: Path) -> None:
    portion = get(client, "deals", id="turn", betting="rc/cc/cc/cr", board="Ks8s3d7h2c")
    assert (portion["board"], portion["betting"], portion["total"]) == ("Ks8s3d7h", "rc/cc/cc/cr", 48)
    row = portion["rows"][0]
    report = open_strategy(solutions / "turn").query(betting="rc/cc/cc/cr", board="Ks8s3d7h" + row["cards"])
    np.testing.assert_allclose(row["frequencies"], list(report.action_shares.values()), rtol=1e-4)
    weights = (
        report.reach[0][:, None]
        * report.reach[1]
        * (held_cards(report.definition.deck, 2) @ held_cards(report.definition.deck, 2).T == 0)
    )
    assert row["weight"] == pytest.approx(weights.sum(), rel=1e-6)


def test_there_is_no_report_before_cards_are_dealt(client: TestClient) -> None:
    for parameters in ({"id": "turn"}, {"id": "turn", "betting": "rc/cc/crf"}, {"id": "small/flop", "betting": "r"}):
        answer = client.get("/api/deals", params=parameters)
        assert answer.status_code == 400
        assert "no cards of the board are dealt" in answer.json()["error"]


def test_hands_are_exported_as_the_command_line_exports_them(
    client: TestClient, solutions: Path, tmp_path: Path
) -> None:
    betting, board = "rc/cc/c", "Ks8s3d7h"
    for table in ("csv", "parquet"):
        answer = client.get("/api/hands", params={"id": "turn", "betting": betting, "board": board, "format": table})
        open_strategy(solutions / "turn").export(tmp_path / f"hands.{table}", betting=betting, board=board)
        assert answer.content == (tmp_path / f"hands.{table}").read_bytes()
        assert f".{table}" in answer.headers["content-disposition"]
    assert client.get("/api/hands", params={"id": "turn", "format": "xlsx"}).status_code == 400


def test_a_range_is_text_that_reads_back(client: TestClient, solutions: Path) -> None:
    report = open_strategy(solutions / "turn").query(betting="rc/cc/cr", board="Ks8s3d7h")
    for player in (0, 1):
        text = client.get("/api/range", params={"id": "turn", "betting": "rc/cc/cr", "player": player}).text
        weights = parse_range(text, report.definition.deck)
        np.testing.assert_allclose(weights, report.reach[player] / report.reach[player].max(), atol=1e-4)
    assert client.get("/api/range", params={"id": "leduc"}).status_code == 400


def test_every_hand_has_the_name_that_players_give_it(client: TestClient) -> None:
    game, view = get(client, "strategy", id="turn"), get(client, "state", id="turn")
    number = game["hands"].index("KhKd")
    assert game["made_hands"][view["classes"]["made"][number]] == "set"
    assert get(client, "state", id="small/flop")["classes"] is None


def test_a_game_with_one_hole_card_is_shown(client: TestClient) -> None:
    assert get(client, "strategy", id="leduc")["hole_cards"] == 1
    view = get(client, "state", id="leduc", betting="rc/c", board="Ks", values=1)
    assert len(view["reach"][0]) == 6


def test_a_no_limit_spot_has_the_sizes_of_its_menu(client: TestClient) -> None:
    view = get(client, "state", id="menu", values=1)
    assert [action["text"] for action in view["actions"]] == ["check", "bet 50", "all-in"]
    assert get(client, "state", id="menu", betting="r200c", board="QsJh2h8c3d")["kind"] == "end"


@pytest.mark.parametrize(
    ("parameters", "status", "words"),
    [
        ({}, 400, "`id` is missing"),
        ({"id": "nothing"}, 404, "no strategy `nothing`"),
        ({"id": "../turn"}, 404, "no strategy"),
        ({"id": "turn", "betting": "x"}, 400, "character 1"),
        ({"id": "turn", "betting": "cc/cc/"}, 400, "begins after `rc/cc/`"),
        ({"id": "turn", "board": "Ks8s3d"}, 400, "begins on"),
        ({"id": "turn", "board": "Ks8s3d7hXx"}, 400, "not a card"),
        ({"id": "turn", "betting": "r" * 2000}, 400, "at most 1000 characters"),
        ({"id": "menu", "betting": "r77"}, 400, "`bet 77` is no action"),
        ({"id": "turn", "strategy": "best"}, 400, "`average` or `current`"),
        ({"id": "turn", "values": "yes"}, 400, "`0` or `1`"),
        ({"id": "turn", "card": "As"}, 400, "`card` is no parameter"),
        ({"id": ["turn", "turn"]}, 400, "given twice"),
    ],
)
def test_a_wrong_request_is_refused_with_a_reason(
    client: TestClient, parameters: dict[str, Any], status: int, words: str
) -> None:
    answer = client.get("/api/state", params=parameters)
    assert answer.status_code == status
    assert words in answer.json()["error"]
