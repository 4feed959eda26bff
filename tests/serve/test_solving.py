"""Solving from the page: the same solution as `errai.solve`, one at a time, saved only where it may be."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from errai.serve.app import build_app
from errai.serve.shelf import UNSAVED, Shelf
from errai.solutions.solution import Solution
from errai.solutions.solve import solve

RIVER: dict[str, Any] = {
    "game": "holdem.nolimit.2p",
    "board": "QsJh2h8c3d",
    "pot": 100,
    "stack": 200,
    "bets": "50%,a / 3x",
    "range_bb": "AA,KQs,T9s,76s",
    "range_dealer": "QQ,JTs,A5s",
}
# Never done: the target is below what single precision reaches.
ENDLESS: dict[str, Any] = {
    "game": "holdem.limit.2p",
    "board": "Ks8s3d7h",
    "betting": "rc/cc/",
    "range_bb": "22+,A2s+",
    "range_dealer": "99+",
    "iterations": 1_000_000,
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    solve("kuhn", iterations=5).save(tmp_path / "kuhn")
    with TestClient(build_app(Shelf([tmp_path]), num_threads=1), base_url="http://127.0.0.1") as client:
        yield client


def wait(client: TestClient, phase: str) -> Any:
    end = monotonic() + 60
    while monotonic() < end:
        status = client.get("/api/solve").json()
        if status["phase"] == phase:
            return status
        sleep(0.02)
    raise AssertionError(f"still not {phase}: {status}")


def test_a_solve_is_estimated_run_looked_at_and_saved(client: TestClient, tmp_path: Path) -> None:
    cost = client.post("/api/solve/estimate", json=RIVER).json()
    assert cost["memory_bytes"] > 0
    assert cost["seconds"] > 0
    assert client.post("/api/solve", json=RIVER).status_code == 200
    status = wait(client, "done")
    assert status["is_target_met"]
    assert status["memory_bytes"] == cost["memory_bytes"]
    view = client.get("/api/state", params={"id": UNSAVED, "values": 1}).json()
    expected = solve(target_pot_percent=0.5, **RIVER)
    assert status["trace"][-1] == [expected.iteration, expected.trace[-1].average_mbb]
    np.testing.assert_allclose(view["frequencies"], expected.query().frequencies, rtol=1e-4)
    saved = client.post("/api/solve/save", json={"name": "river-1"}).json()
    assert saved == {"id": "river-1"}
    assert Solution.open(tmp_path / "river-1").iteration == expected.iteration
    names = [entry["id"] for entry in client.get("/api/strategies").json()["strategies"]]
    assert names == [UNSAVED, "kuhn", "river-1"]


def test_a_solve_is_paused_looked_at_resumed_and_discarded(client: TestClient) -> None:
    assert client.post("/api/solve", json=ENDLESS).json()["phase"] == "running"
    for path, content in (("/api/solve", RIVER), ("/api/solve/resume", {}), ("/api/solve/save", {"name": "x"})):
        answer = client.post(path, json=content)
        assert answer.status_code == 409
        assert "running" in answer.json()["error"]
    assert client.get("/api/state", params={"id": UNSAVED}).status_code == 404  # while its numbers change
    client.post("/api/solve/pause", json={})
    first = wait(client, "paused")
    assert client.get("/api/state", params={"id": UNSAVED}).status_code == 200
    client.post("/api/solve/resume", json={})
    while client.get("/api/solve").json()["iteration"] <= first["iteration"]:
        sleep(0.02)
    assert client.post("/api/solve/discard", json={}).json()["phase"] == "empty"
    assert client.get("/api/state", params={"id": UNSAVED}).status_code == 404


def test_the_server_ends_while_a_solve_runs(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).save(tmp_path / "kuhn")
    started = monotonic()
    with TestClient(build_app(Shelf([tmp_path]), num_threads=1), base_url="http://127.0.0.1") as client:
        client.post("/api/solve", json=ENDLESS)
    assert monotonic() - started < 60


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "`game` must be one of"),
        ({**RIVER, "game": "/etc/passwd"}, "`game` must be one of"),
        ({**RIVER, "out": "/tmp/x"}, "`out` is no part"),
        ({**RIVER, "board": "QsJh2h8c3dXx"}, "not a card"),
        ({**RIVER, "pot": "100"}, "`pot` must be a whole number"),
        ({**RIVER, "pot": True}, "`pot` must be a whole number"),
        ({**RIVER, "stack": 10**12}, "`stack` must be"),
        ({**RIVER, "range_bb": "nonsense"}, "not a term of a range"),
        ({**RIVER, "range_bb": ["AA"]}, "`range_bb` must be text"),
        ({**RIVER, "target_pot_percent": -1}, "positive"),
        ({**RIVER, "target_pot_percent": "x"}, "must be a number"),
        ({"game": "flop-holdem"}, "that of a spot"),
    ],
)
def test_a_wrong_wish_is_refused(client: TestClient, content: dict[str, Any], words: str) -> None:
    for path in ("/api/solve/estimate", "/api/solve"):
        answer = client.post(path, json=content)
        assert answer.status_code == 400
        assert words in answer.json()["error"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b"1e999"])
def test_a_body_that_is_no_object_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/solve", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_a_form_of_another_site_cannot_start_a_solve(client: TestClient) -> None:
    assert client.post("/api/solve", data={"game": "kuhn"}).status_code == 400
    assert client.post("/api/solve", json=RIVER, headers={"origin": "https://evil.example"}).status_code == 403
    assert client.get("/api/solve").json()["phase"] == "empty"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 65, "/tmp/x", None, 3])
def test_nothing_is_saved_elsewhere(client: TestClient, tmp_path: Path, name: Any) -> None:
    answer = client.post("/api/solve/save", json={"name": name})
    assert answer.status_code == 400
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn"]


def test_a_saved_solution_is_never_replaced_from_the_page(client: TestClient) -> None:
    client.post("/api/solve", json=RIVER)
    wait(client, "done")
    assert client.post("/api/solve/save", json={"name": "kuhn"}).status_code == 409


def test_a_server_of_single_strategies_saves_nothing(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).save(tmp_path / "kuhn")
    with TestClient(build_app(Shelf([tmp_path / "kuhn"]), num_threads=1), base_url="http://127.0.0.1") as client:
        assert not client.get("/api/solve").json()["can_save"]
        client.post("/api/solve", json=RIVER)
        wait(client, "done")
        assert client.post("/api/solve/save", json={"name": "x"}).status_code == 400
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn"]


def test_ranges_are_read_and_written_for_the_painter(client: TestClient) -> None:
    answer = client.get("/api/weights", params={"game": "holdem.limit.2p", "text": "AA, AKs:0.5"}).json()
    assert answer["text"] == "AA,AKs:0.5"
    assert sum(answer["weights"]) == 6 + 4 * 0.5
    assert client.get("/api/weights", params={"game": "holdem.limit.2p", "text": ""}).json()["text"] == ""
    assert client.get("/api/weights", params={"game": "leduc", "text": "AA"}).status_code == 400
