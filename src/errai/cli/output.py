"""Where things are printed: results go to stdout, everything else to stderr.

With `--json`, stdout holds one JSON object and nothing else.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import click
from rich.console import Console


def results() -> Console:
    """The console of results. Wide, as a table that does not fit would otherwise lose digits."""
    return Console(highlight=False, width=200)


def stderr_console() -> Console:
    """The console of everything that is not a result."""
    return Console(stderr=True, highlight=False)


def print_json(content: dict[str, Any]) -> None:
    click.echo(json.dumps(content, indent=2, allow_nan=False))


@contextmanager
def stdout_kept_for_results() -> Iterator[None]:
    """Within, what others print, such as a bot of the user's or Ray about a node that died, goes to stderr."""
    with redirect_stdout(sys.stderr):
        yield
