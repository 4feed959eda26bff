"""The work on flops: a directory with one subdirectory per flop, and in it one file per array.

    DIRECTORY/flop-0012-2c3d4h/regrets-0.00000017.flop      player 0's regrets after pass 17

A pass reads the newest files and writes new ones beside them; the old ones are removed once the new ones count. Which
version of an array belongs to which pass follows from the number of the pass alone, so it is recorded nowhere.

On a cluster every node writes into a directory of its own below that of the run, `DIRECTORY/worker-NODE/flop-...`.
Files of one run and one name have the same bytes, whichever worker wrote them, so a file is read wherever it is found:
on a disk that nodes share, on one machine, or after the directories of all nodes were copied to one place.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from socket import gethostname

import numpy as np
from numpy.typing import NDArray

from errai.errors import StorageError
from errai.games.strategies import StrategyKind
from errai.passes.section_pass import PassArrays, SectionSource, pass_over_sections
from errai.passes.step import Step
from errai.runs.settings import RunSettings
from errai.solvers.preflop_state import PASSES_PER_ITERATION, iteration_of_pass, player_of_pass
from errai.storage.durable_files import copy_durably, writing
from errai.storage.flop_file import FlopArray, FlopFile, FlopFileWriter, NoSections
from errai.storage.ledger import PassRecord
from errai.storage.run_identity import RunIdentity, read_mark, write_mark

Float32Array = NDArray[np.float32]
# The names of files that a worker writes; all others are left alone.
_FILE_NAME = re.compile(
    r"(?P<array>(regrets|average)-[01])\.(?P<version>[0-9]{8})\.flop(?P<partial>\.[0-9a-f]{8}\.partial)?"
)


@dataclass(frozen=True)
class ArrayName:
    """One array of a flop: the numbers of one player that make up a strategy."""

    strategy: StrategyKind
    player: int

    @property
    def kind(self) -> str:
        """The numbers: regrets make up the current strategy."""
        return "regrets" if self.strategy == "current" else "average"

    def __str__(self) -> str:
        return f"{self.kind}-{self.player}"

    def version_after(self, pass_number: int, averaging_delay: int) -> int:
        """The pass that last changed the array when `pass_number` passes are done; 0 if none has.

        Regrets change in their player's passes; an average changes in those of the opponent, after the delay.
        """
        changer = self.player if self.strategy == "current" else 1 - self.player
        last = pass_number if pass_number > 0 and player_of_pass(pass_number) == changer else pass_number - 1
        first = PASSES_PER_ITERATION * averaging_delay if self.strategy == "average" else 0
        return last if last > first else 0


@dataclass(frozen=True)
class FlopAnswer:
    """What a flop gives back."""

    flop: int
    value: Float32Array
    file_bytes: dict[str, int]
    core_seconds: float


class FlopLostError(StorageError):
    """Files of a flop are not there; `passes_done` passes of it are."""

    def __init__(self, path: Path, *, flop: int, passes_done: int) -> None:
        super().__init__(f"`{path}` is missing")
        self.flop = flop
        self.passes_done = passes_done

    def __reduce__(self) -> tuple[object, ...]:
        return _make_lost, (str(self), self.flop, self.passes_done)


def _make_lost(message: str, flop: int, passes_done: int) -> FlopLostError:
    error = FlopLostError(Path(), flop=flop, passes_done=passes_done)
    error.args = (message,)
    return error


def _renews_model(version: int) -> bool:
    """Whether what is counted in this version becomes the model: in 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on.

    A new model means that the chunks of unreachable states are encoded again instead of copied.
    """
    while version > 0 and version % 2 == 0:
        version //= 2
    return version in (1, 3)


class FlopWorker:
    """Works on flops of the run in `directory`; files missing there are read from `checkpoint`.

    A worker with a `name` writes to a directory of its own below that of the run.
    """

    def __init__(
        self,
        directory: Path,
        settings: RunSettings,
        identity: RunIdentity,
        *,
        name: str | None = None,
        checkpoint: Path | None = None,
        max_trees: int = 1,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.directory = directory if name is None else directory / f"worker-{name}"
        self._run_directory = directory
        self._settings = settings
        self._identity = identity
        self._mark = cache(read_mark)
        self._checkpoint = checkpoint
        self._should_stop = should_stop
        self._tree = lru_cache(maxsize=max_trees)(settings.game.flop_tree)

    def update(
        self,
        flop: int,
        record: PassRecord,
        *,
        num_threads: int = 1,
        core: AbstractContextManager[object] | None = None,
    ) -> FlopAnswer:
        """Do a flop's share of a pass; `core` is held while it computes, not while its files are forced to the disk."""
        player = player_of_pass(record.pass_number)
        own, opponent = ArrayName("current", player), ArrayName("current", 1 - player)
        average = ArrayName("average", 1 - player)
        before = record.pass_number - 1
        step = Step.from_values(record.step).on_flop(flop, len(self._settings.game.flops))
        with ExitStack() as stack:
            arrays = PassArrays(self._open(stack, flop, own, before), self._open(stack, flop, opponent, before))
            arrays.should_stop = self._should_stop
            arrays.is_fast = self._settings.coding == "fast"
            arrays.counts_symbols = any(self._renews_model(name, record.pass_number) for name in (own, average))
            writers = {own: stack.enter_context(FlopFileWriter(self.path(flop, own, record.pass_number)))}
            arrays.own_sink = writers[own]
            if self._settings.with_average and step.average_weight:
                iteration = iteration_of_pass(record.pass_number)
                arrays.average_shift = self._settings.average_shift(iteration)
                arrays.average_rounding = self._settings.average_rounding(iteration)
                arrays.average = self._open(stack, flop, average, before)
                writers[average] = stack.enter_context(FlopFileWriter(self.path(flop, average, record.pass_number)))
                arrays.average_sink = writers[average]
            with core or nullcontext():
                result = pass_over_sections(
                    self._tree(flop),
                    arrays,
                    mode="update",
                    player=player,
                    reach=self._settings.game.flop_reach(flop, record.reach),
                    step=step,
                    num_threads=num_threads,
                )
            sources = {own: arrays.own, average: arrays.average}
            counts = {own: result.own_counts, average: result.average_counts}
            file_bytes = {
                str(name): writer.finish(self._describe(flop, name, record.pass_number, sources[name], counts[name]))
                for name, writer in writers.items()
            }
        return FlopAnswer(flop, result.value, file_bytes, result.core_seconds)

    def best_response(
        self,
        flop: int,
        *,
        player: int,
        strategy: StrategyKind,
        passes_done: int,
        next_reach: Float32Array,
        num_threads: int = 1,
    ) -> Float32Array:
        """The values of a best response of `player` on a flop."""
        with ExitStack() as stack:
            opponent = self._open(stack, flop, ArrayName(strategy, 1 - player), passes_done)
            return pass_over_sections(
                self._tree(flop),
                PassArrays(None, opponent, should_stop=self._should_stop),
                mode="best_response",
                player=player,
                reach=self._settings.game.flop_reach(flop, next_reach),
                num_threads=num_threads,
            ).value

    def remove_old_files(self, flop: int, passes_done: int) -> None:
        """Remove the files of a flop that are older than its files after so many passes.

        Younger ones stay: they may be in the middle of being written, and those of a dead run are written again.
        """
        if not self.is_complete(flop, passes_done):
            return
        versions = {str(name): self._version(name, passes_done) for name in self._names()}
        for directory in self._run_directories():
            for path in (directory / self._flop_name(flop)).glob("*"):
                name = _FILE_NAME.fullmatch(path.name)
                if name is None or name["array"] not in versions:
                    continue
                is_partial = name["partial"] is not None
                if int(name["version"]) < versions[name["array"]] + is_partial:
                    with writing(path):
                        path.unlink(missing_ok=True)

    def remove_partial_files(self) -> None:
        """Remove what a run that was killed left behind; nothing may be under way in the worker's directory."""
        for path in self.directory.glob("**/flop-*/*.partial"):
            if _FILE_NAME.fullmatch(path.name):
                with writing(path):
                    path.unlink(missing_ok=True)

    def copy_to(self, checkpoint: Path, flop: int, passes_done: int) -> None:
        """Copy a flop's files, so that they survive this directory; missing ones are computed again by a resume."""
        copies = FlopWorker(checkpoint, self._settings, self._identity)
        for name in self._names():
            source, target = self._find(flop, name, passes_done), copies.path(flop, name, passes_done)
            if self._version(name, passes_done) and source.exists() and not target.exists():
                with writing(target):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    copy_durably(source, target)

    def verify(self, flop: int, passes_done: int) -> int:
        """Check every byte of a flop's files, and that they are the files of this run and flop; the bytes checked."""
        checked = 0
        for name in self._names():
            if self._version(name, passes_done):
                with self._open_file(self._find(flop, name, passes_done), flop, name, passes_done) as file:
                    file.verify()
                    checked += file.path.stat().st_size
        return checked

    def claim(self) -> None:
        """Mark the worker's own directory as one of this run; raises a `StorageError` if it is another run's."""
        found = read_mark(self.directory)
        if found is None:
            write_mark(self.directory, self._identity)
        elif found != self._identity:
            raise StorageError(
                f"`{self.directory}` on `{gethostname()}` holds files of another run: found {found.describe()}, "
                f"expected {self._identity.describe()}",
                hint="delete it there, or choose another `--out`",
            )

    def foreign_directories(self) -> list[Path]:
        """Directories of workers below that of the run that belong to other runs; they are ignored."""
        return [path for path in self._worker_directories() if self._mark(path) not in (None, self._identity)]

    def _worker_directories(self) -> list[Path]:
        return sorted(path for path in self._run_directory.glob("worker-*") if path.is_dir())

    def _run_directories(self) -> list[Path]:
        """Where files of the run can be, as far as they can be seen from here."""
        own = [path for path in self._worker_directories() if self._mark(path) in (None, self._identity)]
        return [self._run_directory, *own]

    def path(self, flop: int, name: ArrayName, passes_done: int) -> Path:
        """Where an array is written when so many passes are done."""
        return self.directory / self._flop_name(flop) / f"{name}.{self._version(name, passes_done):08}.flop"

    def is_complete(self, flop: int, passes_done: int) -> bool:
        """Whether all files of a flop after so many passes are seen from here."""
        return all(
            not self._version(name, passes_done) or self._find(flop, name, passes_done).exists()
            for name in self._names()
        )

    def open_array(self, flop: int, name: ArrayName, passes_done: int) -> FlopFile | NoSections:
        """An array, for reading."""
        if not self._version(name, passes_done):
            return NoSections(self._settings.scales(name.strategy))
        path = self._find(flop, name, passes_done)
        if not path.exists():
            latest = max(pass_number for pass_number in range(passes_done) if self.is_complete(flop, pass_number))
            raise FlopLostError(path, flop=flop, passes_done=latest)
        return self._open_file(path, flop, name, passes_done)

    def _open_file(self, path: Path, flop: int, name: ArrayName, passes_done: int) -> FlopFile:
        """A file, which must be that of this run and of this array."""
        file = FlopFile(path)
        array = file.array
        found = (array.run, array.flop, array.kind, array.player, array.pass_number)
        text = self._settings.game.flop_text(flop)
        expected = (self._identity, text, name.kind, name.player, self._version(name, passes_done))
        if found != expected:
            file.close()
            raise StorageError(
                f"`{path}` is another file: found {_describe_array(*found)}; expected {_describe_array(*expected)}",
                hint="delete the file; the run computes it again from its beginning or from a checkpoint",
            )
        return file

    def _open(self, stack: ExitStack, flop: int, name: ArrayName, passes_done: int) -> SectionSource:
        array = self.open_array(flop, name, passes_done)
        return stack.enter_context(array) if isinstance(array, FlopFile) else array

    def _describe(
        self, flop: int, name: ArrayName, pass_number: int, before: SectionSource | None, counts: list[int]
    ) -> FlopArray:
        assert before is not None
        model = None if before.next_model is None else tuple(before.next_model)
        return FlopArray(
            run=self._identity,
            flop=self._settings.game.flop_text(flop),
            kind=name.kind,
            player=name.player,
            pass_number=pass_number,
            scales=self._settings.scales(name.strategy),
            model=model,
            next_model=tuple(counts) if self._renews_model(name, pass_number) else model,
        )

    def _renews_model(self, name: ArrayName, pass_number: int) -> bool:
        if not self._settings.has_symbols:
            return False
        iteration = iteration_of_pass(pass_number)
        return _renews_model(iteration - (self._settings.averaging_delay if name.strategy == "average" else 0))

    def _version(self, name: ArrayName, passes_done: int) -> int:
        return name.version_after(passes_done, self._settings.averaging_delay)

    def _find(self, flop: int, name: ArrayName, passes_done: int) -> Path:
        """Where an array is, or where it would be written if it does not exist."""
        path = self.path(flop, name, passes_done)
        if path.exists():
            return path
        elsewhere = self._run_directories() + ([self._checkpoint] if self._checkpoint else [])
        found = (directory / path.parent.name / path.name for directory in elsewhere)
        return next((place for place in found if place.exists()), path)

    def _names(self) -> list[ArrayName]:
        return [ArrayName(strategy, player) for strategy in self._settings.strategies for player in (0, 1)]

    def _flop_name(self, flop: int) -> str:
        return f"flop-{flop:04}-{self._settings.game.flop_text(flop)}"


def _describe_array(run: RunIdentity, flop: str, kind: str, player: int, pass_number: int) -> str:
    return f"{kind} of player {player} on `{flop}` after pass {pass_number} of {run.describe()}"
