"""The description of `/api`, and `/api` asked by it: what Schemathesis makes of it must not surprise the server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from errai.serve.description import describe_api
from serve.running import serving

schemathesis = pytest.importorskip("schemathesis", reason="Schemathesis is not installed")
from schemathesis import GenerationMode  # noqa: E402
from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

# A schema cannot say what is a betting, a board or a session: what it allows may still be refused.
EXCLUDED = [positive_data_acceptance]
IDS = ["leduc", "menu", "small/flop", "turn"]


def described() -> dict[str, Any]:
    """The description, with the strategies that are there: random names would be refused without being looked at."""
    description = describe_api()
    for path in description["paths"].values():
        for parameter in path.get("get", {}).get("parameters", []):
            if parameter["name"] == "id":
                parameter["schema"] = {"type": "string", "enum": IDS}
    description["paths"]["/api/play"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"][
        "id"
    ] = {"type": "string", "enum": IDS}
    return description


OPERATIONS = [found.ok() for found in schemathesis.openapi.from_dict(described()).get_all_operations()]


@pytest.fixture(scope="module")
def url(solutions: Path) -> Iterator[str]:
    with serving([solutions]) as url:
        yield url


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_what_the_description_allows_and_forbids_is_answered_as_it_says(
    operation: Any, mode: GenerationMode, url: str
) -> None:
    if mode == GenerationMode.NEGATIVE and not operation.query and not operation.body:
        pytest.skip("nothing can be wrong about it")

    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(base_url=url, excluded_checks=EXCLUDED)

    ask()


def test_the_description_names_every_address(client: TestClient) -> None:
    paths = client.get("/api").json()["paths"]
    routes = {getattr(route, "path", "") for route in client.app.routes}  # type: ignore[attr-defined]
    described = {"/api/solve/{action}" if path.startswith("/api/solve/") else path for path in paths}
    assert described == {path for path in routes if path.startswith("/api")}
