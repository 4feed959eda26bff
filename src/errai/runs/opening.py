"""`errai.open`: the strategy in a directory, whatever kind of directory it is.

A new kind of stored strategy is one more entry of `OPENERS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from errai.errors import StorageError
from errai.reports.verification import Verification
from errai.runs.stored_run import StoredRun
from errai.solutions.bot import Bot, is_bot
from errai.solutions.solution import Solution, verify_saved
from errai.solutions.stored_strategy import UNWATCHED, StoredStrategy, Work
from errai.storage.ledger import LEDGER_FILE
from errai.storage.solution_directory import is_saved


@dataclass(frozen=True)
class Opener:
    """How one kind of directory is recognised, opened and verified."""

    recognises: Callable[[Path], bool]
    open: Callable[[Path, int | None], StoredStrategy]
    verify: Callable[[Path, Work], Verification]  # also of a directory that is too damaged to be opened


OPENERS = (
    Opener(
        recognises=lambda path: (path / LEDGER_FILE).exists(),
        open=lambda path, _: StoredRun.open(path),
        verify=lambda path, work: StoredRun.open(path).verify(work=work),
    ),
    Opener(
        recognises=is_bot,
        open=lambda path, num_threads: Bot.open(path, num_threads=num_threads),
        verify=lambda path, _: verify_saved(path),
    ),
    Opener(
        recognises=is_saved,
        open=lambda path, num_threads: Solution.open(path, num_threads=num_threads),
        verify=lambda path, _: verify_saved(path),
    ),
)


def open_strategy(path: str | Path, *, num_threads: int | None = None) -> StoredStrategy:
    """The strategy in the directory `path`: a saved solution, or a run of a whole game.

    `num_threads` is for what is computed on it later; without it, the machine decides.
    """
    return find_opener(Path(path)).open(Path(path), num_threads)


def verify_path(path: str | Path, *, work: Work = UNWATCHED) -> Verification:
    """Check every byte of the directory `path`."""
    return find_opener(Path(path)).verify(Path(path), work)


def find_opener(path: Path) -> Opener:
    """The opener that recognises a directory."""
    for opener in OPENERS:
        if opener.recognises(path):
            return opener
    found = "nothing" if not path.exists() else "other files" if path.is_dir() else "a file"
    raise StorageError(
        f"`{path}` must be the directory of a saved solution or of a run; found {found}",
        hint="`errai solve GAME --out DIR` saves one",
    )
