"""Where things are printed: results go to stdout, everything else to stderr.

With `--json`, stdout holds one JSON object and nothing else.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


_STDOUT, _STDERR = 1, 2


def stdout_console() -> "Console":
    """The console for results. It is wide, because a table that does not fit would lose digits."""
    from rich.console import Console

    return Console(highlight=False, width=200)


def stderr_console() -> "Console":
    """The console for everything that is not a result."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(content: dict[str, Any]) -> None:
    click.echo(json.dumps(content, indent=2, allow_nan=False))


@contextmanager
def stdout_kept_for_results() -> Iterator[None]:
    """Within, what other code prints, such as a user's bot, a library in C or Ray, goes to stderr."""
    with redirect_stdout(sys.stderr), _descriptor_redirected():
        yield


@contextmanager
def _descriptor_redirected() -> Iterator[None]:
    """The same for code that writes to the file descriptor itself."""
    if sys.__stdout__ is None or sys.__stderr__ is None:
        yield
        return
    sys.__stdout__.flush()
    kept = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    try:
        yield
    finally:
        os.dup2(kept, _STDOUT)
        os.close(kept)
