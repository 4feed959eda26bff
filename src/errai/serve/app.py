"""The application: `/` is the page, `/api` everything that it shows as JSON."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from errai.errors import ErraiError, InputError, SizeError
from errai.games.place import parse_place
from errai.serve.answers import Cache, Query, encode, json_answer, read_json
from errai.serve.deals import deals_json
from errai.serve.exports import TABLES, hand_table, range_text
from errai.serve.guard import Door, Guard, refuse
from errai.serve.playing import PlayRoom
from errai.serve.shelf import BusyError, Shelf, UnknownStrategyError
from errai.serve.solving import SolveDesk, range_json
from errai.serve.state_view import strategy_json, view_json
from errai.solutions.look import Look
from errai.solutions.next_deals import Deal, next_deals
from errai.solutions.stored_strategy import StoredStrategy

PAGE = Path(str(files("errai.serve") / "page"))
_STATE = ("id", "betting", "board", "strategy")


class Explorer:
    """The answers of `/api`."""

    def __init__(self, shelf: Shelf, cache: Cache | None = None) -> None:
        self._shelf = shelf
        self._cache = cache or Cache()
        self._deals: tuple[tuple[Any, ...], list[Deal]] | None = None  # of the report asked for last

    async def strategies(self, request: Request) -> Response:
        Query(request, ())
        entries = [{"id": entry.name, "kind": entry.kind} for entry in self._shelf.entries()]
        return json_answer(encode({"strategies": entries}))

    async def strategy(self, request: Request) -> Response:
        query = Query(request, ("id",))
        return await self._cached(query.required("id"), ("strategy",), strategy_json)

    async def state(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "values"))
        key = ("state", *(query.text(name) for name in (*_STATE, "values")))
        return await self._cached(query.required("id"), key, lambda stored: view_json(_look(stored, query)))

    async def deals(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "values", "from"))
        return await self._shelf.use(query.required("id"), partial(self._portion, query))

    def _portion(self, query: Query, stored: StoredStrategy, version: tuple[int, ...]) -> Response:
        look = _look(stored, query)
        look = look.at(look.place.without_deal())
        first = query.number("from", 0)
        key = ("deals", version, query.required("id"), query.strategy(), look.place.betting, look.place.board_text)
        known = self._cache.get((*key, look.with_values, first))
        if known is None:
            latest = self._deals
            if latest is None or latest[0] != key:
                latest = self._deals = (key, next_deals(look))
            known = encode(deals_json(look, latest[1], first=first))
            self._cache.put((*key, look.with_values, first), known)
        return json_answer(known)

    async def hands(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "format"))
        table = query.required("format")
        if table not in TABLES:
            raise InputError(f"`format` must be {' or '.join(f'`{name}`' for name in TABLES)}; got `{table[:50]}`")
        return await self._shelf.use(query.required("id"), lambda stored, _: hand_table(_look(stored, query), table))

    async def range(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "player"))
        player = query.number("player", 0)
        if player > 1:
            raise InputError(f"`player` must be `0` or `1`; got `{player}`")
        return await self._shelf.use(query.required("id"), lambda stored, _: range_text(_look(stored, query), player))

    async def _cached(
        self, name: str, key: tuple[Any, ...], compute: Callable[[StoredStrategy], dict[str, Any]]
    ) -> Response:
        def work(stored: StoredStrategy, version: tuple[int, ...]) -> bytes:
            known = self._cache.get((version, *key, name))
            if known is None:
                known = encode(compute(stored))
                self._cache.put((version, *key, name), known)
            return known

        return json_answer(await self._shelf.use(name, work))


class SolvePages:
    """The answers of `/api/solve`."""

    def __init__(self, desk: SolveDesk) -> None:
        self._desk = desk

    async def solve(self, request: Request) -> Response:
        if request.method == "POST":
            return json_answer(encode(await self._desk.start(await read_json(request))))
        Query(request, ())
        return json_answer(encode(self._desk.status()))

    async def act(self, request: Request) -> Response:
        content = await read_json(request)
        match request.path_params["action"]:
            case "estimate":
                answer = await self._desk.estimate(content)
            case "pause":
                answer = self._desk.pause()
            case "resume":
                answer = await self._desk.resume()
            case "discard":
                answer = await self._desk.discard()
            case "save":
                answer = await self._desk.save(content)
            case _:
                raise HTTPException(404)
        return json_answer(encode(answer))

    async def weights(self, request: Request) -> Response:
        query = Query(request, ("game", "text"))
        return json_answer(encode(range_json(query.required("game"), query.required("text"))))


class PlayPages:
    """The answers of `/api/play`."""

    def __init__(self, room: PlayRoom) -> None:
        self._room = room

    async def play(self, request: Request) -> Response:
        if request.method == "POST":
            return json_answer(encode(await self._room.start(await read_json(request))))
        return json_answer(encode(self._room.table(Query(request, ("session",)).required("session"))))

    async def deal(self, request: Request) -> Response:
        return json_answer(encode(await self._room.deal(await read_json(request))))

    async def act(self, request: Request) -> Response:
        return json_answer(encode(await self._room.act(await read_json(request))))

    async def hands(self, request: Request) -> Response:
        history = self._room.history(Query(request, ("session",)).required("session"))
        name = "hands.phhs" if history.startswith("[") else "hands.log"
        return PlainTextResponse(history, headers={"content-disposition": f'attachment; filename="{name}"'})


def _look(stored: StoredStrategy, query: Query) -> Look:
    definition = stored.definition
    if definition is None:
        raise InputError(f"`{stored.name}` was made in Python and has no public states")
    place = parse_place(definition, stored.start, betting=query.text("betting"), board=query.text("board"))
    return Look(stored, place, query.strategy(), query.flag("values"))


def build_app(shelf: Shelf, *, door: Door | None = None, num_threads: int | None = None) -> Starlette:
    """The explorer of a shelf; solves started from the page take so many threads."""
    explorer = Explorer(shelf)
    desk = SolveDesk(shelf, num_threads=num_threads)
    solving = SolvePages(desk)
    playing = PlayPages(PlayRoom(shelf))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await desk.close()

    return Starlette(
        routes=[
            Route("/", _page),
            Route("/api/strategies", explorer.strategies),
            Route("/api/strategy", explorer.strategy),
            Route("/api/state", explorer.state),
            Route("/api/deals", explorer.deals),
            Route("/api/hands", explorer.hands),
            Route("/api/range", explorer.range),
            Route("/api/solve", solving.solve, methods=["GET", "POST"]),
            Route("/api/solve/{action}", solving.act, methods=["POST"]),
            Route("/api/weights", solving.weights),
            Route("/api/play", playing.play, methods=["GET", "POST"]),
            Route("/api/play/deal", playing.deal, methods=["POST"]),
            Route("/api/play/act", playing.act, methods=["POST"]),
            Route("/api/play/hands", playing.hands),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        lifespan=lifespan,
        middleware=[Middleware(Guard, door=door or Door())],
        exception_handlers={ErraiError: _errai_error, HTTPException: _http_error, Exception: _unexpected},
    )


async def _page(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _errai_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ErraiError)
    match error:
        case UnknownStrategyError():
            status = 404
        case BusyError():
            status = 409
        case InputError():
            status = 400
        case SizeError():
            status = 507
        case _:
            status = 500
    return refuse(status, str(error), hint=error.hint)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refuse(error.status_code, error.detail)


async def _unexpected(request: Request, error: Exception) -> Response:
    return refuse(500, "this request failed inside the server; its terminal shows why")
