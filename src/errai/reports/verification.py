"""What a check of every byte of a directory found."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Verification:
    """How many bytes are as they were written, and a sentence about each file that is not."""

    directory: str
    num_bytes: int
    problems: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"directory": self.directory, "bytes": self.num_bytes, "problems": list(self.problems)}
