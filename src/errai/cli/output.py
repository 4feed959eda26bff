"""Where things are printed: results go to stdout, everything else to stderr.

With `--json`, stdout holds one JSON object and nothing else.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


def results() -> "Console":
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
    """Within, what other code prints, such as a user's bot or Ray, goes to stderr."""
    with redirect_stdout(sys.stderr):
        yield
