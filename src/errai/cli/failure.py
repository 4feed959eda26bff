"""How a failure is reported: `error: ...`, an empty line, `hint: ...` on stderr, and an exit code.

1       the work failed
2       the command was used wrongly
130     interrupted with Ctrl-C
"""

import click

from errai.errors import DefinitionError, ErraiError, InputError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

_LONGEST_TEXT = 1_000  # characters of a message


def report_failure(error: BaseException, *, command: str, verbose: bool) -> int:
    """Print what went wrong in `command` and return the exit code."""
    if verbose:
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
    message, hint, exit_code = _describe(error, command)
    click.echo(f"{click.style('error:', fg='red', bold=True)} {_printable(message)}", err=True)
    if hint:
        click.echo(f"\n{click.style('hint:', fg='cyan', bold=True)} {_printable(hint)}", err=True)
    return exit_code


def _printable(text: str) -> str:
    """The text without what a terminal would obey or choke on: control characters escaped, a long middle left out."""
    if len(text) > _LONGEST_TEXT:
        text = f"{text[: _LONGEST_TEXT // 2]} ... {text[-_LONGEST_TEXT // 2 :]}"
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )


def _describe(error: BaseException, command: str) -> tuple[str, str | None, int]:
    """The message, the hint and the exit code of an error."""
    usage_hint = f"`{command} --help` shows how to use it"
    if isinstance(error, DefinitionError):
        return str(error), error.hint or "the bundled definitions (see `errai games`) are examples", EXIT_FAILED
    if isinstance(error, InputError):
        return str(error), error.hint or usage_hint, EXIT_USAGE
    if isinstance(error, ErraiError):
        return str(error), error.hint, EXIT_FAILED
    if isinstance(error, click.UsageError):
        return _click_message(error), usage_hint, EXIT_USAGE
    if isinstance(error, click.ClickException):
        return _click_message(error), None, EXIT_FAILED
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return "interrupted", None, EXIT_INTERRUPTED
    if isinstance(error, OSError) and error.strerror:
        place = f"`{error.filename}`: " if error.filename else ""
        return f"{place}{error.strerror}", "`--verbose` shows what was being done", EXIT_FAILED
    if isinstance(error, MemoryError):
        return "there is not enough memory", "`errai count GAME` shows how large the game is", EXIT_FAILED
    return (
        f"unexpected {type(error).__name__}: {error}",
        "this is a mistake in Errai; `--verbose` shows where, for a report",
        EXIT_FAILED,
    )


def _click_message(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".").replace("'", "`")
    return message[:1].lower() + message[1:]
