"""A solution of a game in memory: how it was solved, and how far."""

from dataclasses import asdict, dataclass
from typing import Any

from errai.evaluate.exploitability import Exploitability
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.reports.spot_values import values_with_pot
from errai.reports.trace import TracePoint


@dataclass(frozen=True)
class SavedFiles:
    """Where a solution is on disk."""

    directory: str
    num_bytes: int
    saved_at: str  # ISO 8601

    def to_json(self) -> dict[str, Any]:
        return {"directory": self.directory, "bytes": self.num_bytes, "saved_at": self.saved_at}


@dataclass(frozen=True)
class SolutionReport:
    """Everything that is reported about a solution."""

    game: str
    positions: tuple[str, str]  # of the players: `the big blind`, `the dealer`
    spot: Spot | None
    algorithm: str
    method: str  # with the settings that are not the usual ones
    engine: str
    precision: str
    iterations: int
    infosets: int  # of the game, as `errai tree` counts them
    infoset_actions: int
    merged_infosets: int  # that the engine keeps
    merged_infoset_actions: int
    memory_bytes: int
    seconds: float
    measuring_seconds: float
    strategy: StrategyKind  # the one that was measured
    exploitability: Exploitability
    trace: tuple[TracePoint, ...]
    root_frequencies: dict[str, float]  # of a spot: the share of each of its first actions
    goal: dict[str, Any]
    is_stalled: bool
    files: SavedFiles | None  # None where it was not saved

    def __repr__(self) -> str:
        mbb = self.exploitability.exploitability_mbb
        return f"<SolutionReport {self.game} by {self.algorithm}: {self.iterations:,} iterations, {mbb:.6g} mbb>"

    def to_json(self) -> dict[str, Any]:
        """The object that `errai solve --json` and `errai status --json` print."""
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "engine": self.engine,
            "iterations": self.iterations,
            "infosets": self.infosets,
            "infoset_actions": self.infoset_actions,
            "merged_infosets": self.merged_infosets,
            "merged_infoset_actions": self.merged_infoset_actions,
            "memory_bytes": self.memory_bytes,
            "seconds": round(self.seconds, 6),
            "measuring_seconds": round(self.measuring_seconds, 6),
            "measure": self.strategy,
            **self._spot_json(),
            **self.exploitability.to_json(),
            **({} if self.files is None else {"goal": self.goal, **self.files.to_json()}),
            "trace": [asdict(point) for point in self.trace],
        }

    def _spot_json(self) -> dict[str, Any]:
        if self.spot is None:
            return {}
        measured = self.exploitability
        return {
            "board": self.spot.board,
            "betting": self.spot.betting,
            "range_bb": self.spot.range_bb,
            "range_dealer": self.spot.range_dealer,
            "pot_chips": self.spot.pot_chips,
            "precision": self.precision,
            "exploitability_chips": measured.exploitability_chips,
            "exploitability_percent_of_pot": 100 * measured.exploitability_chips / self.spot.pot_chips,
            **({} if measured.has_rake else {"given_away_mbb": list(measured.loss_mbb)}),
            "distance_mbb": list(measured.distance_mbb),
            "value_chips": measured.value_chips,
            "expected_value_chips": self.expected_value_chips,
            "equity": list(self.spot.equity),
            "root_frequencies": self.root_frequencies,
            "bets": self.spot.bets.splitlines(),
            "rake": self.spot.rake or None,
            "locks": self.spot.locks.splitlines(),
            "is_stalled": self.is_stalled,
        }

    @property
    def expected_value_chips(self) -> list[float] | None:
        """What each player takes out of the pot, less what they still put in; together the pot, less the rake."""
        if self.exploitability.value_chips is None or self.spot is None:
            return None
        return values_with_pot(self.spot, self.exploitability)
