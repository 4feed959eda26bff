"""The ledger of a run: its identity and settings, what is done, and all that is needed to continue. One SQLite file.

It is a table of records, each with a key, its content and a checksum over both, since SQLite itself has none:

    run                         the format, the run's id and its settings
    goal                        where the run is to stop, as last requested
    pass/NUMBER                 the input of every flop in a pass: the rule and the reach
    answer/NUMBER/FLOP          a flop's values in the open pass, and the time it took
    file/FLOP/NAME              the size of a flop's file
    preflop, done               the numbers of the first round after the last complete pass, and its number
    seconds/NUMBER              the time that a complete pass took, and the bytes of all files after it
    measurement/NUMBER/KIND     best responses to the strategy after a pass

A pass over the game is open until every flop has answered and the first round's numbers are written; both happen in one
transaction. A flop's answer is recorded before it counts, and it is recorded once. The reach of every pass is kept, so
that a flop whose file was lost can be computed again, pass by pass, from nothing or from an older copy.

Only the owner of the run's directory writes (`lease.py`): every transaction begins by checking that it still is.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import StorageError
from errai.games.strategies import StrategyKind
from errai.storage.durable_files import partial_path, replace_durably, writing
from errai.storage.run_identity import RunIdentity, new_run_id

Float32Array = NDArray[np.float32]
LEDGER_FILE = "ledger.sqlite"
FORMAT = 10

_TABLE = "CREATE TABLE records (key TEXT PRIMARY KEY, content BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID"


# What SQLite raises for a damaged file. The text of its own error can hold bytes of the file, which are not UTF-8.
_DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)


@dataclass(frozen=True)
class PassRecord:
    """The input of every flop in a pass."""

    pass_number: int
    step: tuple[float, ...]
    reach: Float32Array


@dataclass(frozen=True)
class Measurement:
    """Both best responses to a strategy after a pass, in chips."""

    pass_number: int
    strategy: StrategyKind
    best_response_chips: tuple[float, float]
    seconds: float


class Ledger:
    """One run's ledger; `create` begins a run, `open` continues one."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.verify_owned: Callable[[], None] | None = None  # checked in every transaction
        self._connection = connection

    @classmethod
    def create(cls, directory: Path, settings: Mapping[str, Any]) -> "Ledger":
        """Begin a run in `directory`, which holds none yet."""
        path = directory / LEDGER_FILE
        if path.exists():
            raise StorageError(
                f"`{directory}` holds a run already", hint=f"`errai solve --resume {directory}` continues it"
            )
        partial = partial_path(path)
        with writing(path):
            directory.mkdir(parents=True, exist_ok=True)
            try:
                with closing(_connect(partial)) as connection:
                    ledger = cls(path, connection)
                    with ledger._transaction():
                        connection.execute(_TABLE)
                        content = {"format": FORMAT, "run_id": new_run_id(), "settings": settings}
                        ledger._put("run", _json_bytes(content))
                replace_durably(partial, path)
            finally:
                partial.unlink(missing_ok=True)
        return cls.open(directory)

    @classmethod
    def open(cls, directory: Path) -> "Ledger":
        """Open the run in `directory`."""
        path = directory / LEDGER_FILE
        if not path.is_file():
            found = "is not a regular file" if path.exists() else "does not exist"
            raise StorageError(
                f"`{directory}` is not a run: its `{LEDGER_FILE}` {found}", hint="name the `--out` of a run"
            )
        ledger = cls(path, _connect(path))
        try:
            ledger._verify_format()
        except BaseException:
            ledger.close()
            raise
        return ledger

    def _verify_format(self) -> None:
        try:
            found = int(json.loads(self._get("run"))["format"])
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged("its record `run` is not one of this program") from error
        if found != FORMAT:
            raise StorageError(
                f"`{self.path}` has format {found}; this program reads format {FORMAT}",
                hint="upgrade `errai`" if found > FORMAT else "continue with the `errai` that wrote it, or solve again",
            )

    def close(self) -> None:
        self._connection.close()

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = json.loads(self._get("run"))["settings"]
        return settings

    @property
    def identity(self) -> RunIdentity:
        """The run that all files must belong to."""
        return RunIdentity.of(json.loads(self._get("run"))["run_id"], self.settings)

    @property
    def goal(self) -> dict[str, Any]:
        """Where the run is to stop."""
        content = self._find("goal")
        goal: dict[str, Any] = {} if content is None else json.loads(content)
        return goal

    def set_goal(self, goal: Mapping[str, Any]) -> None:
        with self._transaction():
            self._put("goal", _json_bytes(goal))

    @property
    def passes_done(self) -> int:
        """How many passes are complete."""
        done = self._find("done")
        return 0 if done is None else int(json.loads(done)["pass_number"])

    def pass_seconds(self) -> list[float]:
        """Of every complete pass, in order."""
        return [json.loads(content)["seconds"] for _, content in self._all("seconds")]

    def pass_core_seconds(self) -> list[float]:
        """The time that the cores spent on the flops of every complete pass."""
        return [json.loads(content)["core_seconds"] for _, content in self._all("seconds")]

    def preflop_arrays(self) -> dict[str, Float32Array] | None:
        """The numbers of the first round after the last complete pass."""
        content = self._find("preflop")
        return None if content is None else _parse_arrays(content)

    def begin_pass(self, record: PassRecord) -> None:
        """Open a pass; does nothing if it is open already."""
        key = f"pass/{record.pass_number:08}"
        if self._find(key) is None:
            with self._transaction():
                self._put(key, _arrays_bytes({"step": np.array(record.step), "reach": record.reach}))

    def pass_record(self, pass_number: int) -> PassRecord:
        arrays = _parse_arrays(self._get(f"pass/{pass_number:08}"))
        return PassRecord(pass_number, tuple(arrays["step"].tolist()), arrays["reach"])

    def record_answer(
        self, pass_number: int, flop: int, value: Float32Array, file_bytes: Mapping[str, int], *, core_seconds: float
    ) -> None:
        """A flop has done its part of a pass, and its files are on the disk."""
        with self._transaction():
            arrays = {"value": value, "core_seconds": np.array(core_seconds)}
            self._put(f"answer/{pass_number:08}/{flop:06}", _arrays_bytes(arrays))
            for name, size in file_bytes.items():
                self._put(f"file/{flop:06}/{name}", _json_bytes({"bytes": size}))

    def answered(self, pass_number: int) -> set[int]:
        """The flops that have done their part of a pass."""
        rows = self._query("SELECT key FROM records WHERE key GLOB ?", f"answer/{pass_number:08}/*")
        return {int(key.rpartition("/")[2]) for (key,) in rows}

    def answer(self, pass_number: int, flop: int) -> Float32Array:
        return _parse_arrays(self._get(f"answer/{pass_number:08}/{flop:06}"))["value"]

    def finish_pass(self, pass_number: int, numbers: Mapping[str, Float32Array], *, seconds: float) -> None:
        """All flops have answered and the first round is updated: the pass is complete."""
        with self._transaction():
            self._put("preflop", _arrays_bytes(numbers))
            self._put("done", _json_bytes({"pass_number": pass_number}))
            core_seconds = sum(float(_parse_arrays(content)["core_seconds"]) for _, content in self._all("answer"))
            taken = {"seconds": seconds, "core_seconds": core_seconds, "bytes": self.bytes_by_kind()}
            self._put(f"seconds/{pass_number:08}", _json_bytes(taken))
            self._connection.execute("DELETE FROM records WHERE key GLOB 'answer/*'")

    def file_bytes(self) -> dict[tuple[int, str], int]:
        """The size of every flop's files."""
        sizes = {}
        for key, content in self._all("file"):
            _, flop, name = key.split("/")
            sizes[int(flop), name] = int(json.loads(content)["bytes"])
        return sizes

    def bytes_by_kind(self) -> dict[str, int]:
        """Of the files of all flops now: those that hold `regrets`, and those that hold the `average`."""
        sizes = {"regrets": 0, "average": 0}
        for (_, name), size in self.file_bytes().items():
            sizes[name.partition("-")[0]] += size
        return sizes

    def pass_bytes(self) -> dict[int, dict[str, int]]:
        """`bytes_by_kind` after every complete pass, as far as they were recorded."""
        records = {int(key.rpartition("/")[2]): json.loads(content) for key, content in self._all("seconds")}
        return {number: record["bytes"] for number, record in records.items() if "bytes" in record}

    def record_measurement(self, measurement: Measurement) -> None:
        with self._transaction():
            key = f"measurement/{measurement.pass_number:08}/{measurement.strategy}"
            self._put(key, _json_bytes(asdict(measurement)))

    def measurements(self) -> list[Measurement]:
        """In the order of the passes."""
        rows = [json.loads(content) for _, content in self._all("measurement")]
        return [
            Measurement(row["pass_number"], row["strategy"], tuple(row["best_response_chips"]), row["seconds"])
            for row in rows
        ]

    def copy_to(self, directory: Path) -> None:
        """Copy the ledger as it is now."""
        path = directory / LEDGER_FILE
        partial = partial_path(path)
        with writing(path):
            try:
                with _writing_database(path), closing(sqlite3.connect(partial)) as copy:
                    self._connection.backup(copy)
                with open(partial, "rb") as file:
                    os.fsync(file.fileno())
                replace_durably(partial, path)
            finally:
                partial.unlink(missing_ok=True)

    def verify(self) -> None:
        """Check every record, and let SQLite check its pages."""
        answer = self._query("PRAGMA integrity_check")[0][0]
        if answer != "ok":
            raise self._damaged(str(answer))
        for row in self._query("SELECT key, content, checksum FROM records"):
            self._checked(*row)

    def _get(self, key: str) -> bytes:
        content = self._find(key)
        if content is None:
            raise self._damaged(f"it has no record `{key}`")
        return content

    def _find(self, key: str) -> bytes | None:
        rows = self._query("SELECT key, content, checksum FROM records WHERE key = ?", key)
        return self._checked(*rows[0]) if rows else None

    def _all(self, prefix: str) -> list[tuple[str, bytes]]:
        rows = self._query("SELECT key, content, checksum FROM records WHERE key GLOB ? ORDER BY key", f"{prefix}/*")
        return [(row[0], self._checked(*row)) for row in rows]

    def _put(self, key: str, content: bytes) -> None:
        row = (key, content, _checksum(key, content))
        self._connection.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", row)

    def _checked(self, key: str, content: bytes, checksum: bytes) -> bytes:
        is_record = isinstance(key, str) and isinstance(content, bytes)  # a damaged file can hold other types
        if not is_record or _checksum(key, content) != checksum:
            raise self._damaged(f"the checksum of its record `{key}` is wrong")
        return content

    def _query(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except _DAMAGED as error:
            raise self._damaged(str(error)) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _writing_database(self.path):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                if self.verify_owned is not None:
                    self.verify_owned()
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _damaged(self, what: str) -> StorageError:
        return StorageError(f"`{self.path}` is damaged: {what}", hint="take the ledger from a checkpoint of the run")


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # What was committed survives a loss of power.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA schema_version").fetchall()  # reads the file
    except sqlite3.OperationalError as error:
        raise StorageError(
            f"`{path}` cannot be opened: {error}", hint="is the disk there, and may this user read and write the file?"
        ) from error
    except _DAMAGED as error:
        raise StorageError(
            f"`{path}` is not the ledger of a run: {error}", hint="take the ledger from a checkpoint of the run"
        ) from error
    return connection


@contextmanager
def _writing_database(path: Path) -> Iterator[None]:
    """Within, an error of SQLite becomes a `StorageError` that names the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"`{path}` cannot be written: {error}",
            hint="make room on the disk, or make it writable; nothing is lost, and `errai solve --resume` continues",
        ) from error


def _checksum(key: str, content: bytes) -> bytes:
    return blake2b(key.encode() + b"\0" + content, digest_size=16).digest()


def _json_bytes(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode()


def _arrays_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    stored = BytesIO()
    np.savez(stored, **arrays)  # type: ignore[arg-type]
    return stored.getvalue()


def _parse_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    with np.load(BytesIO(content)) as stored:
        return {name: stored[name] for name in stored.files}
