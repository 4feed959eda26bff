"""Playing on the page: the session of `errai play`, without a look at the opponent's cards."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from errai.agents.agent import CheckedAgent
from errai.agents.loading import stored_agent
from errai.agents.starting import start_of
from errai.games.state import CALL
from errai.play.session import PlaySession
from errai.runs.opening import open_strategy
from errai.serve.playing import MOST_SESSIONS


def post(client: TestClient, path: str, **content: Any) -> Any:
    answer = client.post(f"/api/{path}", json=content)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("name", ["leduc", "turn", "menu", "small/flop"])
def test_ten_hands_are_those_of_a_session(client: TestClient, solutions: Path, name: str) -> None:
    stored = open_strategy(solutions / name)
    session = PlaySession(start_of(stored), CheckedAgent(stored_agent(stored, name=name)), seed=5)
    table = post(client, "play", id=name, seed=5)
    key = table["session"]
    for number in range(10):
        expected = session.deal()
        while not expected.is_over:
            assert table["number"] == number
            assert table["own_cards"]
            assert table["opponent_cards"] is None
            assert table["betting"] == expected.betting
            table = post(client, "play/act", session=key, action="c")
            expected = session.act(CALL)
        assert table["is_over"]
        assert table["won_chips"] == float(expected.won_chips or 0)
        if number < 9:
            table = post(client, "play/deal", session=key)
    assert table["result"] == session.result().to_json()
    assert table["result"]["hands"] == 10


def test_a_choice_is_compared_with_the_strategy(client: TestClient, solutions: Path) -> None:
    table = post(client, "play", id="menu", seed=1)
    assert table["actions"][0]["text"] in {"check", "fold"}
    advice = post(client, "play/act", session=table["session"], action="c", advice=True)["advice"]
    assert sum(advice["probabilities"]) == pytest.approx(1)
    assert advice["cost_chips"] >= 0
    assert post(client, "play", id="menu", seed=1)["own_cards"] == table["own_cards"]


def test_any_legal_size_can_be_bet(client: TestClient) -> None:
    """The strategy answers a size off its menu as if it were one of the sizes around it."""
    for seed in range(10):
        table = post(client, "play", id="menu", seed=seed)
        key, sizes = table["session"], table["sizes"]
        too_large = f"r{sizes['before_chips'] + sizes['most_chips'] + 1}"
        assert client.post("/api/play/act", json={"session": key, "action": too_large}).status_code == 400
        size = sizes["least_chips"] + 13
        table = post(client, "play/act", session=key, action=f"r{sizes['before_chips'] + size}", advice=True)
        assert f"{sizes['word']} {size}" in [event["text"] for event in table["events"] if event["is_own"]]
        assert table["advice"]["cost_chips"] is None
    assert post(client, "play", id="turn", seed=1)["sizes"] is None


def test_hands_are_saved_in_phh_or_as_the_dealer_logs_them(client: TestClient) -> None:
    for name, first in (("turn", "[1]\n"), ("leduc", "STATE:0:")):
        table = post(client, "play", id=name, seed=2)
        key = table["session"]
        while not table["is_over"]:
            table = post(client, "play/act", session=key, action="c")
        answer = client.get("/api/play/hands", params={"session": key})
        assert answer.text.startswith(first)
        assert "attachment" in answer.headers["content-disposition"]


def test_a_table_can_be_looked_at_again(client: TestClient) -> None:
    table = post(client, "play", id="turn", seed=3)
    again = client.get("/api/play", params={"session": table["session"]}).json()
    assert again == {key: value for key, value in table.items() if key != "session"}


def test_only_so_many_sessions_are_kept(client: TestClient) -> None:
    first = post(client, "play", id="leduc")["session"]
    for _ in range(MOST_SESSIONS):
        post(client, "play", id="leduc")
    answer = client.get("/api/play", params={"session": first})
    assert answer.status_code == 400
    assert "over" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("play", {}),
        ("play", {"id": 3}),
        ("play", {"id": "leduc", "seed": "x"}),
        ("play", {"id": "leduc", "seed": -1}),
        ("play", {"id": "leduc", "cards": "AsAh"}),
        ("play/act", {"session": "nothing", "action": "c"}),
        ("play/act", {"session": ["x"], "action": "c"}),
        ("play/deal", {}),
    ],
)
def test_a_wrong_wish_is_refused(client: TestClient, path: str, content: dict[str, Any]) -> None:
    answer = client.post(f"/api/{path}", json=content)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_an_illegal_action_is_refused_and_the_hand_goes_on(client: TestClient) -> None:
    table = post(client, "play", id="turn", seed=4)
    key = table["session"]
    for action in ("x", "rrrr", "r99999999999", "", 5):
        assert client.post("/api/play/act", json={"session": key, "action": action}).status_code == 400
    assert client.post("/api/play/deal", json={"session": key}).status_code == 400  # not over yet
    post(client, "play/act", session=key, action="c")
