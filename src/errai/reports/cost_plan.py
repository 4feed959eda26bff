"""What it costs to solve a whole game, extrapolated from measured rates.

    core-hours per iteration =  infosets  x  core-seconds per infoset
    bytes on disk            =  infosets  x  bytes per infoset
    disk rate of a node      =  its share of the bytes, read twice and written once per iteration
    network rate             =  the messages of a pass: the reach to every flop, the values back

The rates were measured on one game at one stage of convergence; applying them to another game is an extrapolation, and
so is the number of iterations.
"""

from dataclasses import asdict, dataclass
from typing import Any

_SECONDS_PER_HOUR = 3600
_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 24 * 365.25
# In every pass both players' regrets are read and one player's are written; an iteration has two passes.
_PASSES_PER_ITERATION = 2
_READS_PER_ITERATION = 2
_WRITES_PER_ITERATION = 1

# Bowling et al., Science 347 (2015): 200 nodes with 24 cores each, 61 minutes per iteration, 1,579 iterations.
PUBLISHED_GAME = "holdem.limit.2p"
PUBLISHED: dict[str, float] = {
    "infosets": 13_803_249_787_132,
    "disk_bytes": 10.9e12,
    "core_hours_per_iteration": 4_855.0,
    "iterations": 1_579,
    "core_years": 900.0,
    "minutes_per_iteration": 61.0,
}


@dataclass(frozen=True)
class RunRates:
    """The rates of a run."""

    game: str
    iteration: int
    core_seconds_per_infoset: float  # of one iteration, both players
    bytes_per_infoset: float


@dataclass(frozen=True)
class Cluster:
    """The machines to work on."""

    num_nodes: int
    cores_per_node: int
    disk_bytes_per_node: float

    @property
    def num_cores(self) -> int:
        return self.num_nodes * self.cores_per_node


@dataclass(frozen=True)
class CostPlan:
    """What solving `game` costs on a cluster."""

    game: str
    rates: RunRates
    cluster: Cluster
    iterations: int
    infosets: int
    num_flops: int
    message_bytes_per_flop: int  # of a pass, both ways

    @property
    def disk_bytes(self) -> float:
        return self.infosets * self.rates.bytes_per_infoset

    @property
    def core_hours_per_iteration(self) -> float:
        return self.infosets * self.rates.core_seconds_per_infoset / _SECONDS_PER_HOUR

    @property
    def core_years(self) -> float:
        return self.core_hours_per_iteration * self.iterations / _HOURS_PER_YEAR

    @property
    def minutes_per_iteration(self) -> float:
        return 60 * self.core_hours_per_iteration / self.cluster.num_cores

    @property
    def days(self) -> float:
        return self.core_hours_per_iteration * self.iterations / self.cluster.num_cores / _HOURS_PER_DAY

    @property
    def least_nodes(self) -> int:
        """The nodes whose disks together hold the files."""
        return int(-(-self.disk_bytes // self.cluster.disk_bytes_per_node))

    @property
    def disk_bytes_per_second_per_node(self) -> float:
        moved = (_READS_PER_ITERATION + _WRITES_PER_ITERATION) * self.disk_bytes / self.cluster.num_nodes
        return moved / (60 * self.minutes_per_iteration)

    @property
    def network_bytes_per_second(self) -> float:
        """Through the node that leads the run."""
        sent = _PASSES_PER_ITERATION * self.num_flops * self.message_bytes_per_flop
        return sent / (60 * self.minutes_per_iteration)

    @property
    def published(self) -> dict[str, float] | None:
        """The figures of the published run, where it solved this game."""
        return PUBLISHED if self.game == PUBLISHED_GAME else None

    def to_json(self) -> dict[str, Any]:
        derived = (
            *("disk_bytes", "core_hours_per_iteration", "core_years", "minutes_per_iteration", "days", "least_nodes"),
            *("disk_bytes_per_second_per_node", "network_bytes_per_second", "published"),
        )
        return {**asdict(self), **{name: getattr(self, name) for name in derived}}
