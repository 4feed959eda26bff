"""What is checked about a request before anything is done for it.

1. The host that it names must be this server, so that another site's name cannot be pointed at this address.
2. Where the server listens beyond this machine, it must carry the token.
3. It must not come from another site's page.
4. It must be short: the query and the body have limits.

Answers never allow other sites to read or frame them, and the page may load nothing from elsewhere.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_QUERY_BYTES = 8192
MOST_BODY_BYTES = 262_144
_COOKIE = "errai-token"
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


@dataclass(frozen=True)
class Door:
    """Who may come in: any program of this machine, or whoever has the token."""

    token: str | None = None


class Guard:
    """The checks, around an application."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, _limited(receive), send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        if len(request.scope.get("query_string", b"")) > MOST_QUERY_BYTES:
            return refuse(414, f"a query has at most {MOST_QUERY_BYTES:,} bytes")
        declared = request.headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > MOST_BODY_BYTES:
            return refuse(413, f"a request has at most {MOST_BODY_BYTES:,} bytes")
        if self._door.token is None:
            if _host_name(request.headers.get("host", "")) not in LOOPBACK_NAMES:
                return refuse(
                    421, "this server answers only to its own name", hint="use the address that `errai browse` printed"
                )
        else:
            answer = self._token_refusal(request, self._door.token)
            if answer is not None:
                return answer
        return _foreign_refusal(request)

    def _token_refusal(self, request: Request, token: str) -> Response | None:
        given = request.query_params.get("token")
        if given is not None and secrets.compare_digest(given.encode(), token.encode()):
            # The token moves from the address, which people share, to a cookie.
            kept = [(name, value) for name, value in parse_qsl(request.url.query) if name != "token"]
            answer = RedirectResponse(request.url.path + ("?" + urlencode(kept) if kept else ""), status_code=303)
            answer.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
            return answer
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        for held in (request.cookies.get(_COOKIE, ""), bearer):
            if secrets.compare_digest(held.encode(), token.encode()):
                return None
        return refuse(401, "this server asks for a token", hint="use the address that `errai browse` printed")


def refuse(status: int, message: str, *, hint: str | None = None) -> JSONResponse:
    """An error as every answer of `/api` has it."""
    return JSONResponse({"error": message, "hint": hint}, status_code=status)


def _host_name(host: str) -> str:
    """The name in a `Host` header, without the port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdecimal() else host.lower()


def _foreign_refusal(request: Request) -> Response | None:
    """Other sites may link to the page, and nothing else."""
    origin = request.headers.get("origin")
    own = {f"{request.url.scheme}://{request.headers.get('host', '')}"}
    is_link = request.headers.get("sec-fetch-mode") == "navigate" and request.method == "GET"
    site = request.headers.get("sec-fetch-site", "none")
    if (origin is not None and origin not in own) or (site in {"cross-site", "same-site"} and not is_link):
        return refuse(403, "requests of other sites are refused")
    return None


def _limited(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """A body that has no declared length ends at the limit as well."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BODY_BYTES:
            return {"type": "http.disconnect"}
        return message

    return limited
