"""The contract of a runner, which has items of work done by workers.

1. Each worker makes its work once, by calling `make_work` where it is: large data is loaded there and never sent.
2. Work on an item is `work(item)`. It depends on the item alone, so it can be done anywhere, and done again.
3. Results come in the order of the items. Only a bounded number of items is under way at a time.
4. Closing the generator stops the work; an error of the work is raised from it as it was.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Runner(Protocol):
    """Has items of work done."""

    def run(
        self, make_work: Callable[[], Callable[[Item], Result]], items: Sequence[Item]
    ) -> Generator[Result, None, None]:
        """The result of every item, in order; `make_work`, items and results must be picklable."""
