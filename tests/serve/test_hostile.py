"""What the explorer does with requests that mean no good, and with files that change under it."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from errai.serve.answers import Cache
from errai.serve.app import build_app
from errai.serve.guard import MOST_BODY_BYTES, MOST_QUERY_BYTES, Door
from errai.serve.server import listen
from errai.serve.shelf import Shelf
from errai.solutions.solve import solve


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8017", "", "localhost.evil"])
def test_another_name_for_this_server_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/strategies", headers={"host": host})
    assert answer.status_code == 421
    assert "own name" in answer.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:8017", "localhost:8017", "LOCALHOST", "[::1]:9000"])
def test_the_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/strategies", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    ],
)
def test_requests_of_other_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.get("/api/strategies", headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_another_site_may_link_to_the_page(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200


def test_no_other_site_may_frame_the_page_and_it_loads_nothing_from_elsewhere(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_beyond_this_machine_every_request_needs_the_token(solutions: Path) -> None:
    app = build_app(Shelf([solutions]), door=Door("secret"))
    client = TestClient(app, base_url="http://192.0.2.1:8017")
    for path in ("/", "/api/strategies", "/page/main.js", "/?token=wrong"):
        assert client.get(path).status_code == 401
    bearer = {"authorization": "Bearer secret"}
    assert client.get("/api/strategies", headers=bearer).status_code == 200
    first = client.get("/?token=secret&strategy=turn", follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/?strategy=turn")
    assert "HttpOnly" in first.headers["set-cookie"]
    assert client.get("/api/strategies").status_code == 200  # by the cookie


def test_only_loopback_is_without_a_token() -> None:
    for host, is_open in (("127.0.0.1", True), ("0.0.0.0", False)):
        address = listen(host=host, port=0)
        with address.listener:
            assert (address.token is None) == is_open
            assert ("token=" in address.url) != is_open


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/%2e%2e/app.py",
        "/page/..%2f..%2ferrors.py",
        "/page//etc/passwd",
        "/page/%00",
        "/page/" + "a" * 5000,
        "/api/nothing",
        "/etc/passwd",
    ],
)
def test_nothing_but_the_page_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_links_that_lead_out_of_the_directory_are_not_followed(solutions: Path, tmp_path: Path) -> None:
    (tmp_path / "away").symlink_to(solutions)
    (tmp_path / "leduc").symlink_to(solutions / "leduc")
    client = TestClient(build_app(Shelf([tmp_path])), base_url="http://127.0.0.1")
    assert client.get("/api/strategies").json() == {"strategies": []}
    assert client.get("/api/state", params={"id": "leduc"}).status_code == 404


def test_what_is_too_long_is_refused(client: TestClient) -> None:
    assert client.get("/api/state?id=" + "x" * MOST_QUERY_BYTES).status_code == 414
    assert client.post("/api/state", content=b"x" * (MOST_BODY_BYTES + 1)).status_code == 413
    assert client.get("/api/state", headers={"content-length": "-1"}).status_code == 413
    assert client.post("/api/state").status_code == 405


@settings(max_examples=100)
@given(
    path=st.sampled_from(["state", "deals", "strategy", "strategies", "hands", "range"]),
    id=st.sampled_from(["turn", "leduc", "menu", "small/flop"]) | st.text(max_size=10),
    betting=st.none() | st.text("frc/2508", max_size=12) | st.text(max_size=12),
    board=st.none()
    | st.lists(st.sampled_from(["Ks", "8s", "3d", "7h", "2c", "As", "Qh", "Kh"]), max_size=6).map("".join)
    | st.text(max_size=8),
    more=st.dictionaries(
        st.sampled_from(["values", "from", "strategy", "format", "player", "x"]),
        st.text(max_size=5) | st.sampled_from(["1", "csv"]),
        max_size=2,
    ),
)
def test_no_query_fails_inside_the_server(
    client: TestClient, path: str, id: str, betting: str | None, board: str | None, more: dict[str, str]
) -> None:
    """The client raises what the server does not catch."""
    parameters = {"id": id, "betting": betting, "board": board, **more}
    answer = client.get(f"/api/{path}", params={key: value for key, value in parameters.items() if value is not None})
    assert answer.status_code in {200, 400, 404}
    assert answer.status_code == 200 or answer.json()["error"]


def test_two_hundred_clients_at_once_are_all_answered(solutions: Path) -> None:
    app = build_app(Shelf([solutions]))
    boards = ["Ks8s3d7h" + rank + suit for rank in "2456" for suit in "cd"]
    places: list[dict[str, Any]] = [{"id": "leduc"}, {"id": "menu", "values": 1}, {"id": "turn"}]
    places += [{"id": "turn", "betting": "rc/cc/cc/", "board": board} for board in boards]

    async def ask_all() -> list[int]:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
            asked = [client.get("/api/state", params=places[number % len(places)]) for number in range(200)]
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    assert asyncio.run(ask_all()) == [200] * 200


def test_only_so_many_strategies_stay_open(solutions: Path) -> None:
    shelf = Shelf([solutions], most_open=2)
    with TestClient(build_app(shelf), base_url="http://127.0.0.1") as client:
        for name in ("leduc", "turn", "menu", "small/flop", "no such"):
            client.get("/api/state", params={"id": name})
            assert shelf.num_open <= 2


def test_the_cache_of_answers_has_a_limit() -> None:
    cache = Cache(most_bytes=100)
    for number in range(50):
        cache.put((number,), b"x" * 30)
    assert cache.num_bytes <= 100
    assert cache.get((49,)) is not None
    assert cache.get((0,)) is None


def test_files_may_be_deleted_damaged_or_replaced_under_the_server(solutions: Path, tmp_path: Path) -> None:
    shutil.copytree(solutions / "leduc", tmp_path / "leduc")
    with TestClient(build_app(Shelf([tmp_path])), base_url="http://127.0.0.1") as client:

        def ask() -> Any:
            return client.get("/api/strategy", params={"id": "leduc"})

        assert ask().json()["description"]["iterations"] == 50
        solve("leduc", iterations=60).save(tmp_path / "leduc")
        assert ask().json()["description"]["iterations"] == 60
        (tmp_path / "leduc" / "solution.json").write_text(json.dumps({"format": "errai-solution"}))
        answer = ask()
        assert answer.status_code == 500
        assert "solution.json" in answer.json()["error"]
        shutil.rmtree(tmp_path / "leduc")
        answer = ask()
        assert answer.status_code == 404
        assert answer.json()["hint"]


def test_the_server_writes_nothing(solutions: Path, client: TestClient) -> None:
    def files() -> set[tuple[str, int]]:
        return {(str(path), path.stat().st_mtime_ns) for path in solutions.rglob("*")}

    before = files()
    for name in ("leduc", "turn", "menu"):
        client.get("/api/state", params={"id": name, "values": 1})
    assert files() == before
