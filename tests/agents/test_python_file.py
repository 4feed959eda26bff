"""Bots that do what no bot should do, and what a bot is made of."""

import signal
from pathlib import Path

import pytest

from errai.agents.loading import load_agent
from errai.agents.python_file import file_digests
from errai.errors import AgentError
from errai.games.library import load_game
from errai.games.state import initial_state

LEDUC = load_game("leduc")
BOTS = """
import sys
from errai import ActionProbabilities

class Leaves:
    def action_probabilities(self, state, board):
        sys.exit(0)

class LeavesWhenMade:
    def __init__(self):
        sys.exit(0)
    def action_probabilities(self, state, board): ...

class Interrupts:
    def action_probabilities(self, state, board):
        raise KeyboardInterrupt

class Deep:
    def action_probabilities(self, state, board):
        return self.action_probabilities(state, board)

class Slotted:
    __slots__ = ()
    def action_probabilities(self, state, board):
        return ActionProbabilities(call=1.0)
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


@pytest.mark.parametrize(("name", "raised"), [("Leaves", "SystemExit: 0"), ("Deep", "RecursionError: ")])
def test_whatever_a_bot_raises_is_an_error_that_names_it(bots: Path, name: str, raised: str) -> None:
    agent = load_agent(f"{bots}:{name}", LEDUC)
    with pytest.raises(AgentError, match=f"^agent `{name}` raised {raised}.* as player 0 after the betting ``"):
        agent.action_probabilities(initial_state(LEDUC), ())


def test_a_bot_that_ends_the_program_when_it_is_made_or_imported_is_named(bots: Path, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"bots\.py:LeavesWhenMade` cannot be made: SystemExit: 0$"):
        load_agent(f"{bots}:LeavesWhenMade", LEDUC)
    leaving = tmp_path / "leaving.py"
    leaving.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(AgentError, match=r"leaving\.py` does not import: SystemExit: 0$"):
        load_agent(f"{leaving}:Bot", LEDUC)


def test_an_interrupt_is_the_bots_own_only_where_ctrl_c_is_handled_elsewhere(bots: Path) -> None:
    agent = load_agent(f"{bots}:Interrupts", LEDUC)
    with pytest.raises(KeyboardInterrupt):
        agent.action_probabilities(initial_state(LEDUC), ())
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(AgentError, match=r"^agent `Interrupts` raised KeyboardInterrupt"):
            agent.action_probabilities(initial_state(LEDUC), ())
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_bot_with_slots_is_named_after_its_class(bots: Path) -> None:
    assert load_agent(f"{bots}:Slotted", LEDUC).name == "Slotted"


def test_a_bot_is_made_of_its_file_and_of_those_beside_it_that_it_imports(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import os\nimport cards_table\nfrom tools import sizes\n")
    (tmp_path / "cards_table.py").write_text("def late():\n    import deeper\n")
    (tmp_path / "deeper.py").write_text("import bot\n")
    (tmp_path / "stranger.py").write_text("")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("from . import helper\n")
    (tmp_path / "tools" / "sizes.py").write_text("")
    (tmp_path / "tools" / "helper.py").write_text("")
    before = file_digests(tmp_path / "bot.py")
    assert list(before) == ["bot.py", "cards_table.py", "deeper.py"] + [
        f"tools/{name}.py" for name in ("__init__", "helper", "sizes")
    ]
    (tmp_path / "stranger.py").write_text("x = 1\n")
    assert file_digests(tmp_path / "bot.py") == before
    (tmp_path / "deeper.py").write_text("x = 1\n")
    assert [name for name, digest in file_digests(tmp_path / "bot.py").items() if digest != before[name]] == [
        "deeper.py"
    ]


def test_a_bot_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_the_bot.py").write_text("CALL = 1.0\n")
    (tmp_path / "importing.py").write_text(
        "from beside_the_bot import CALL\nfrom errai import ActionProbabilities\n"
        "class Bot:\n    def action_probabilities(self, state, board):\n        return ActionProbabilities(call=CALL)\n"
    )
    assert (
        load_agent(f"{tmp_path / 'importing.py'}:Bot", LEDUC).action_probabilities(initial_state(LEDUC), ()).call == 1.0
    )
