"""Listening: a socket on this machine, and the loop that answers until it is told to stop."""

import ipaddress
import secrets
import socket
from dataclasses import dataclass
from urllib.parse import urlencode

import uvicorn
from starlette.applications import Starlette

from errai.errors import InputError, NetworkError

LOCAL_HOST = "127.0.0.1"
DEFAULT_PORT = 8017
_PORTS_TRIED = 20
_MOST_WAITING = 2048


@dataclass(frozen=True)
class Address:
    """Where the server listens; beyond this machine only with a token."""

    listener: socket.socket
    host: str
    token: str | None

    @property
    def url(self) -> str:
        port = self.listener.getsockname()[1]
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{port}/" + (f"?{urlencode({'token': self.token})}" if self.token else "")


def listen(*, host: str = LOCAL_HOST, port: int | None = None) -> Address:
    """Take a port: the given one (0: any), or the first free one from 8017 on."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TRIED) if port is None else [port]
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
        is_local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise InputError(f"`--host` must be an address such as `{LOCAL_HOST}` or `0.0.0.0`; got `{host}`") from None
    problem: OSError | None = None
    for candidate in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(_MOST_WAITING)  # from here on a browser that is too early waits
        except OSError as error:
            listener.close()
            problem = error
            continue
        return Address(listener, host, None if is_local else secrets.token_urlsafe(24))
    assert problem is not None
    raise NetworkError(
        f"cannot listen on {host}, port {ports[0]}: {problem.strerror}", hint="`--port 0` takes any free port"
    )


def make_server(app: Starlette) -> uvicorn.Server:
    """The server of an application; `run(sockets=[...])` answers until `should_exit` is set."""
    return uvicorn.Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=2, server_header=False
        )
    )
