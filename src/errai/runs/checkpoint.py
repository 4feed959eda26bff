"""Copies of a run in another directory, from which it can be resumed if its own directory is lost.

A checkpoint belongs to one run, whose identity it carries. First the files of all flops are copied beside those of the
checkpoint before; then the ledger, with which they count; then the old files are removed. So there is a complete
checkpoint at every moment, whenever the work is interrupted.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from errai.errors import InputError
from errai.runs.flop_executor import FlopExecutor
from errai.runs.flop_worker import FlopWorker
from errai.runs.ownership import is_unused, owned_directory, remove_partial_files
from errai.runs.settings import RunSettings
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.storage.ledger import LEDGER_FILE, Ledger
from errai.storage.run_identity import MARK_FILE, RunIdentity, read_mark, write_mark

_HINT = "name a new directory with `--checkpoint-to`"


@dataclass(frozen=True)
class Checkpoint:
    """Copies a run to `path` every so many iterations."""

    path: Path
    every: int = 10

    def verify_usable(self, run_directory: Path, ledger: Ledger | None) -> None:
        """Raise an `InputError` unless copies of a run may be written here; `ledger` is None before it is created."""
        own, other = self.path.resolve(), run_directory.resolve()
        if own.is_relative_to(other) or other.is_relative_to(own):
            raise InputError(
                f"the checkpoint `{self.path}` and the run `{run_directory}` must be separate directories", hint=_HINT
            )
        found = self._identity()
        if found is None and not is_unused(self.path):
            raise InputError(f"`{self.path}` holds something else than checkpoints", hint=_HINT)
        if found is None:
            return
        if ledger is None or found != ledger.identity:
            raise InputError(f"`{self.path}` belongs to another run: found {found.describe()}", hint=_HINT)
        if self._passes_done() > ledger.passes_done:
            raise InputError(
                f"`{self.path}` is ahead of the run in `{run_directory}`",
                hint=f"`errai solve --resume {self.path}` continues from there",
            )

    @contextmanager
    def owned(self, run_directory: Path, settings: RunSettings, ledger: Ledger) -> Iterator[None]:
        """Within, this process owns the directory, which holds copies of this run and nothing else."""
        self.verify_usable(run_directory, ledger)
        with owned_directory(self.path):
            remove_partial_files(self.path)
            if not (self.path / MARK_FILE).exists():
                write_mark(self.path, ledger.identity)
            copies = FlopWorker(self.path, settings, ledger.identity)
            copies.remove_partial_files()
            self._remove_old_files(copies, len(settings.game.flops))
            yield

    def copy_if_due(self, settings: RunSettings, ledger: Ledger, executor: FlopExecutor) -> None:
        """Copy a run that stands after an iteration whose turn it is, unless that was copied before."""
        passes_done = ledger.passes_done
        is_turn = passes_done > 0 and passes_done % (self.every * PASSES_PER_ITERATION) == 0
        if not is_turn or ledger.answered(passes_done + 1) or self._passes_done() == passes_done:
            return
        num_flops = len(settings.game.flops)
        executor.copy_to(self.path, range(num_flops), passes_done)
        ledger.copy_to(self.path)
        self._remove_old_files(FlopWorker(self.path, settings, ledger.identity), num_flops)

    def _remove_old_files(self, copies: FlopWorker, num_flops: int) -> None:
        passes_done = self._passes_done()
        for flop in range(num_flops):
            copies.remove_old_files(flop, passes_done)

    def _identity(self) -> RunIdentity | None:
        """The run that the directory belongs to: a checkpoint has a mark from the beginning, a run has a ledger."""
        if not (self.path / LEDGER_FILE).exists():
            return read_mark(self.path)
        with closing(Ledger.open(self.path)) as ledger:
            return ledger.identity

    def _passes_done(self) -> int:
        """Of the last complete checkpoint."""
        if not (self.path / LEDGER_FILE).exists():
            return 0
        with closing(Ledger.open(self.path)) as ledger:
            return ledger.passes_done
