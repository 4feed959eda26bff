"""Steps of a build that are done, so that a build that was killed continues where it was.

Every step is a file of named arrays in a directory, written beside its name, forced to the disk, and then renamed. The
zip format of NumPy has a checksum for each array.
"""

import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import StorageError
from errai.storage.durable_files import partial_path, replace_durably, writing

Arrays = Mapping[str, NDArray[Any]]


class Checkpoints:
    """The finished steps of one build."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def load(self, step: str) -> dict[str, NDArray[Any]] | None:
        """The arrays of a step; None if it is not done."""
        path = self._path(step)
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
            raise StorageError(
                f"`{path}`, a step of a build that is not finished, is damaged: {error}",
                hint=f"delete it, `rm {path}`, and build again: only this step is repeated",
            ) from error

    def save(self, step: str, arrays: Arrays) -> None:
        path = self._path(step)
        with writing(path, again="errai abstract build"):
            self.directory.mkdir(parents=True, exist_ok=True)
            partial = partial_path(path)
            try:
                with open(partial, "xb") as file:
                    np.savez(file, allow_pickle=False, **arrays)
                    file.flush()
                    os.fsync(file.fileno())
                replace_durably(partial, path)
            finally:
                partial.unlink(missing_ok=True)

    def remove(self) -> None:
        """Forget all steps, once the table is stored."""
        shutil.rmtree(self.directory, ignore_errors=True)

    def _path(self, step: str) -> Path:
        return self.directory / f"{step}.npz"
