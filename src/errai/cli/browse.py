"""`errai browse [PATH...]`: look at stored strategies in the browser."""

import webbrowser
from pathlib import Path

import click

from errai.cli.options import output_options, threads_option
from errai.cli.output import print_json, stderr_console
from errai.errors import InputError


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0 takes any free one. [default: 8017 or the next]")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; beyond this machine, a token is demanded.",
)
@click.option("--open/--no-open", "open_browser", default=True, help="Open the browser.")
@threads_option
@output_options
def browse(
    *, paths: tuple[Path, ...], port: int | None, host: str, open_browser: bool, num_threads: int | None, as_json: bool
) -> None:
    """Look at stored strategies in the browser: every line, every board, every hand.

    Each PATH is a solution or a run, or a directory with some of them below it; without any, the current directory. The
    page and its data come from this machine, and no request leaves it.
    """
    try:
        from errai.serve.app import build_app
        from errai.serve.guard import Door
        from errai.serve.server import listen, make_server
        from errai.serve.shelf import Shelf
    except ModuleNotFoundError as error:
        if error.name not in {"starlette", "uvicorn"}:
            raise
        raise InputError(f"the explorer needs {error.name}", hint="`pip install 'errai[serve]'` installs it") from None
    roots = paths or (Path(),)
    for root in roots:
        if not root.is_dir():
            raise InputError(
                f"`{root}` must be a directory; found {'a file' if root.exists() else 'nothing'}",
                hint="`errai solve GAME --out DIR` saves a solution in one",
            )
    shelf = Shelf(roots, num_threads=num_threads)
    entries = shelf.entries()
    if not entries:
        raise InputError(
            f"there is no solution or run in {' or '.join(f'`{root}`' for root in roots)}",
            hint="`errai solve leduc --target 1 --out out/leduc` makes one in a second",
        )
    address = listen(host=host, port=port)
    if as_json:
        print_json({"url": address.url, "strategies": [entry.name for entry in entries]})
    else:
        stderr_console().print(f"{len(entries)} strateg{'y' if len(entries) == 1 else 'ies'}; Ctrl-C ends")
        click.echo(address.url)
    if open_browser:
        webbrowser.open(address.url)
    make_server(build_app(shelf, door=Door(address.token), num_threads=num_threads)).run(sockets=[address.listener])
