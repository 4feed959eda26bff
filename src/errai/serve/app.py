"""The application: `/` is the page, `/api` everything that it shows as JSON."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from errai.errors import ErraiError, InputError, SizeError
from errai.games.place import parse_place
from errai.serve.answers import Cache, Query, encode, json_answer, read_json
from errai.serve.deals import DealReport
from errai.serve.description import describe_api
from errai.serve.exports import TABLES, deal_table, hand_table, range_text
from errai.serve.guard import Door, Guard, refuse
from errai.serve.playing import PlayRoom
from errai.serve.shelf import BusyError, Shelf, UnknownStrategyError
from errai.serve.solving import SolveDesk, range_json
from errai.serve.state_view import strategy_json, view_json
from errai.solutions.look import Look
from errai.solutions.stored_strategy import StoredStrategy

PAGE = Path(str(files("errai.serve") / "page"))
_STATE = ("id", "betting", "board", "strategy")
_MOST_REPORTS = 4


class Explorer:
    """The answers of `/api`."""

    def __init__(self, shelf: Shelf, cache: Cache | None = None) -> None:
        self._shelf = shelf
        self._cache = cache or Cache()
        self._reports: OrderedDict[tuple[Any, ...], DealReport] = OrderedDict()  # the one used last at the end

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
        first = query.number("from", 0)

        def work(stored: StoredStrategy, version: tuple[int, ...]) -> bytes:
            return encode(self._report(stored, version, query, with_values=query.flag("values")).portion_json(first))

        return json_answer(await self._shelf.use(query.required("id"), work))

    async def report(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "format"))
        table = query.choice("format", TABLES)
        known = 0

        def work(stored: StoredStrategy, version: tuple[int, ...]) -> tuple[DealReport, int]:
            report = self._report(stored, version, query, with_values=True)
            return report, report.compute(known)

        # Others have their turn between the portions.
        while not await request.is_disconnected():
            report, known = await self._shelf.use(query.required("id"), work)
            if known == len(report.deals):
                return await run_in_threadpool(deal_table, report, table)
        return Response(status_code=499)

    def _report(
        self, stored: StoredStrategy, version: tuple[int, ...], query: Query, *, with_values: bool
    ) -> DealReport:
        look = replace(_look(stored, query), with_values=with_values)
        look = look.at(look.place.without_deal())
        place = (look.place.betting, look.place.board_text)
        key = (version, query.required("id"), query.strategy(), with_values, *place)
        report = self._reports.get(key)
        if report is None:
            report = self._reports[key] = DealReport(look)
        self._reports.move_to_end(key)
        while len(self._reports) > _MOST_REPORTS:
            self._reports.popitem(last=False)
        return report

    async def hands(self, request: Request) -> Response:
        query = Query(request, (*_STATE, "format"))
        table = query.choice("format", TABLES)
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
            Route("/api", _description),
            Route("/api/strategies", explorer.strategies),
            Route("/api/strategy", explorer.strategy),
            Route("/api/state", explorer.state),
            Route("/api/deals", explorer.deals),
            Route("/api/report", explorer.report),
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


async def _description(request: Request) -> Response:
    Query(request, ())
    return json_answer(encode(describe_api()))


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
