"""Which items of work are under way, which were lost, and which results can be handed on. Pure bookkeeping.

Items are taken in order, lost ones first. An item is begun only while fewer than `max_ahead` are between "begun" and
"handed on", so the results behind one slow item do not pile up. The first item that was not handed on is always under
way or next to be taken, so the bound cannot bring the work to a halt.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Generic

from errai.errors import WorkerError
from errai.workers.runner import Item, Result


class Assignments(Generic[Item, Result]):
    """The state of every item."""

    def __init__(self, items: Sequence[Item], *, max_ahead: int, max_losses: int = 3) -> None:
        self._items = items
        self._max_ahead = max_ahead
        self._max_losses = max_losses
        self._num_begun = 0
        self._num_handed_on = 0
        self._lost: list[int] = []  # a heap
        self._losses: Counter[int] = Counter()
        self._results: dict[int, Result] = {}  # done, but not handed on yet

    @property
    def is_complete(self) -> bool:
        """Whether every result was handed on."""
        return self._num_handed_on == len(self._items)

    def take(self) -> tuple[int, Item] | None:
        """The next item with its number; None if no item can be begun now."""
        if self._lost:
            number = heappop(self._lost)
        elif self._num_begun < min(len(self._items), self._num_handed_on + self._max_ahead):
            number = self._num_begun
            self._num_begun += 1
        else:
            return None
        return number, self._items[number]

    def finish(self, number: int, result: Result) -> None:
        """An item is done."""
        self._results[number] = result

    def lose(self, number: int, reason: str) -> None:
        """The worker of an item died, so that another one has to do it again."""
        self._losses[number] += 1
        if self._losses[number] == self._max_losses:
            raise WorkerError(
                f"part {number + 1} of {len(self._items)} was given to {self._max_losses} workers, and all of them "
                f"died; the last one: {reason}",
                hint="it may need more memory than the nodes have",
            )
        heappush(self._lost, number)

    def hand_on(self) -> Iterator[Result]:
        """The results that are next in order."""
        while self._num_handed_on in self._results:
            result = self._results.pop(self._num_handed_on)
            self._num_handed_on += 1
            yield result
