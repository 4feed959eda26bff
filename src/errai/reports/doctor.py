"""What an installation has, and whether it works."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class OptionalPart:
    """A library that a part of the program needs."""

    library: str
    version: str | None  # None where it is not installed
    serves: str  # what it is needed for
    install: str  # the command that installs it
    problem: str | None = None  # why it does not import, although it is installed


@dataclass(frozen=True)
class DoctorReport:
    """The program, the machine, and the optional parts."""

    version: str
    python: str
    level: str  # of the instruction set that the kernels use
    levels: tuple[str, ...]  # that are installed
    num_cores: int
    memory_bytes: int  # of the machine
    free_memory_bytes: int
    disk: str  # the directory whose disk was measured
    disk_free_bytes: int
    disk_write_bytes_per_second: float
    disk_read_bytes_per_second: float
    kernels_work: bool  # a small game was solved to its known value
    parts: tuple[OptionalPart, ...]

    @property
    def is_healthy(self) -> bool:
        return self.kernels_work and all(part.problem is None for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        """The object that `errai doctor --json` prints."""
        return {**asdict(self), "healthy": self.is_healthy}
