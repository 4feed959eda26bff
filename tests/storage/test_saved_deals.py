"""Deals that are kept between sessions: never mixed, never lost."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from errai.errors import InputError
from errai.storage.saved_deals import SavedDeals
from errai.storage.solution_directory import write_solution

SETTINGS = {"kind": "match", "agents": ["bot.py:Bot", "random"], "game": "x", "seed": 1}


def saved(directory: Path, **changes: Any) -> SavedDeals:
    settings = SETTINGS | changes.pop("settings", {})
    arguments = {
        "definition": "GAMEDEF",
        "agent_files": {"bot.py:Bot": {"bot.py": "aa", "tools.py": "bb"}, "random": {}},
    }
    return SavedDeals(directory, settings, **(arguments | changes))


def num_deals(deals: SavedDeals) -> int:
    stored = deals.load()
    return 0 if stored is None else len(stored["chips"])


def test_deals_are_continued_with_the_same_settings_agents_and_game(tmp_path: Path) -> None:
    deals = saved(tmp_path / "run")
    assert num_deals(deals) == 0
    deals.save({"chips": np.zeros(5)})
    assert num_deals(saved(tmp_path / "run")) == 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"settings": {"seed": 2}}, "holds a run with `seed` 1; got 2"),
        ({"definition": "other"}, "holds a run of another game, also named `x`"),
        (
            {"agent_files": {"bot.py:Bot": {"bot.py": "cc", "tools.py": "bb"}, "random": {}}},
            "holds a run of another `bot.py:Bot`: `bot.py` has changed since",
        ),
        (
            {"agent_files": {"bot.py:Bot": {"bot.py": "aa"}, "random": {}}},
            "holds a run of another `bot.py:Bot`: `tools.py` has changed since",
        ),
    ],
)
def test_deals_of_something_else_are_refused_by_name(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    saved(tmp_path / "run").save({"chips": np.zeros(5)})
    with pytest.raises(InputError) as refused:
        saved(tmp_path / "run", **changes).load()
    assert message in str(refused.value)
    assert num_deals(saved(tmp_path / "run")) == 5


def test_a_run_of_an_older_version_is_refused_as_such(tmp_path: Path) -> None:
    write_solution(tmp_path / "run", description=SETTINGS | {"agents": ["old"]}, arrays={"chips": np.zeros(5)})
    with pytest.raises(InputError, match="was saved by an older version"):
        saved(tmp_path / "run").load()


def killed_after(lines: int, work: Callable[[], None]) -> bool:
    """Do `work` in a process that dies after so many lines of the code that saves; whether it was killed."""
    child = os.fork()
    if child == 0:
        left = lines

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal left
            if not frame.f_code.co_filename.endswith(("solution_directory.py", "saved_deals.py", "durable_files.py")):
                return None
            if event == "line":
                left -= 1
                if left < 0:
                    os._exit(9)
            return trace

        sys.settrace(trace)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 9


def test_a_kill_between_any_two_lines_loses_no_deal_that_was_saved(tmp_path: Path) -> None:
    lines = 0
    while True:
        directory = tmp_path / f"run{lines}"
        saved(directory).save({"chips": np.zeros(5)})
        was_killed = killed_after(lines, partial(saved(directory).save, {"chips": np.zeros(7)}))
        found = num_deals(saved(directory))
        assert found in (5, 7)
        assert was_killed or found == 7
        # And it can go on from there.
        saved(directory).save({"chips": np.zeros(found + 1)})
        assert num_deals(saved(directory)) == found + 1
        if not was_killed:
            break
        lines += 1
    assert lines > 30
