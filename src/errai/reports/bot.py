"""An abstract bot: what it was made of, how it was solved, and how far."""

from dataclasses import asdict, dataclass
from typing import Any

from errai.evaluate.exploitability import Exploitability


@dataclass(frozen=True)
class BotPoint:
    """A measurement while a bot was solved."""

    iteration: int
    seconds: float
    in_abstraction_mbb: float | None = None  # exploitability within the abstract game; None where boards are drawn
    is_lower_bound: bool = False  # of that exploitability, with imperfect recall
    change: float | None = None  # mean change of a probability since half as many iterations; None at the first point

    @property
    def is_measured(self) -> bool:
        """Not at the first point where boards are drawn."""
        return self.in_abstraction_mbb is not None or self.change is not None


@dataclass(frozen=True)
class BotReport:
    """A bot as it stands."""

    game: str
    bets: str  # the menu of a no-limit game
    table: str
    buckets: tuple[int, ...]
    perfect_recall: bool
    method: str  # how it is solved: `sampled`, `boards`, `dense` or `cfr-br`
    algorithm: str
    seed: int
    iterations: int
    boards: int | None  # drawn so far, where boards are sampled; counted, by `dense`
    flops: int | None  # drawn so far, by `cfr-br` where the game is too large for all of them
    infosets: int
    infoset_actions: int
    memory_bytes: int
    seconds: float
    trace: tuple[BotPoint, ...]
    directory: str | None
    exploitability: Exploitability | None = None  # in the real game, where it was measured

    def to_json(self) -> dict[str, Any]:
        measured = self.exploitability
        return {
            **{name: value for name, value in asdict(self).items() if name != "exploitability"},
            "buckets": list(self.buckets),
            "trace": [asdict(point) for point in self.trace],
            **({} if measured is None else measured.to_json()),
        }


@dataclass(frozen=True)
class BotPlan:
    """What building a bot takes; times are estimates."""

    game: str
    bets: str
    table: str
    buckets: tuple[int, ...]
    method: str
    method_reason: str  # a sentence
    algorithm: str
    infosets: int
    infoset_actions: int
    memory_bytes: int
    table_seconds: float  # 0 where the table is built
    iterations: int
    iterations_done: int
    solve_seconds: float  # of the iterations that are left
    directory: str | None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "buckets": list(self.buckets)}


@dataclass(frozen=True)
class BotSummary:
    """A bot in a line: one that can be built, or one that is saved in a directory."""

    name: str
    summary: str
    game: str
    bets: str
    table: str
    iterations: int
    infoset_actions: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
