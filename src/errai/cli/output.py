"""Where things are printed: results to stdout, talk to stderr; with `--json`, one object and nothing else on stdout."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])


def results() -> Console:
    """The console of results. Wide, as a table that does not fit would otherwise lose digits."""
    return Console(highlight=False, width=200)


def talk() -> Console:
    """The console of everything that is not a result."""
    return Console(stderr=True, highlight=False)


def print_json(content: dict[str, Any]) -> None:
    click.echo(json.dumps(content, indent=2, allow_nan=False))


def output_options(command: Command) -> Command:
    """The options that every command has."""
    json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
    # Read by `main`, which has to know it even when the other options are wrong.
    verbose_option = click.option("--verbose", is_flag=True, expose_value=False, help="Show the traceback of an error.")
    return verbose_option(json_option(command))
