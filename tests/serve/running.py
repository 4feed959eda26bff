"""A server of the explorer in a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from errai.serve.app import build_app
from errai.serve.server import listen, make_server
from errai.serve.shelf import Shelf


@contextmanager
def serving(roots: list[Path]) -> Iterator[str]:
    """The address of a server that answers until the end of the block."""
    address = listen(port=0)
    server = make_server(build_app(Shelf(roots)))
    thread = Thread(target=server.run, kwargs={"sockets": [address.listener]})
    thread.start()
    try:
        yield address.url
    finally:
        server.should_exit = True
        thread.join()
