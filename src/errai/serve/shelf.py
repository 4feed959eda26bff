"""The strategies that the explorer shows: found below some directories, opened when they are asked for.

A strategy is known by its place below the directory that was named on the command line. Requests name one of those
places, never a path, so nothing else can be reached. Only the strategies that were used last stay open. Work on one
strategy is done one request at a time, in a thread; the others wait without holding one.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from errai.errors import InputError
from errai.runs.opening import OPENERS, open_strategy
from errai.solutions.bot import is_bot
from errai.solutions.stored_strategy import StoredStrategy
from errai.storage.ledger import LEDGER_FILE
from errai.storage.solution_directory import DESCRIPTION_FILE

MOST_OPEN = 4
UNSAVED = "unsaved"  # the name of a solution that was made here and is in memory only
_DEEPEST = 3
_MOST_DIRECTORIES = 10_000

Result = TypeVar("Result")


class BusyError(InputError):
    """What was asked for cannot be done now, because something else is going on or is there already."""


class UnknownStrategyError(InputError):
    """A request names a strategy that is not there."""


@dataclass(frozen=True)
class ShelfEntry:
    """A strategy that can be opened."""

    name: str  # its place below the directory that was named
    path: Path
    kind: str  # `solution`, `run`, `bot` or `unsaved`


@dataclass
class _Slot:
    """A strategy that is open, or about to be."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0  # requests that hold the lock or wait for it
    strategy: StoredStrategy | None = None
    version: tuple[int, ...] = ()  # of its files, when it was opened


class Shelf:
    """All strategies below `roots`."""

    def __init__(self, roots: Sequence[Path], *, num_threads: int | None = None, most_open: int = MOST_OPEN) -> None:
        self.roots = tuple(roots)
        self._num_threads = num_threads
        self._most_open = most_open
        self._slots: OrderedDict[str, _Slot] = OrderedDict()  # the one used last at the end
        self._unsaved: StoredStrategy | None = None
        self._num_held = 0  # strategies in memory, since the beginning
        self._paths: dict[str, Path] = {}  # of the strategies that were there at the last look

    def entries(self) -> list[ShelfEntry]:
        """What is there now, in the order of the names; a second one of a name gets a number."""
        found: dict[str, ShelfEntry] = {}
        for root in self.roots:
            for path in _strategies_below(root):
                name = plain = root.resolve().name if path == root else path.relative_to(root).as_posix()
                number = 1
                while name in found:
                    number += 1
                    name = f"{plain} ({number})"
                found[name] = ShelfEntry(name, path, _kind(path))
        self._paths = {name: entry.path for name, entry in found.items()}
        unsaved = [] if self._unsaved is None else [ShelfEntry(UNSAVED, Path(), "unsaved")]
        return unsaved + [found[name] for name in sorted(found)]

    def hold(self, strategy: StoredStrategy) -> None:
        """Show a strategy that is in memory only."""
        self._unsaved = strategy
        self._num_held += 1

    async def release(self) -> None:
        """Show it no longer, when nobody looks at it any more."""
        async with self._slots.setdefault(UNSAVED, _Slot()).lock:
            self._unsaved = None

    @property
    def can_save(self) -> bool:
        return any(not _is_strategy(root) for root in self.roots)

    def place_to_save(self) -> Path:
        """The first directory that is not a strategy itself."""
        for root in self.roots:
            if not _is_strategy(root):
                return root
        raise InputError(
            "the server was started with strategies only, and saves nothing beside them",
            hint="start it with a directory: `errai browse out`",
        )

    def name_of(self, path: Path) -> str:
        """The name of a strategy that was just saved."""
        return next(entry.name for entry in self.entries() if entry.path == path)

    @property
    def num_open(self) -> int:
        return sum(slot.strategy is not None for slot in self._slots.values())

    async def use(self, name: str, work: Callable[[StoredStrategy, tuple[int, ...]], Result]) -> Result:
        """Do `work` with a strategy and the version of its files, when its turn comes."""
        slot = self._slots.setdefault(name, _Slot())
        self._slots.move_to_end(name)
        slot.users += 1
        try:
            async with slot.lock:
                return await run_in_threadpool(self._work, slot, name, work)
        finally:
            slot.users -= 1
            if slot.strategy is None and not slot.users:
                self._slots.pop(name, None)
            self._close_oldest()

    def _work(self, slot: _Slot, name: str, work: Callable[[StoredStrategy, tuple[int, ...]], Result]) -> Result:
        if name == UNSAVED and self._unsaved is not None:
            return work(self._unsaved, (self._num_held,))
        path = self._find(name)
        version = _version(path)
        if slot.strategy is None or slot.version != version:
            slot.strategy = None  # the old one goes before the new one takes its memory
            slot.strategy = open_strategy(path, num_threads=self._num_threads)
            slot.version = version
        return work(slot.strategy, version)

    def _find(self, name: str) -> Path:
        if name not in self._paths or not self._paths[name].exists():
            self.entries()
        if name in self._paths:
            return self._paths[name]
        raise UnknownStrategyError(f"there is no strategy `{name}` here", hint="`/api/strategies` lists what is there")

    def _close_oldest(self) -> None:
        idle = [name for name, slot in self._slots.items() if not slot.users]
        for name in idle[: max(0, len(self._slots) - self._most_open)]:
            del self._slots[name]


def _strategies_below(root: Path) -> Iterator[Path]:
    """Every strategy at or below a directory, links not followed."""
    waiting = [(root, 0)]
    seen = 0
    while waiting:
        path, depth = waiting.pop()
        seen += 1
        if _is_strategy(path):
            yield path
        elif depth < _DEEPEST and seen < _MOST_DIRECTORIES:
            try:
                below = [
                    item
                    for item in path.iterdir()
                    if item.is_dir() and not item.is_symlink() and not item.name.startswith(".")
                ]
            except OSError:
                continue  # not ours to read
            waiting += [(item, depth + 1) for item in below]


def _is_strategy(path: Path) -> bool:
    return any(opener.recognises(path) for opener in OPENERS)


def _kind(path: Path) -> str:
    if (path / LEDGER_FILE).exists():
        return "run"
    return "bot" if is_bot(path) else "solution"


def _version(path: Path) -> tuple[int, ...]:
    """Changes when a strategy is saved again, or a run goes on."""
    for marker in (path / LEDGER_FILE, path / DESCRIPTION_FILE):
        try:
            found = marker.stat()
        except FileNotFoundError:
            continue
        return (found.st_ino, found.st_mtime_ns, found.st_size)
    raise UnknownStrategyError(f"`{path.name}` was removed", hint="`/api/strategies` lists what is there")
