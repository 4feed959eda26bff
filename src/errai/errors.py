"""Everything that Errai raises on purpose, and the checks of plain arguments.

ErraiError                  the message says what is wrong; `hint`, where there is one, what to do
├── InputError              a value that the caller gave is wrong
│   ├── DefinitionError     a game definition that cannot be read or makes no sense
│   └── RuleError           an action that the rules do not allow
├── AgentError              an agent that cannot be loaded, or whose answer is no strategy
├── SizeError               the work would not fit in the memory or the time that it may take
├── StorageError            a file that is missing, damaged, newer than this program, or cannot be written
├── NetworkError            somebody on the network cannot be reached, or broke off
└── WorkerError             a process that does a part of the work died, or cannot do it
"""

from operator import index
from typing import SupportsFloat, SupportsIndex, cast


class ErraiError(Exception):
    """Base of all errors of this package."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class InputError(ErraiError):
    """A value that the caller gave is wrong."""


class DefinitionError(InputError):
    """A game definition that cannot be read or makes no sense."""


class RuleError(InputError):
    """An action that the rules of the game do not allow."""


class AgentError(ErraiError):
    """An agent that cannot be loaded, or whose answer is no strategy."""


class SizeError(ErraiError):
    """The work would not fit in the memory or the time that it may take."""


class StorageError(ErraiError):
    """A file that is missing, damaged, newer than this program, or cannot be written."""


class NetworkError(ErraiError):
    """Somebody on the network cannot be reached, or broke off."""


class WorkerError(ErraiError):
    """A process that does a part of the work died, or cannot do it."""


def whole_number(name: str, value: object, *, least: int) -> int:
    """The argument `name` as an `int`; raises an `InputError` unless it is a whole number, and at least `least`."""
    try:
        number = index(cast("SupportsIndex", value))
    except TypeError:
        raise InputError(f"`{name}` must be a whole number; got `{value}`") from None
    if number < least:
        must = "not be negative" if least == 0 else f"be at least {least}"
        raise InputError(f"`{name}` must {must}; got `{number}`")
    return number


def real_number(name: str, value: object) -> float:
    """The argument `name` as a `float`; raises an `InputError` where it is no number."""
    if isinstance(value, str):
        raise InputError(f"`{name}` must be a number; got `{value}`")
    try:
        return float(cast("SupportsFloat", value))
    except (TypeError, ValueError):
        raise InputError(f"`{name}` must be a number; got `{value}`") from None
