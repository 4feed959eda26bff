"""What there is to say about a bucket table: its plan, its rounds, and its buckets in a sample of deals."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class TablePlan:
    """What building a table takes."""

    name: str
    buckets: tuple[int, ...]
    canonical_hands: tuple[int, ...]
    core_seconds: float
    seconds: float
    memory_bytes: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class TableSummary:
    """A table that is built."""

    name: str
    path: str
    buckets: tuple[int, ...]
    perfect_recall: bool
    file_bytes: int
    seconds: float | None = None  # of this build

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class BucketReport:
    """One bucket in a sample of deals."""

    bucket: int
    share: float
    strength: float
    examples: tuple[str, ...]


@dataclass(frozen=True)
class RoundReport:
    """A round of a table in a sample of deals."""

    round: int
    buckets: int
    labels: int
    buckets_seen: int
    smallest_share: float  # of the buckets that were seen
    largest_share: float


@dataclass(frozen=True)
class TableReport:
    """A table in a sample of deals; with the buckets of one round, if it was asked for."""

    name: str
    perfect_recall: bool
    deals: int
    rounds: tuple[RoundReport, ...]
    buckets: tuple[BucketReport, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
