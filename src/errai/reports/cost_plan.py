"""What it costs to solve a whole game, extrapolated from measured rates.

    core-hours per iteration =  infosets  x  (core-seconds per infoset + those of the average, once it has begun)
    bytes on disk            =  infosets  x  bytes per infoset, of the regrets and of the average
    bytes written            =  the regrets in every iteration, the average once it has begun
    disk rate of a node      =  its share: regrets are read twice and written once, the average is read and written
    network rate             =  the messages of a pass: the reach to every flop, the values back
    iterations               =  those of the published run x (ours / those of its method) on games that were solved

A run has two phases: regrets alone, then regrets and the average. The rates were measured on one game at one stage of
convergence. What they become late in a run is extrapolated by `Growth`; applying them to another game is an
extrapolation as well, and so is the number of iterations. Its bounds are those of the games it was measured on.
"""

from dataclasses import asdict, dataclass
from statistics import geometric_mean
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
# run: the iterations of each to the same exploitability. That is 1 mbb/g in flop-holdem, 3.3 in rhode-island and 5.2 in
# `four-ranks` with three ranks, which CFR+ reached after 600 and 1,200 iterations (docs/reference/benchmarks.md).
SOLVED_GAMES: dict[str, tuple[int, int]] = {
    "flop-holdem": (174, 290),
    "rhode-island": (169, 600),
    "three ranks": (160, 1200),
}
# An average of the last quarter needs so many times the iterations of one of all of them.
_LATE_AVERAGE = 1.05


def iterations_of_published(ratio: float) -> int:
    """Iterations to 1 mbb/g, if an average of all of them takes `ratio` times those of the published run."""
    return round(PUBLISHED["iterations"] * ratio * _LATE_AVERAGE)


def expected_iterations() -> tuple[int, int, int]:
    """The fewest, the expected and the most iterations to 1 mbb/g; expected is the geometric mean of the games."""
    ratios = [ours / current for ours, current in SOLVED_GAMES.values()]
    fewest, expected, most = (iterations_of_published(of(ratios)) for of in (min, geometric_mean, max))
    return fewest, expected, most


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
class Growth:
    """How many times the rates of an early iteration a late one has."""

    core_seconds: float = 1.0
    regret_bytes: float = 1.0
    average_bytes: float = 1.0


# From iterations 10 to 16, which a sample has, to the end of a run (docs/reference/benchmarks.md, "Early and late").
# Core-seconds as on a flop of hold'em by iteration 140, without what dead lanes save. Regrets grew 1.35 times there,
# 1.25 times in `royal` and 1.4 times in `four-ranks`, and no further. The average is that of the worse of two turns of
# hold'em; on the flop it was 0.4.
EARLY_TO_LATE = Growth(core_seconds=1.13, regret_bytes=1.4, average_bytes=0.7)


@dataclass(frozen=True)
class Phase:
    """Iterations of a run that cost the same."""

    name: str
    iterations: int
    core_hours_per_iteration: float
    bytes_written: float

    @property
    def core_years(self) -> float:
        return self.iterations * self.core_hours_per_iteration / _HOURS_PER_YEAR

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "core_years": self.core_years}


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
    average_updates: int  # iterations that update the average, the last ones
    infosets: int
    num_flops: int
    message_bytes_per_flop: int  # of a pass, both ways
    growth: Growth = Growth()  # from the rates to those late in the run

    @property
    def disk_bytes(self) -> float:
        """At the end."""
        return self.regret_bytes + self.average_bytes

    @property
    def average_bytes(self) -> float:
        return self.infosets * self.rates.average_bytes_per_infoset * self.growth.average_bytes

    @property
    def early_regret_bytes(self) -> float:
        """At the stage that was measured."""
        return self.infosets * (self.rates.bytes_per_infoset - self.rates.average_bytes_per_infoset)

    @property
    def regret_bytes(self) -> float:
        return self.early_regret_bytes * self.growth.regret_bytes

    @property
    def bytes_written(self) -> float:
        """In the whole run, if all files had their last size from the beginning: what the disks must endure."""
        return sum(phase.bytes_written for phase in self.phases)

    @property
    def early_core_hours_per_iteration(self) -> float:
        """Of an iteration that leaves the average alone, at the stage that was measured."""
        return self.infosets * self.rates.core_seconds_per_infoset / _SECONDS_PER_HOUR

    @property
    def regret_core_hours_per_iteration(self) -> float:
        return self.early_core_hours_per_iteration * self.growth.core_seconds

    @property
    def average_core_hours_per_update(self) -> float:
        seconds = self.infosets * self.rates.average_core_seconds_per_infoset * self.growth.core_seconds
        return seconds / _SECONDS_PER_HOUR

    @property
    def phases(self) -> tuple[Phase, Phase]:
        written = _WRITES_PER_ITERATION * self.regret_bytes
        alone = self.iterations - self.average_updates
        with_average = self.regret_core_hours_per_iteration + self.average_core_hours_per_update
        return (
            Phase("regrets alone", alone, self.regret_core_hours_per_iteration, alone * written),
            Phase(
                "regrets and average",
                self.average_updates,
                with_average,
                self.average_updates * (written + _WRITES_PER_ITERATION * self.average_bytes),
            ),
        )

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
        """With the fewest iterations and the rates that were measured, and with the most and those late in the run."""
        fewest, most = self.iterations_bounds
        per_iteration = self.core_hours_per_iteration / _HOURS_PER_YEAR
        return per_iteration * fewest / self.growth.core_seconds, per_iteration * most

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
            *("early_core_hours_per_iteration", "early_regret_bytes"),
        )
        phases = [phase.to_json() for phase in self.phases]
        return {**asdict(self), **{name: getattr(self, name) for name in derived}, "phases": phases}
