"""Bots from Python files: importing a class, making one, and which files it is made of.

A bot is code that we did not write. Whatever it raises, `SystemExit` included, becomes an `AgentError` that names it:
`sys.exit(0)` in a bot must not pass for the success of the command that plays it, and `os._exit(0)` must not end that
command without a word. Only the user's Ctrl-C goes through.

A bot's directory is searched for modules that it imports, after everything that is installed: a `random.py` beside it
does not stand in for Python's own.
"""

import ast
import importlib.util
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from errai.errors import AgentError, ErraiError


def split_bot(text: str) -> tuple[Path, str] | None:
    """The file and the class of `mybot.py:MyBot`; None for any other text."""
    file, _, class_name = text.rpartition(":")
    return (Path(file), class_name) if file.endswith(".py") else None


def load_class(path: Path, class_name: str, *arguments: Any) -> Any:
    """A new object of a class in a file, made with `arguments`, or without any if it takes none."""
    module = _import_file(path)
    bot_class: Any = getattr(module, class_name, None)
    if not inspect.isclass(bot_class):
        classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise AgentError(
            f"`{path}` has no class `{class_name}`", hint=f"it has {', '.join(classes)}" if classes else None
        )
    if not callable(getattr(bot_class, "action_probabilities", None)):
        raise AgentError(f"`{path}:{class_name}` has no method `action_probabilities(state, board)`")
    make: Callable[..., Any] = bot_class
    try:
        with exits_raised():
            return make(*arguments) if inspect.signature(make).parameters else make()
    except BaseException as error:
        raise blame(error, f"`{path}:{class_name}` cannot be made:") from error


def blame(error: BaseException, what: str, where: str = "") -> AgentError:
    """The `AgentError` for what a bot raised; a Ctrl-C of the user is raised again instead."""
    # Python turns Ctrl-C into this exception only where nobody else handles the signal. Otherwise the bot raised it.
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        raise error
    return AgentError(
        f"{what} {type(error).__name__}: {error}{where}", hint=error.hint if isinstance(error, ErraiError) else None
    )


@contextmanager
def exits_raised() -> Iterator[None]:
    """Within, `os._exit` raises `SystemExit`, which names the bot instead of ending the process that plays it."""
    exit_at_once = os._exit
    os._exit = _raise_exit
    try:
        yield
    finally:
        os._exit = exit_at_once


def _raise_exit(status: int) -> NoReturn:
    raise SystemExit(status)


def file_digests(path: Path) -> dict[str, str]:
    """The SHA-256 of a bot's file and of every Python file in its directory that it imports, by their names there."""
    root = path.absolute().parent
    return {
        str(file.relative_to(root)): sha256(file.read_bytes()).hexdigest()
        for file in sorted(_imported_files(path.absolute(), root))
    }


def _imported_files(path: Path, root: Path) -> set[Path]:
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for name, level in _imports(file):
            base = root if level == 0 else file.parents[level - 1]
            waiting.extend(candidate for candidate in _files_of(base, name) if candidate.is_file())
    return found


def _imports(file: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file names in an import, wherever in it, and how many dots stand before it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module, node.level
            # A name that is imported can be a module of the package.
            yield from ((f"{module}.{alias.name}".strip("."), node.level) for alias in node.names)


def _files_of(base: Path, name: str) -> Iterator[Path]:
    """The files that importing `name` would run if it lay below `base`: its packages and itself."""
    folder = base
    for part in filter(None, name.split(".")):
        yield folder / f"{part}.py"
        folder = folder / part
        yield folder / "__init__.py"


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise AgentError(f"there is no file `{path}`")
    name = f"errai_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"`{path}` is not a Python file")
    module = importlib.util.module_from_spec(spec)
    directory = str(path.absolute().parent)
    if directory not in sys.path:
        sys.path.append(directory)
    # Dataclasses and pickles of the file look their module up there.
    sys.modules[name] = module
    try:
        with exits_raised():
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        raise blame(error, f"`{path}` does not import:") from error
    return module


def load_value(path: Path, name: str) -> Any:
    """What a file calls `name`."""
    module = _import_file(path)
    if not hasattr(module, name):
        raise AgentError(f"`{path}` has no `{name}`", hint=f"write `{name} = ...` in the file, outside of any function")
    return getattr(module, name)
