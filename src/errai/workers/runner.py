"""The contract of everybody who has pieces of work done.

1. Each worker makes its work once, by calling `make_work` where it is: what is large is loaded there and never sent.
2. A piece of work is `work(item)`. It depends on the item alone, so it can be done anywhere, and done again.
3. Results come in the order of the items, whoever was first. Only a bounded number is under way at a time.
4. Closing the generator stops the work; an error of the work comes out of it as it was raised.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Runner(Protocol):
    """Has pieces of work done."""

    def run(
        self, make_work: Callable[[], Callable[[Item], Result]], items: Sequence[Item]
    ) -> Generator[Result, None, None]:
        """The result of every item, in order; `make_work`, items and results must be picklable."""
