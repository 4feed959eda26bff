"""Which run a file or a directory belongs to.

Every run has a random id from the moment it is created. All of its files carry the id together with a digest of the
run's settings, and every reader compares them. The directories of workers and of checkpoints carry them in `run.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any

from errai.errors import StorageError
from errai.storage.durable_files import write_durably, writing

MARK_FILE = "run.json"


@dataclass(frozen=True)
class RunIdentity:
    """A run, told apart from every other one, also from one with the same settings."""

    run_id: str
    settings_digest: str

    @classmethod
    def of(cls, run_id: str, settings: Mapping[str, Any]) -> "RunIdentity":
        text = json.dumps(settings, sort_keys=True)
        return cls(run_id, blake2b(text.encode(), digest_size=16).hexdigest())

    def describe(self) -> str:
        """Short, for messages."""
        return f"run {self.run_id[:8]}, settings {self.settings_digest[:8]}"


def new_run_id() -> str:
    return token_hex(16)


def read_mark(directory: Path) -> RunIdentity | None:
    """The run that a directory is marked with; None without a mark."""
    path = directory / MARK_FILE
    if not path.exists():
        return None
    try:
        entries = json.loads(path.read_bytes())
        return RunIdentity(str(entries["run_id"]), str(entries["settings_digest"]))
    except OSError as error:
        raise StorageError(f"`{path}` cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(
            f"`{path}` does not say which run the directory belongs to", hint="delete the directory, or name another"
        ) from error


def write_mark(directory: Path, identity: RunIdentity) -> None:
    """Mark a directory as that of a run."""
    with writing(directory / MARK_FILE):
        directory.mkdir(parents=True, exist_ok=True)
        write_durably(directory / MARK_FILE, json.dumps(asdict(identity)).encode())
