"""The exploitability of the strategies of a solution: each is computed once per iteration, and the time is kept."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from time import perf_counter
from typing import Any, TypeVar

from errai.evaluate.exploitability import Exploitability
from errai.games.strategies import StrategyKind
from errai.solutions.engine import Engine, Plan
from errai.solutions.engines import ENGINES

Judged = TypeVar("Judged")
Known = dict[StrategyKind, tuple[int, Exploitability]]  # with the iteration


class Measurements:
    """What was measured so far; `arrays_of` gives a strategy in the layout of the engine of `plan`."""

    def __init__(self, plan: Callable[[], Plan[Any]], arrays_of: Callable[[StrategyKind], Any]) -> None:
        self.seconds = 0.0
        self._plan = plan  # asked for only when there is something to measure
        self._arrays_of = arrays_of
        self._measured: Known = {}
        self._saved: Known = {}  # read from a saved solution, and not measured again yet

    def responses(self, strategy: StrategyKind, iteration: int) -> Exploitability:
        """The exploitability, maybe without the value of the strategy, which is as much work as a response."""
        known = _at(self._measured, strategy, iteration)
        if known is None:
            known = self._timed(self._engine.best_responses, strategy)
            self._measured[strategy] = iteration, known
        return known

    def exploitability(self, strategy: StrategyKind, iteration: int) -> Exploitability:
        """The exploitability with the value of the strategy."""
        measured = self.responses(strategy, iteration)
        if measured.value_chips is None:
            measured = replace(measured, value_chips=self._timed(self._engine.value, strategy))
            self._measured[strategy] = iteration, measured
        return measured

    def saved_or_measured(self, strategy: StrategyKind, iteration: int) -> Exploitability:
        """The exploitability that was saved with the solution; measured where there is none."""
        saved = None if strategy in self._measured else _at(self._saved, strategy, iteration)
        return saved or self.exploitability(strategy, iteration)

    def to_json(self, strategy: StrategyKind, iteration: int) -> dict[str, Any] | None:
        """What a saved solution holds of a measurement at this iteration; None where there is none."""
        measured = _at(self._measured, strategy, iteration)
        if measured is None or measured.value_chips is None:
            return None
        return {"strategy": strategy, "iteration": iteration, **asdict(measured)}

    def read_json(self, content: Mapping[str, Any] | None) -> None:
        """Take over what `to_json` gave; None where a solution was saved without it, or by an earlier version."""
        if content is None:
            return
        first, second = content["best_response_chips"]
        measured = Exploitability(
            (first, second), content["value_chips"], content["unit_chips"], content.get("second_value_chips")
        )
        self._saved[content["strategy"]] = content["iteration"], measured

    @property
    def _engine(self) -> Engine[Any, Any]:
        return ENGINES[self._plan().engine]

    def _timed(self, judge: Callable[[Plan[Any], Any], Judged], strategy: StrategyKind) -> Judged:
        started = perf_counter()
        judged = judge(self._plan(), self._arrays_of(strategy))
        self.seconds += perf_counter() - started
        return judged


def _at(known: Known, strategy: StrategyKind, iteration: int) -> Exploitability | None:
    when, measured = known.get(strategy, (-1, None))
    return measured if when == iteration else None
