"""Other kinds of strategies in the explorer: bots, and runs whose files are deleted under the server."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from errai.abstraction.bucket_table import random_table
from errai.abstraction.card_rounds import CardRounds
from errai.runs.solve_whole import solve_whole
from errai.serve.app import build_app
from errai.serve.shelf import Shelf
from errai.solutions.bot import Bot
from errai.solutions.bot_design import BotDesign, BotRequest
from errai.solutions.method import Goal
from reference.small_holdem import small_holdem

GAME = small_holdem(num_rounds=3, max_raises=(1, 1, 1))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    table = random_table(CardRounds.of(GAME), (4, 4, 4), seed=5, perfect_recall=True)
    bot = Bot(BotDesign(BotRequest(GAME, method="sampled", algorithm="cfr+", boards_per_iteration=5), table))
    bot.run(3)
    bot.save(tmp_path / "bot")
    solve_whole(GAME, tmp_path / "run", flops="AsKsQs", goal=Goal(iterations=2))
    return tmp_path


@pytest.fixture
def client(directory: Path) -> Iterator[TestClient]:
    with TestClient(build_app(Shelf([directory])), base_url="http://127.0.0.1") as client:
        yield client


def ask(client: TestClient, path: str, **parameters: Any) -> Any:
    answer = client.get(f"/api/{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_bot_is_walked_and_has_equities_but_no_values(client: TestClient) -> None:
    kinds = {entry["id"]: entry["kind"] for entry in ask(client, "strategies")["strategies"]}
    assert kinds == {"bot": "bot", "run": "run"}
    assert ask(client, "strategy", id="bot")["description"]["iterations"] == 3
    view = ask(client, "state", id="bot", betting="cc/", board="AsKhQd", values=1)
    assert sum(view["frequencies"]) == pytest.approx(1, abs=1e-3)
    assert sum(view["average_equities"]) == pytest.approx(1, abs=1e-3)
    assert "values" not in view
    rows = ask(client, "deals", id="bot", betting="cc/cc/", board="AsKhQd", values=1)["rows"]
    assert rows[0]["equities"]
    assert "values_chips" not in rows[0]
    table = client.post("/api/play", json={"id": "bot", "seed": 1}).json()
    acted = client.post("/api/play/act", json={"session": table["session"], "action": "c", "advice": True})
    assert acted.status_code == 200, acted.text


def test_files_of_a_run_that_are_deleted_are_a_clear_error(client: TestClient, directory: Path) -> None:
    river = {"id": "run", "betting": "cc/cc/", "board": "AsKsQsAh"}
    assert ask(client, "state", **river)["kind"] == "decision"
    for path in (directory / "run").rglob("*"):
        if path.is_file() and "ledger" not in path.name:
            path.unlink()
    answer = client.get("/api/state", params={**river, "betting": "cc/cc/r"})
    assert answer.status_code == 500
    assert answer.json()["error"]
    shutil.rmtree(directory / "run")
    answer = client.get("/api/state", params=river)
    assert answer.status_code == 404
    assert answer.json()["hint"]
