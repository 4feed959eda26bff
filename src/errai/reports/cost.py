"""The size of a solve in memory before it begins, and an estimate of its time."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Cost:
    """What a solve takes; the time is an estimate, and None where there is none."""

    game: str
    algorithm: str
    engine: str
    infosets: int
    memory_bytes: int
    available_bytes: int | None  # that this machine can give
    num_threads: int
    iterations: int
    seconds_per_iteration: float | None
    seconds: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
