"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def output_options(command: Command) -> Command:
    """The options that every command has."""
    json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
    # Read by `main`, which has to know it even when the other options are wrong.
    verbose_option = click.option("--verbose", is_flag=True, expose_value=False, help="Show the traceback of an error.")
    return verbose_option(json_option(command))


def threads_option(command: Command) -> Command:
    option = click.option(
        "--threads",
        "num_threads",
        type=int,
        help="Of the `lanes` engine; they change no result. [default: all cores for large games]",
    )
    return option(command)


def state_options(command: Command) -> Command:
    """Which public state, and which strategy."""
    betting = click.option("--betting", help="Of the whole hand, as in `rc/cc/cr`. [default: the root's]")
    board = click.option("--board", help="All cards, as in `Ks8s3d7h`. [default: the root's]")
    measure = click.option(
        "--measure",
        type=click.Choice(["average", "current"]),
        help="The strategy. [default: the one that was measured when it was solved]",
    )
    return betting(board(measure(command)))
