"""The work on flops: a directory with one subdirectory per flop, and in it one file per array.

    DIRECTORY/flop-0012-2c3d4h/regrets-0.00000017.flop      player 0's regrets after pass 17

A pass reads the newest files and writes new ones beside them; the old ones are removed once the new ones count. Which
version of an array belongs to which pass follows from the number of the pass alone, so it is recorded nowhere.

On a cluster every node writes into a directory of its own below that of the run, `DIRECTORY/worker-NODE/flop-...`.
Files of one run and one name have the same bytes, whichever worker wrote them, so a file is read wherever it is found:
on a disk that nodes share, on one machine, or after the directories of all nodes were copied to one place.
"""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errai.errors import StorageError
from errai.passes.section_pass import PassArrays, SectionSource, pass_over_sections
from errai.runs.settings import RunSettings
from errai.solutions.schedule import StrategyKind
from errai.solvers.preflop_state import iteration_of_pass, player_of_pass
from errai.storage.flop_file import PARTIAL_SUFFIX, FlopArray, FlopFile, FlopFileWriter, NoSections
from errai.storage.ledger import PassRecord

Float32Array = NDArray[np.float32]
_SUFFIX = ".flop"


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

    def version_after(self, pass_number: int) -> int:
        """The pass that last changed the array when `pass_number` passes are done; 0 if none has.

        Regrets change in their player's passes; an average changes in those of the opponent.
        """
        changer = self.player if self.strategy == "current" else 1 - self.player
        last = pass_number if pass_number > 0 and player_of_pass(pass_number) == changer else pass_number - 1
        return max(last, 0)


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


def _renews_model(pass_number: int) -> bool:
    """Whether what is counted in this pass becomes the model: in iterations 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on.

    A new model means that the chunks where nobody comes are encoded again instead of copied.
    """
    iteration = iteration_of_pass(pass_number)
    while iteration % 2 == 0:
        iteration //= 2
    return iteration in (1, 3)


def run_directories(directory: Path) -> list[Path]:
    """Where files of the run in `directory` can be, as far as they are seen from here."""
    return [directory, *sorted(directory.glob("worker-*"))]


class FlopWorker:
    """Works on flops of the run in `directory`; `checkpoint` is where lost ones are looked for.

    One with a `name` has a directory of its own below that of the run.
    """

    def __init__(
        self,
        directory: Path,
        settings: RunSettings,
        *,
        name: str | None = None,
        checkpoint: Path | None = None,
        max_trees: int = 1,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.directory = directory if name is None else directory / f"worker-{name}"
        self._run_directory = directory
        self._settings = settings
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
        """Do a flop's part of a pass; `core` is held while it computes, not while its files are forced to the disk."""
        player = player_of_pass(record.pass_number)
        own, opponent = ArrayName("current", player), ArrayName("current", 1 - player)
        average = ArrayName("average", 1 - player)
        before = record.pass_number - 1
        with ExitStack() as stack:
            arrays = PassArrays(self._open(stack, flop, own, before), self._open(stack, flop, opponent, before))
            arrays.should_stop = self._should_stop
            arrays.counts_symbols = _renews_model(record.pass_number)
            writers = {own: stack.enter_context(FlopFileWriter(self.path(flop, own, record.pass_number)))}
            arrays.own_sink = writers[own]
            if self._settings.with_average:
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
                    step=record.step,
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
        """Remove the files of a flop that are older than what it has when so many of its passes are done.

        Younger ones stay: they may be what somebody is writing now, and what a dead run left is written again.
        """
        if not self.is_complete(flop, passes_done):
            return
        versions = {str(name): name.version_after(passes_done) for name in self._names()}
        for directory in run_directories(self._run_directory):
            for path in (directory / self._flop_name(flop)).glob(f"*{_SUFFIX}*"):
                name, version, *suffixes = path.name.split(".")
                is_partial = f".{suffixes[-1]}" == PARTIAL_SUFFIX
                if int(version) < versions[name] + is_partial:
                    path.unlink(missing_ok=True)

    def copy_to(self, checkpoint: Path, flop: int, passes_done: int) -> None:
        """Copy a flop's files, so that they survive this directory; lost ones are no worse there than here."""
        copies = FlopWorker(checkpoint, self._settings)
        for name in self._names():
            source, target = self._find(flop, name, passes_done), copies.path(flop, name, passes_done)
            if name.version_after(passes_done) and source.exists() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                partial = target.with_name(target.name + PARTIAL_SUFFIX)
                shutil.copyfile(source, partial)
                partial.replace(target)

    def verify(self, flop: int, passes_done: int) -> int:
        """Check every byte of a flop's files; how many there are."""
        checked = 0
        for name in self._names():
            if name.version_after(passes_done):
                with FlopFile(self._find(flop, name, passes_done)) as file:
                    file.verify()
                    checked += file.path.stat().st_size
        return checked

    def path(self, flop: int, name: ArrayName, passes_done: int) -> Path:
        """Where an array is written when so many passes are done."""
        return self.directory / self._flop_name(flop) / f"{name}.{name.version_after(passes_done):08}{_SUFFIX}"

    def is_complete(self, flop: int, passes_done: int) -> bool:
        """Whether all files of a flop after so many passes are seen from here."""
        return all(
            not name.version_after(passes_done) or self._find(flop, name, passes_done).exists()
            for name in self._names()
        )

    def open_array(self, flop: int, name: ArrayName, passes_done: int) -> FlopFile | NoSections:
        """An array, for reading."""
        if not name.version_after(passes_done):
            return NoSections(self._settings.scales())
        path = self._find(flop, name, passes_done)
        if not path.exists():
            latest = max(pass_number for pass_number in range(passes_done) if self.is_complete(flop, pass_number))
            raise FlopLostError(path, flop=flop, passes_done=latest)
        file = FlopFile(path)
        expected = (self._settings.game.flop_text(flop), name.kind, name.player, name.version_after(passes_done))
        found = (file.array.flop, file.array.kind, file.array.player, file.array.pass_number)
        if found != expected:
            file.close()
            raise StorageError(f"`{path}` is the file of another array: it holds {found}, not {expected}")
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
            flop=self._settings.game.flop_text(flop),
            kind=name.kind,
            player=name.player,
            pass_number=pass_number,
            scales=tuple(self._settings.scales()),
            model=model,
            next_model=tuple(counts) if self._settings.scale and _renews_model(pass_number) else model,
        )

    def _find(self, flop: int, name: ArrayName, passes_done: int) -> Path:
        """Where an array is; where it would be written, if it is nowhere."""
        path = self.path(flop, name, passes_done)
        if path.exists():
            return path
        elsewhere = run_directories(self._run_directory) + ([self._checkpoint] if self._checkpoint else [])
        found = (directory / path.parent.name / path.name for directory in elsewhere)
        return next((place for place in found if place.exists()), path)

    def _names(self) -> list[ArrayName]:
        return [ArrayName(strategy, player) for strategy in self._settings.strategies for player in (0, 1)]

    def _flop_name(self, flop: int) -> str:
        return f"flop-{flop:04}-{self._settings.game.flop_text(flop)}"
