"""What a run on disk holds, without what may differ between two runs that did the same: their ids and times."""

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from errai.storage.flop_file import FlopFile
from errai.storage.run_identity import RunIdentity

_TIMES = {"seconds", "core_seconds"}


def logical_files(directory: Path) -> dict[str, object]:
    """Every file of a flop by its path: what it says it is, and the bytes of its sections; other files byte by byte."""
    found: dict[str, object] = {}
    for path in sorted(directory.rglob("*.flop*")):
        name = str(path.relative_to(directory))
        if path.suffix != ".flop":
            found[name] = path.read_bytes()
            continue
        with FlopFile(path) as file:
            array = replace(file.array, run=RunIdentity("", file.array.run.settings_digest))
            found[name] = array, [file.read(section).tobytes() for section in range(file.num_sections)]
    return found


def logical_ledger(directory: Path) -> dict[str, Any]:
    """Every record of a ledger, without times and the run's id; arrays as lists of their bits."""
    with closing(sqlite3.connect(directory / "ledger.sqlite")) as connection:
        rows = connection.execute("SELECT key, content FROM records ORDER BY key").fetchall()
    return {key: _content(content) for key, content in rows}


def _content(content: bytes) -> Any:
    if content.startswith(b"{"):
        return {name: value for name, value in json.loads(content).items() if name not in {*_TIMES, "run_id"}}
    with np.load(io.BytesIO(content)) as arrays:
        return {
            name: (arrays[name].dtype.str, arrays[name].shape, arrays[name].tobytes())
            for name in arrays.files
            if name not in _TIMES
        }
