"""Who does which flops, whatever happens to the workers."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.errors import WorkerError
from errai.runs.flop_planner import FlopPlanner, Instruction

ALL = range(1000)


def plan(costs: list[int], *workers: str, num_threads: int = 1) -> FlopPlanner:
    planner = FlopPlanner(costs)
    for worker in workers:
        planner.join(worker, num_threads=num_threads, readable=ALL)
    return planner


def owned(planner: FlopPlanner, num_flops: int) -> list[str | None]:
    return [planner.owner(flop) for flop in range(num_flops)]


def do_everything(planner: FlopPlanner) -> list[Instruction]:
    done = []
    while not planner.is_complete:
        for instruction in planner.give_out():
            planner.finish(instruction.worker, instruction.flop)
            done.append(instruction)
    return done


def test_flops_are_dealt_by_their_cost() -> None:
    assert owned(plan([5, 4, 3, 3, 3], "a", "b"), 5) == ["a", "b", "b", "a", "b"]


def test_a_worker_with_more_threads_gets_more() -> None:
    planner = FlopPlanner([1] * 9)
    planner.join("a", num_threads=1, readable=ALL)
    planner.join("b", num_threads=2, readable=ALL)
    assert Counter(owned(planner, 9)) == {"a": 3, "b": 6}


def test_who_joins_first_does_not_matter() -> None:
    costs = [7, 7, 3, 2, 9, 9, 1]
    assert owned(plan(costs, "a", "b", "c"), 7) == owned(plan(costs, "c", "a", "b"), 7)


def test_a_flop_goes_to_a_worker_that_can_read_its_files() -> None:
    planner = FlopPlanner([1, 1, 1, 1])
    planner.join("a", num_threads=1, readable={0, 1, 2})
    planner.join("b", num_threads=1, readable=())
    assert owned(planner, 4) == ["a", "a", "a", "b"]


def test_flops_stay_where_they_are_from_pass_to_pass() -> None:
    planner = plan([3, 1, 4, 1, 5, 9, 2, 6], "a", "b")
    passes = []
    for _ in range(2):
        planner.begin(range(8))
        passes.append({(done.worker, done.flop) for done in do_everything(planner)})
    assert passes[0] == passes[1]


def test_the_costliest_flops_are_begun_first_and_one_more_than_threads() -> None:
    planner = plan([1, 5, 3, 4, 2, 6], "a", num_threads=2)
    planner.begin(range(6))
    assert [instruction.flop for instruction in planner.give_out()] == [5, 1, 3]
    assert planner.give_out() == []
    planner.finish("a", 1)
    assert [instruction.flop for instruction in planner.give_out()] == [2]


def test_the_last_flops_share_the_threads() -> None:
    planner = plan([1] * 5, "a", num_threads=8)
    planner.begin([0, 1])
    assert planner.give_out() == [Instruction("a", 0, 4), Instruction("a", 1, 4)]
    planner.begin([3])
    assert planner.give_out() == [Instruction("a", 3, 8)]


def test_a_worker_that_dies_and_comes_back_keeps_its_flops() -> None:
    planner = plan([1] * 6, "a", "b")
    before = owned(planner, 6)
    planner.begin(range(6))
    under_way = planner.give_out()
    planner.lose("b", "killed")
    assert planner.away == ["b"]
    for instruction in under_way:
        if instruction.worker == "a":
            planner.finish("a", instruction.flop)
    assert {instruction.worker for instruction in planner.give_out()} == {"a"}
    planner.pause("a")
    planner.join("a", num_threads=1, readable=ALL)
    planner.join("b", num_threads=1, readable=ALL)
    do_everything(planner)
    assert owned(planner, 6) == before


def test_the_flops_of_a_worker_that_left_are_dealt_to_all_others() -> None:
    planner = plan([1] * 9, "a", "b", "c")
    planner.begin(range(9))
    planner.give_out()
    planner.lose("a", "its node is gone")
    planner.leave("a")
    assert sorted(Counter(owned(planner, 9)).values()) == [4, 5]
    assert planner.owner(0) in ("b", "c")


def test_a_worker_that_joins_takes_its_share_but_nothing_that_is_under_way() -> None:
    planner = plan([1] * 9, "a", "b")
    planner.begin(range(9))
    under_way = {instruction.flop for instruction in planner.give_out()}
    planner.join("c", num_threads=1, readable=ALL)
    assert Counter(owned(planner, 9)) == {"a": 3, "b": 3, "c": 3}
    assert not any(planner.owner(flop) == "c" for flop in under_way)


def test_a_worker_that_joins_takes_nothing_that_it_cannot_read() -> None:
    planner = plan([1] * 8, "a")
    assert planner.owner(0) == "a"
    planner.join("b", num_threads=1, readable={7})
    assert Counter(owned(planner, 8)) == {"a": 7, "b": 1}


def test_a_flop_that_three_workers_die_of_is_an_error() -> None:
    planner = plan([1, 1, 1, 9], "a")
    planner.begin([3])
    for reason in ("first", "second"):
        planner.give_out()
        planner.lose("a", reason)
        planner.join("a", num_threads=1, readable=ALL)
    planner.give_out()
    expected = "^3 workers died while flop 4 of 4 was under way; the last one: third$"
    with pytest.raises(WorkerError, match=expected) as caught:
        planner.lose("a", "third")
    assert caught.value.hint == "it may need more memory than the nodes have: lower `--memory` or `--threads`"


def test_losses_are_forgotten_when_the_flop_is_done() -> None:
    planner = plan([1], "a")
    for _ in range(5):
        planner.begin([0])
        planner.give_out()
        planner.lose("a", "killed")
        planner.join("a", num_threads=1, readable=ALL)
        do_everything(planner)


def test_nothing_is_given_out_when_nobody_is_there() -> None:
    planner = plan([1, 1], "a")
    planner.leave("a")
    planner.begin([0, 1])
    assert planner.give_out() == []
    assert planner.owner(0) is None
    planner.join("b", num_threads=1, readable=())
    assert len(do_everything(planner)) == 2


@given(st.data())
def test_every_flop_is_done_once_whoever_dies_when(data: st.DataObject) -> None:
    costs = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=12))
    names = data.draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True))
    num_threads = {name: data.draw(st.integers(1, 3)) for name in "abcd"}

    def join(name: str) -> None:
        readable = data.draw(st.frozensets(st.sampled_from(range(len(costs)))))
        planner.join(name, num_threads=num_threads[name], readable=readable)

    planner = FlopPlanner(costs)
    for name in names:
        join(name)
    planner.begin(range(len(costs)))
    done: Counter[int] = Counter()
    under_way: dict[int, Instruction] = {}
    num_events = 0
    while not planner.is_complete:
        for instruction in planner.give_out():
            assert planner.owner(instruction.flop) == instruction.worker
            under_way[instruction.flop] = instruction
        for name in planner.present:
            own = [instruction for instruction in under_way.values() if instruction.worker == name]
            assert len(own) <= num_threads[name] + 1
            running = sorted((instruction.num_threads for instruction in own), reverse=True)[: num_threads[name]]
            assert sum(running) <= num_threads[name]
        assert under_way  # somebody is there, so something is going on
        num_events += 1
        event = (
            data.draw(st.sampled_from(["finish", "finish", "die", "leave", "join"])) if num_events < 40 else "finish"
        )
        if event == "finish":
            flop = data.draw(st.sampled_from(sorted(under_way)))
            planner.finish(under_way.pop(flop).worker, flop)
            done[flop] += 1
        elif event == "join":
            for name in set("abcd") - set(planner.present):
                join(name)
        elif len(planner.present) > 1:
            name = data.draw(st.sampled_from(planner.present))
            under_way = {flop: what for flop, what in under_way.items() if what.worker != name}
            planner.pause(name)
            if event == "leave":
                planner.leave(name)
        if not under_way:
            for name in planner.away:  # all that is left may belong to them
                planner.leave(name)
    assert done == Counter(range(len(costs)))
