"""A run of a whole game from disk: how it is solved, and how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errai.evaluate.exploitability import Exploitability
from errai.games.definition import GameDefinition
from errai.games.strategies import StrategyKind


@dataclass(frozen=True)
class RunPoint:
    """One measurement of a run."""

    iteration: int
    strategy: StrategyKind
    exploitability: Exploitability
    seconds: float

    def to_json(self) -> dict[str, Any]:
        measured = self.exploitability.to_json()
        return {
            "iteration": self.iteration,
            "strategy": self.strategy,
            **{name: measured[name] for name in _MEASURED},
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class RunSize:
    """What the files of a run took after an iteration."""

    iteration: int
    regret_bytes: int
    average_bytes: int

    def to_json(self) -> dict[str, Any]:
        return {
            "iteration": self.iteration,
            "regret_bytes": self.regret_bytes,
            "average_bytes": self.average_bytes,
        }


_MEASURED = ("exploitability_mbb", "best_response_mbb", "value_bounds_chips", "essentially_solved")


@dataclass(frozen=True)
class RunReport:
    """Everything that is reported about a run."""

    definition: GameDefinition
    directory: str
    bets: str  # the menu of a no-limit game
    num_flops: int
    has_all_flops: bool
    algorithm: str
    scale: float  # of fixed point; 0: lossless
    coding: str  # of fixed point on disk
    averaging_delay: int | None  # None: no average is kept
    draw_boards: int  # one in so many of the last round is visited, ...
    draw_until: int  # ... in so many iterations
    iterations: int
    flops_done_of_open_pass: int
    infosets: int
    num_bytes: int
    average_bytes: int  # of these
    sizes: tuple[RunSize, ...]  # after each iteration, as far as they were recorded
    seconds: float
    seconds_per_iteration: float | None  # of the last iterations
    seconds_left: float | None  # to the iteration that is the goal; None where that is not known
    measuring_seconds: float
    goal: Mapping[str, Any]
    trace: tuple[RunPoint, ...]

    def __repr__(self) -> str:
        latest = f", {self.trace[-1].exploitability.exploitability_mbb:.6g} mbb" if self.trace else ""
        return f"<RunReport {self.definition.name} by {self.algorithm}: {self.iterations:,} iterations{latest}>"

    @property
    def bytes_per_infoset(self) -> float:
        return self.num_bytes / self.infosets

    def to_json(self) -> dict[str, Any]:
        """The object that `errai status --json` prints."""
        points = [point.to_json() for point in self.trace]
        return {
            "game": self.definition.name,
            **({} if self.definition.is_limit else {"stacks": list(self.definition.stacks)}),
            **({"bets": self.bets.splitlines()} if self.bets else {}),
            "flops": self.num_flops,
            "algorithm": self.algorithm,
            "scale": self.scale,
            "coding": self.coding,
            "averaging_delay": self.averaging_delay,
            "draw_boards": self.draw_boards,
            "draw_until": self.draw_until,
            "iterations": self.iterations,
            "flops_done_of_open_pass": self.flops_done_of_open_pass,
            "infosets": self.infosets,
            "bytes": self.num_bytes,
            "average_bytes": self.average_bytes,
            "bytes_per_infoset": self.bytes_per_infoset,
            "sizes": [size.to_json() for size in self.sizes],
            "seconds": self.seconds,
            "seconds_per_iteration": self.seconds_per_iteration,
            "measuring_seconds": self.measuring_seconds,
            "goal": dict(self.goal),
            **({"measured_iteration": points[-1]["iteration"]} if points else {}),
            **({name: points[-1][name] for name in _MEASURED} if points else {}),
            "trace": points,
        }
