"""What it costs to solve a whole game, extrapolated from measured rates.

    core-hours per iteration =  infosets  x  (core-seconds per infoset + those of the average, where it is updated)
    bytes on disk            =  infosets  x  bytes per infoset, of the regrets and of the average
    bytes written            =  the regrets in every iteration, the average where it is updated
    disk rate of a node      =  its share: regrets are read twice and written once, the average is read and written
    network rate             =  the messages of a pass: the reach to every flop, the values back
    iterations               =  those of the published run x (ours / those of its method) on games that were solved

The rates were measured on one game at one stage of convergence; applying them to another game is an extrapolation, and
so is the number of iterations. Its bounds are those of the games it was measured on.
"""

from dataclasses import asdict, dataclass
from typing import Any

_SECONDS_PER_HOUR = 3600
_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 24 * 365.25
# In every pass both players' regrets are read and one player's are written, and where the average is updated one
# player's average is read and written; an iteration has two passes.
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

# Whole games that were solved by the average of DCFR+ and by the current strategy of CFR+, the method of the published
# run: the iterations of each to the same exploitability, 1 mbb/g in flop-holdem and 3.3 in rhode-island, which CFR+
# reached after 600 iterations (docs/reference/benchmarks.md).
SOLVED_GAMES: dict[str, tuple[int, int]] = {"flop-holdem": (174, 290), "rhode-island": (169, 600)}


def iterations_of_published(ratio: float) -> int:
    """Iterations to 1 mbb/g, if they are `ratio` times those of the published run."""
    return round(PUBLISHED["iterations"] * ratio)


def expected_iterations() -> tuple[int, int, int]:
    """The fewest, the expected and the most iterations to 1 mbb/g; expected is the mean of the games."""
    ratios = [ours / current for ours, current in SOLVED_GAMES.values()]
    fewest, most = (iterations_of_published(bound(ratios)) for bound in (min, max))
    return fewest, iterations_of_published(sum(ratios) / len(ratios)), most


@dataclass(frozen=True)
class RunRates:
    """The rates of a run: of iterations that leave the average alone, and what updating it takes beyond that."""

    game: str
    iteration: int
    core_seconds_per_infoset: float  # of one iteration, both players
    bytes_per_infoset: float  # regrets and average
    average_core_seconds_per_infoset: float = 0.0
    average_bytes_per_infoset: float = 0.0


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
    iterations_bounds: tuple[int, int]
    average_updates: int  # iterations that update the average
    infosets: int
    num_flops: int
    message_bytes_per_flop: int  # of a pass, both ways

    @property
    def disk_bytes(self) -> float:
        return self.infosets * self.rates.bytes_per_infoset

    @property
    def average_bytes(self) -> float:
        return self.infosets * self.rates.average_bytes_per_infoset

    @property
    def regret_bytes(self) -> float:
        return self.disk_bytes - self.average_bytes

    @property
    def bytes_written(self) -> float:
        """In the whole run, if all files had their last size from the beginning: what the disks must endure."""
        return self.iterations * _WRITES_PER_ITERATION * self.regret_bytes + self.average_updates * self.average_bytes

    @property
    def regret_core_hours_per_iteration(self) -> float:
        return self.infosets * self.rates.core_seconds_per_infoset / _SECONDS_PER_HOUR

    @property
    def average_core_hours_per_update(self) -> float:
        return self.infosets * self.rates.average_core_seconds_per_infoset / _SECONDS_PER_HOUR

    @property
    def core_hours_per_iteration(self) -> float:
        """On average over all iterations."""
        share = self.average_updates / self.iterations
        return self.regret_core_hours_per_iteration + share * self.average_core_hours_per_update

    @property
    def core_years(self) -> float:
        return self.core_hours_per_iteration * self.iterations / _HOURS_PER_YEAR

    @property
    def core_years_bounds(self) -> tuple[float, float]:
        """With the fewest and the most iterations."""
        fewest, most = self.iterations_bounds
        per_iteration = self.core_hours_per_iteration / _HOURS_PER_YEAR
        return per_iteration * fewest, per_iteration * most

    @property
    def minutes_per_iteration(self) -> float:
        return 60 * self.core_hours_per_iteration / self.cluster.num_cores

    @property
    def days(self) -> float:
        return self.core_hours_per_iteration * self.iterations / self.cluster.num_cores / _HOURS_PER_DAY

    @property
    def days_on_one_node(self) -> float:
        return self.days * self.cluster.num_nodes

    @property
    def least_nodes(self) -> int:
        """The nodes whose disks together hold the files."""
        return int(-(-self.disk_bytes // self.cluster.disk_bytes_per_node))

    @property
    def disk_bytes_per_second_per_node(self) -> float:
        moved = (_READS_PER_ITERATION + _WRITES_PER_ITERATION) * self.regret_bytes
        moved += 2 * self.average_bytes * self.average_updates / self.iterations
        return moved / self.cluster.num_nodes / (60 * self.minutes_per_iteration)

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
            *("regret_bytes", "average_bytes", "bytes_written", "regret_core_hours_per_iteration"),
            *("average_core_hours_per_update", "core_years_bounds", "days_on_one_node"),
        )
        return {**asdict(self), **{name: getattr(self, name) for name in derived}}
