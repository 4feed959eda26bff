"""Solutions on disk. Knows nobody's algorithm: a description and named arrays go in, and the same come out."""

from errai.storage.solution_directory import (
    StoredArrays,
    StoredSolution,
    read_solution,
    verify_can_write,
    write_solution,
)
from errai.storage.table_file import verify_can_write_table, write_table

__all__ = [
    "StoredArrays",
    "StoredSolution",
    "read_solution",
    "verify_can_write",
    "verify_can_write_table",
    "write_solution",
    "write_table",
]
