"""The contract of everything that `errai.open` opens: one set of calls, whatever the directory holds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from errai.errors import ErraiError
from errai.evaluate.exploitability import Exploitability
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.reports.verification import Verification

OnShare = Callable[[int, int], None]  # how many steps are done, and how many there are


class Report(Protocol):
    """Plain data that knows its JSON."""

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Work:
    """How a call that takes long is watched and stopped, and how many threads it takes."""

    num_threads: int | None = None  # None leaves it to the machine
    on_progress: OnShare | None = None
    should_stop: Callable[[], bool] = field(default=lambda: False)


UNWATCHED = Work()


class StoppedError(ErraiError):
    """`should_stop` ended the work before there was a result."""


class StoredStrategy(Protocol):
    """A strategy on disk: of a spot, a whole game, a game made in Python, or a run of a whole game.

    `strategy` chooses between the average and the current one; without it, it is the one that was measured when the
    game was solved.
    """

    @property
    def name(self) -> str:
        """Of the game."""

    @property
    def definition(self) -> GameDefinition | None:
        """The rules of a poker game; None where the game was made in Python."""

    @property
    def start(self) -> Spot | None:
        """The spot that it begins at; None where it begins with the game."""

    @property
    def strategies(self) -> tuple[StrategyKind, ...]:
        """Those that are kept, the one that was measured first."""

    @property
    def flop_factors(self) -> Mapping[tuple[int, ...], float] | None:
        """The flops that are dealt, where they are not all, each with the factor of its chance.

        A flop stands for all that a relabelling of suits makes of it.
        """

    def describe(self, strategy: StrategyKind | None = None) -> Report:
        """How the game was solved, and how far."""

    def query(
        self,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        with_values: bool | None = None,
        work: Work = UNWATCHED,
    ) -> StateReport:
        """The strategy at one public state of a poker game; without betting and board, where it begins.

        Values are left out by default where they take long.
        """

    def infosets(self, *, strategy: StrategyKind | None = None, last_round: int | None = None) -> Iterator[InfosetRow]:
        """The strategy as a person reads it, one infoset at a time, up to the given round."""

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player to act does at a public state; a hand that is not known calls."""

    def exploitability(self, strategy: StrategyKind | None = None, *, work: Work = UNWATCHED) -> Exploitability:
        """The exact exploitability, computed where it is not known."""

    def export(
        self,
        path: str | Path,
        *,
        betting: str | None = None,
        board: str | None = None,
        strategy: StrategyKind | None = None,
        whole: bool = False,
        work: Work = UNWATCHED,
    ) -> int:
        """Write one public state, or with `whole` every decision, as `.csv` or `.parquet`; the number of rows."""

    def to_openspiel(self, game: Any = None) -> Any:
        """The strategy of a whole poker game as an OpenSpiel policy."""

    def verify(self, *, work: Work = UNWATCHED) -> Verification:
        """Read and check every byte; damaged and missing files are named."""
