"""A point of a convergence curve."""

from dataclasses import dataclass

from errai.games.strategies import StrategyKind


@dataclass(frozen=True)
class TracePoint:
    """The exploitability measured at one iteration."""

    iteration: int
    average_mbb: float | None  # None where it was not measured
    current_mbb: float | None

    def of(self, strategy: StrategyKind) -> float:
        """The exploitability of the average or of the current strategy, which must have been measured."""
        measured = self.average_mbb if strategy == "average" else self.current_mbb
        assert measured is not None
        return measured
