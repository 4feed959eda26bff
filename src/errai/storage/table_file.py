"""Tables as files: CSV, or Parquet where pyarrow is installed. Whole, or not at all."""

import csv
import sys
from collections.abc import Iterator, Mapping
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError, StorageError

Columns = Mapping[str, NDArray[Any]]


def verify_can_write_table(path: Path) -> None:
    """Raise what `write_table` would raise about the file's name or a missing library, before any work."""
    if path.suffix.lower() not in {".csv", ".parquet"}:
        raise InputError(f"a table's name must end in `.csv` or `.parquet`; got `{path}`")
    if path.suffix.lower() == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise InputError(
                "Parquet needs pyarrow",
                hint=f"`{sys.executable} -m pip install pyarrow` installs it; `.csv` needs nothing",
            ) from None


def write_table(path: Path, chunks: Iterator[Columns]) -> int:
    """Write chunks of columns, all with the same names, one after the other; the number of rows."""
    verify_can_write_table(path)
    partial = path.with_name(f".{path.name}.partial")
    try:
        rows = (_write_parquet if path.suffix.lower() == ".parquet" else _write_csv)(partial, chunks)
        partial.replace(path)
    except OSError as error:
        raise StorageError(f"`{path}` cannot be written: {error.strerror}", hint="name another file") from error
    finally:
        partial.unlink(missing_ok=True)
    return rows


def _write_csv(path: Path, chunks: Iterator[Columns]) -> int:
    rows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for columns in chunks:
            if not rows:
                writer.writerow(columns)
            texts = [_texts(column) for column in columns.values()]
            writer.writerows(zip(*texts, strict=True))
            rows += len(texts[0])
    return rows


def _texts(column: NDArray[Any]) -> list[Any]:
    """Numbers with six digits at most, nothing for NaN."""
    values: list[Any] = column.tolist()
    if not np.issubdtype(column.dtype, np.floating):
        return values
    return ["" if isnan(value) else f"{value:.6g}" for value in values]


def _write_parquet(path: Path, chunks: Iterator[Columns]) -> int:
    import pyarrow
    from pyarrow import parquet

    rows = 0
    writer = None
    try:
        for columns in chunks:
            table = pyarrow.table(
                {
                    name: pyarrow.array(column.astype(np.float32) if column.dtype == np.float64 else column.tolist())
                    for name, column in columns.items()
                }
            )
            writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
            rows += table.num_rows
    finally:
        if writer is not None:
            writer.close()
    return rows
