"""`/api` described as OpenAPI 3.1: what can be asked, and what the answers hold."""

from importlib.metadata import version
from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_NUMBER: Schema = {"type": ["number", "null"]}
_NUMBERS: Schema = {"type": "array", "items": _NUMBER}
_COLUMNS: Schema = {"type": "array", "items": _NUMBERS}
_FLAG: Schema = {"type": "string", "enum": ["0", "1"]}

_ID = {"id": (_TEXT, "the strategy, as `/api/strategies` names it")}
_PLACE: dict[str, tuple[Schema, str]] = {
    **_ID,
    "betting": (_TEXT, "of the whole hand, as in `rc/cr`; without it, where the strategy begins"),
    "board": (_TEXT, "all cards so far, as in `Ks8s3d7h`"),
    "strategy": ({"type": "string", "enum": ["average", "current"]}, "by default the one that was measured"),
}
_VALUES = {"values": (_FLAG, "`1`: also equities and values, which may take a moment")}
_SESSION = {"session": (_TEXT, "as `POST /api/play` named it")}

_SPOT: dict[str, Schema] = {
    "game": {"type": "string", "description": "as `errai games` names it"},
    **dict.fromkeys(("board", "betting", "range_bb", "range_dealer", "bets", "rake", "locks"), _TEXT),
    **{name: {"type": ["integer", "null"]} for name in ("pot", "stack", "iterations")},
    "target_pot_percent": {"type": ["number", "null"]},
}


def _object(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {"type": "object", "required": list(required or properties), "properties": properties}


_ACTION = _object(action=_TEXT, text=_TEXT, betting=_TEXT, kind=_TEXT)
_STATE = _object(
    ("kind", "betting", "board", "line", "actions", "reach", "classes"),
    kind={"type": "string", "enum": ["decision", "deal", "end"]},
    betting=_TEXT,
    board=_TEXT,
    line={"type": "array"},
    actions={"type": "array", "items": _ACTION},
    frequencies=_NUMBERS,
    reach=_COLUMNS,
    probabilities=_COLUMNS,
    equities=_COLUMNS,
    values=_COLUMNS,
    action_values=_COLUMNS,
    classes={"type": ["object", "null"]},
)
_ROW = _object(
    ("cards", "count", "weight", "suits", "pairing", "high", "frequencies"),
    cards=_TEXT,
    count={"type": "integer"},
    weight={"type": "number"},
    suits=_TEXT,
    pairing=_TEXT,
    high=_TEXT,
    frequencies=_NUMBERS,
    equities=_NUMBERS,
    values_chips=_NUMBERS,
)
_SOLVE = _object(
    phase={"type": "string", "enum": ["empty", "running", "paused", "done", "failed"]}, can_save={"type": "boolean"}
)
_TABLE = _object(
    ("id", "number", "seat", "own_cards", "board", "actions", "sizes", "is_over", "result"),
    id=_TEXT,
    number={"type": "integer"},
    seat={"type": "integer"},
    own_cards=_TEXT,
    board=_TEXT,
    actions={"type": "array"},
    sizes={"type": ["object", "null"]},
    opponent_cards={"type": ["string", "null"]},
    is_over={"type": "boolean"},
    result={"type": "object"},
)


def _answer(schema: Schema | None, media: tuple[str, ...] = ("application/json",)) -> Schema:
    content = {name: {} if schema is None else {"schema": schema} for name in media}
    error = {
        "description": "what is wrong",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    return {"200": {"description": "the answer", "content": content}, "4XX": error, "5XX": error}


def _get(
    summary: str,
    parameters: dict[str, tuple[Schema, str]],
    answer: Schema,
    *,
    required: tuple[str, ...] = ("id",),
) -> Schema:
    return {
        "summary": summary,
        "parameters": [
            {"name": name, "in": "query", "required": name in required, "schema": schema, "description": text}
            for name, (schema, text) in parameters.items()
        ],
        "responses": answer,
    }


def _post(summary: str, properties: dict[str, Schema], answer: Schema, *, required: tuple[str, ...] = ()) -> Schema:
    body = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": answer,
    }


def describe_api() -> dict[str, Any]:
    """The OpenAPI description of everything under `/api`."""
    solve, table = _answer(_SOLVE), _answer(_TABLE)
    session = {"session": _TEXT}
    export = {"format": ({"type": "string", "enum": ["csv", "parquet"]}, "of the file")}
    tables = _answer(None, ("text/csv", "application/vnd.apache.parquet"))
    any_object = _answer({"type": "object"})
    paths: dict[str, Schema] = {
        "/api": {"get": _get("this description", {}, any_object)},
        "/api/strategies": {
            "get": _get(
                "the strategies",
                {},
                _answer(_object(strategies={"type": "array", "items": _object(id=_TEXT, kind=_TEXT)})),
            )
        },
        "/api/strategy": {
            "get": _get(
                "a strategy: game, deck, the order of hands",
                _ID,
                _answer(
                    _object(
                        ("game", "description", "deck"),
                        game=_TEXT,
                        description={"type": "object"},
                        deck={"type": ["object", "null"]},
                    )
                ),
            )
        },
        "/api/state": {"get": _get("a place of a strategy", _PLACE | _VALUES, _answer(_STATE))},
        "/api/deals": {
            "get": _get(
                "what happens on every card that can come next, in portions",
                _PLACE | _VALUES | {"from": (_WHOLE, "the number of the first row")},
                _answer(
                    _object(
                        rows={"type": "array", "items": _ROW},
                        total={"type": "integer"},
                        next={"type": ["integer", "null"]},
                    )
                ),
            )
        },
        "/api/report": {"get": _get("the same as a table", _PLACE | export, tables, required=("id", "format"))},
        "/api/hands": {
            "get": _get("the hands of a decision as a table", _PLACE | export, tables, required=("id", "format"))
        },
        "/api/range": {
            "get": _get(
                "the range of a player as text",
                _PLACE | {"player": (_FLAG, "0 is the big blind")},
                _answer(None, ("text/plain",)),
            )
        },
        "/api/weights": {
            "get": _get(
                "a range as text: the weight of every hand",
                {"game": (_TEXT, "the game"), "text": (_TEXT, "as in `22+,A2s+,KTo:0.5`")},
                _answer(_object(text=_TEXT, weights=_NUMBERS)),
                required=("game", "text"),
            )
        },
        "/api/solve": {
            "get": _get("how far the solve is", {}, solve),
            "post": _post("solve a spot", _SPOT, solve, required=("game",)),
        },
        "/api/solve/estimate": {"post": _post("memory and time of a solve", _SPOT, any_object, required=("game",))},
        "/api/solve/save": {
            "post": _post("save the solve", {"name": _TEXT}, _answer(_object(id=_TEXT)), required=("name",))
        },
        **{
            f"/api/solve/{act}": {"post": _post(f"{act} the solve", {}, solve)}
            for act in ("pause", "resume", "discard")
        },
        "/api/play": {
            "get": _get("the hand as it stands", _SESSION, table, required=("session",)),
            "post": _post(
                "begin to play",
                {"id": _TEXT, "seed": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}},
                table,
                required=("id",),
            ),
        },
        "/api/play/act": {
            "post": _post(
                "act",
                {**session, "action": _TEXT, "advice": {"type": "boolean"}},
                table,
                required=("session", "action"),
            )
        },
        "/api/play/deal": {"post": _post("the next hand", session, table, required=("session",))},
        "/api/play/hands": {
            "get": _get("the hands that are over", _SESSION, _answer(None, ("text/plain",)), required=("session",))
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Errai's explorer", "version": version("errai")},
        "paths": paths,
        "components": {"schemas": {"Error": _object(error=_TEXT, hint={"type": ["string", "null"]})}},
    }
