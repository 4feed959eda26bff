"""What it costs to solve a whole game, from what a run was measured at.

    core-hours an iteration  =  infosets  x  core-seconds an infoset of the run
    bytes on disk            =  infosets  x  bytes an infoset of the run
    disk rate of a node      =  its share of the bytes, read twice and written once an iteration
    network rate             =  what a pass sends: the reach to every flop, the values back

Core-seconds and bytes were measured on the run's game and stage of convergence; that they carry over to another game is
an extrapolation, and so is the number of iterations.
"""

from dataclasses import dataclass

from errai.games.definition import GameDefinition
from errai.games.sizes import count_sizes
from errai.solvers.preflop_state import PASSES_PER_ITERATION
from errai.trees.whole_game import WholeGame

_SECONDS_PER_HOUR = 3600
_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 24 * 365.25
_FLOAT_BYTES = 4
# Of every pass both players' regrets are read and one player's are written.
_READS_PER_ITERATION = 2
_WRITES_PER_ITERATION = 1


@dataclass(frozen=True)
class RunRates:
    """What a run was measured at."""

    game: str
    iteration: int
    core_seconds_per_infoset: float  # of one iteration, both players
    bytes_per_infoset: float


@dataclass(frozen=True)
class Cluster:
    """What is there to work on."""

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
        """That hold the files, and the new ones of the flops in work beside them."""
        return int(-(-self.disk_bytes // self.cluster.disk_bytes_per_node))

    @property
    def disk_bytes_per_second_per_node(self) -> float:
        moved = (_READS_PER_ITERATION + _WRITES_PER_ITERATION) * self.disk_bytes / self.cluster.num_nodes
        return moved / (60 * self.minutes_per_iteration)

    @property
    def network_bytes_per_second(self) -> float:
        """Through whoever leads the run."""
        sent = PASSES_PER_ITERATION * self.num_flops * self.message_bytes_per_flop
        return sent / (60 * self.minutes_per_iteration)


def plan_cost(definition: GameDefinition, rates: RunRates, *, cluster: Cluster, iterations: int) -> CostPlan:
    """What solving `definition` costs."""
    game = WholeGame(definition)
    lanes = game.top.rounds[1].padded_lanes
    reach = game.top.rounds[0].boards[0].num_hands * lanes
    values = max(board.num_hands for board in game.flops) * lanes
    return CostPlan(
        game=definition.name,
        rates=rates,
        cluster=cluster,
        iterations=iterations,
        infosets=count_sizes(definition).total.canonical_infosets,
        num_flops=len(game.flops),
        message_bytes_per_flop=_FLOAT_BYTES * (reach + values),
    )
