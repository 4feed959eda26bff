"""The book of a run: what is taken when, what is taken again, what is handed on."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.errors import WorkerError
from errai.workers.assignments import Assignments


def test_results_are_handed_on_in_order_whoever_is_first() -> None:
    book: Assignments[str, str] = Assignments("abc", max_ahead=3)
    assert [book.take(), book.take(), book.take(), book.take()] == [(0, "a"), (1, "b"), (2, "c"), None]
    book.finish(2, "C")
    book.finish(0, "A")
    assert list(book.hand_on()) == ["A"]
    book.finish(1, "B")
    assert not book.is_complete
    assert list(book.hand_on()) == ["B", "C"]
    assert book.is_complete


def test_no_more_is_begun_than_the_bound_allows_until_the_first_is_handed_on() -> None:
    book: Assignments[int, int] = Assignments(range(10), max_ahead=2)
    assert [book.take(), book.take(), book.take()] == [(0, 0), (1, 1), None]
    book.finish(1, 1)
    assert list(book.hand_on()) == []
    assert book.take() is None
    book.finish(0, 0)
    assert list(book.hand_on()) == [0, 1]
    assert [book.take(), book.take(), book.take()] == [(2, 2), (3, 3), None]


def test_what_was_lost_is_taken_again_before_anything_new() -> None:
    book: Assignments[int, int] = Assignments(range(10), max_ahead=3)
    for _ in range(2):
        book.take()
    book.lose(1, "the power failed")
    book.lose(0, "the power failed")
    assert [book.take(), book.take(), book.take(), book.take()] == [(0, 0), (1, 1), (2, 2), None]


def test_an_item_that_every_worker_dies_of_is_given_up() -> None:
    book: Assignments[int, int] = Assignments(range(7), max_ahead=3)
    for _ in range(2):
        book.take()
        book.lose(0, "out of memory")
    with pytest.raises(
        WorkerError,
        match=r"^part 1 of 7 was given to 3 workers, and all of them died; the last one: out of memory$",
    ):
        book.lose(0, "out of memory")


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_every_item_is_handed_on_once_and_in_order_whatever_happens(num_items: int, max_ahead: int, seed: int) -> None:
    draw = Random(seed)  # a seed and not Hypothesis's own draws, which may lose one item a thousand times
    book: Assignments[int, int] = Assignments(range(num_items), max_ahead=max_ahead, max_losses=1000)
    under_way: list[int] = []
    handed_on: list[int] = []
    while not book.is_complete:
        taken = book.take() if draw.random() < 0.5 or not under_way else None
        if taken is not None:
            under_way.append(taken[0])
            assert taken[0] < len(handed_on) + max_ahead
            continue
        number = under_way.pop(draw.randrange(len(under_way)))
        if draw.random() < 0.3:
            book.lose(number, "chance")
        else:
            book.finish(number, number)
        handed_on += book.hand_on()
    assert handed_on == list(range(num_items))
    assert not under_way
