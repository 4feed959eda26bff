"""JSON answers: values of a query, errors as objects, and a cache of what was computed."""

import json
from collections import OrderedDict
from collections.abc import Collection
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from errai.errors import InputError
from errai.games.strategies import StrategyKind

MOST_CACHED_BYTES = 64 * 2**20


class Query:
    """The parameters of a request: each at most once, and none that is unknown."""

    def __init__(self, request: Request, allowed: Collection[str]) -> None:
        items = request.query_params.multi_items()
        self._values = dict(items)
        unknown = sorted(self._values.keys() - set(allowed))
        if unknown:
            raise InputError(
                f"`{unknown[0][:50]}` is no parameter here", hint=f"these are: {', '.join(sorted(allowed))}"
            )
        if len(items) > len(self._values):
            raise InputError("a parameter is given twice")

    def text(self, name: str) -> str | None:
        return self._values.get(name)

    def required(self, name: str) -> str:
        value = self._values.get(name)
        if value is None:
            raise InputError(f"`{name}` is missing")
        return value

    def choice(self, name: str, choices: Collection[str]) -> str:
        value = self.required(name)
        if value not in choices:
            raise InputError(f"`{name}` must be {' or '.join(f'`{one}`' for one in choices)}; got `{value[:50]}`")
        return value

    def flag(self, name: str) -> bool:
        value = self._values.get(name, "0")
        if value not in {"0", "1"}:
            raise InputError(f"`{name}` must be `0` or `1`; got `{value[:50]}`")
        return value == "1"

    def number(self, name: str, default: int) -> int:
        value = self._values.get(name, str(default))
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise InputError(f"`{name}` must be a whole number; got `{value[:50]}`")
        return int(value)

    def strategy(self) -> StrategyKind | None:
        match self._values.get("strategy"):
            case None:
                return None
            case "average":
                return "average"
            case "current":
                return "current"
            case other:
                raise InputError(f"`strategy` must be `average` or `current`; got `{other[:50]}`")


class Cache:
    """Encoded answers by what was asked; the oldest go when they take too much memory."""

    def __init__(self, most_bytes: int = MOST_CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._answers: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.num_bytes = 0

    def get(self, key: tuple[Any, ...]) -> bytes | None:
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, key: tuple[Any, ...], answer: bytes) -> None:
        if key in self._answers:
            self.num_bytes -= len(self._answers.pop(key))
        self._answers[key] = answer
        self.num_bytes += len(answer)
        while self.num_bytes > self._most_bytes:
            self.num_bytes -= len(self._answers.popitem(last=False)[1])


def encode(content: dict[str, Any]) -> bytes:
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def json_answer(encoded: bytes) -> Response:
    return Response(encoded, media_type="application/json")


async def read_json(request: Request) -> dict[str, Any]:
    """The object in the body of a request; only JSON, which no form of another site can send."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InputError("the body must be JSON", hint="`content-type: application/json`")
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        raise InputError("the body is no JSON") from None
    if not isinstance(content, dict):
        raise InputError("the body must be a JSON object")
    return content
