"""Who works on a run within a memory limit."""

import pytest

from errai.errors import SizeError
from errai.games.library import load_game
from errai.runs.memory import estimate_memory, plan_resources
from errai.runs.settings import RunSettings

SETTINGS = RunSettings.of(load_game("rhode-island"), None)
NUM_FLOPS = 13
MEMORY = estimate_memory(SETTINGS)


def test_without_a_limit_all_threads_work_and_the_trees_of_a_small_game_are_kept() -> None:
    resources = plan_resources(SETTINGS, num_threads=3, memory_limit_bytes=None)
    assert (resources.num_threads, resources.max_trees) == (3, NUM_FLOPS)
    assert resources.memory_bytes == MEMORY.total_bytes(num_flops=NUM_FLOPS, num_threads=3)


@pytest.mark.parametrize("num_threads", [1, 2, 3])
def test_as_many_threads_work_as_fit_and_what_is_told_stays_within_the_limit(num_threads: int) -> None:
    limit = MEMORY.total_bytes(num_flops=num_threads, num_threads=num_threads)
    resources = plan_resources(SETTINGS, num_threads=3, memory_limit_bytes=limit)
    assert (resources.num_threads, resources.max_trees, resources.memory_bytes) == (num_threads, num_threads, limit)
    with_room = plan_resources(SETTINGS, num_threads=num_threads, memory_limit_bytes=limit + 2 * MEMORY.tree_bytes + 1)
    assert with_room.max_trees == num_threads + 2
    assert with_room.memory_bytes == limit + 2 * MEMORY.tree_bytes


def test_a_limit_that_is_one_byte_short_is_refused_with_both_numbers() -> None:
    least = MEMORY.total_bytes(num_flops=1, num_threads=1)
    with pytest.raises(SizeError, match=rf"takes {least / 1e9:.2f} GB of memory; got a limit of"):
        plan_resources(SETTINGS, num_threads=2, memory_limit_bytes=least - 1)
