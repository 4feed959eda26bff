"""Options that several commands share, and reading their values."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from errai.errors import InputError
from errai.games.lock_text import FILE_SUFFIX, parse_locks, read_locks

_MOST_THREADS = 1024
_PREFIXES = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

Command = TypeVar("Command", bound=Callable[..., Any])


def output_options(command: Command) -> Command:
    """The options that every command has."""
    json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
    # Read by `main`, which has to know it even when the other options are wrong.
    verbose_option = click.option("--verbose", is_flag=True, expose_value=False, help="Show the traceback of an error.")
    return verbose_option(json_option(command))


def _verify_threads(_context: click.Context, _option: click.Parameter, number: int | None) -> int | None:
    if number is not None and number < 1:
        raise InputError(f"`--threads` must be at least 1; got `{number}`")
    if number is not None and number > _MOST_THREADS:
        raise InputError(f"`--threads` must be at most {_MOST_THREADS}; got `{number}`")
    return number


def threads_option(command: Command) -> Command:
    option = click.option(
        "--threads",
        "num_threads",
        type=int,
        callback=_verify_threads,
        help="Threads of the `lanes` engine; results do not depend on them. [default: all cores for large games]",
    )
    return option(command)


def coding_option(command: Command) -> Command:
    option = click.option(
        "--coding",
        type=click.Choice(["small", "fast"]),
        help="Of fixed point on disk: `fast` takes more bytes and less time. [default: small]",
    )
    return option(command)


def state_options(command: Command) -> Command:
    """Which public state, and which strategy."""
    betting = click.option("--betting", help="The betting of the whole hand, as in `rc/cc/cr`. [default: the root's]")
    board = click.option("--board", help="All cards of the board, as in `Ks8s3d7h`. [default: the root's]")
    measure = click.option(
        "--measure",
        type=click.Choice(["average", "current"]),
        help="Which strategy. [default: the one that was measured when it was solved]",
    )
    return betting(board(measure(command)))


def lock_option(command: Command) -> Command:
    """`--lock`; `lock_texts` reads it."""
    option = click.option(
        "--lock",
        "locks",
        multiple=True,
        metavar="LOCK",
        help="Fix what a player does, repeatable: `LINE: [HANDS] ACTION=SHARE,...`, as in `r10: fold=25%,call=75%`; or "
        f"a file whose name ends in `{FILE_SUFFIX}`.",
    )
    return option(command)


def lock_texts(locks: Sequence[str]) -> list[str]:
    """The locks of the options, those of files included."""
    return [
        lock.text
        for text in locks
        for lock in (read_locks(text.strip()) if text.strip().endswith(FILE_SUFFIX) else parse_locks(text))
    ]


def parse_bytes(text: str) -> int:
    """`4G`, `500M`, `2.5G`: powers of 1,000."""
    number, factor = text.strip().upper().removesuffix("B"), 1
    if number and number[-1] in _PREFIXES:
        number, factor = number[:-1], _PREFIXES[number[-1]]
    try:
        value = float(number) * factor
    except ValueError:
        value = -1.0
    if not 0 < value < 1e18:
        raise InputError(f"an amount of memory must be like `4G` or `500M`; got `{text}`")
    return int(value)
