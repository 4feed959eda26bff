"""The group of commands: each is found by its name, and imported only when it is used."""

import subprocess
import sys

import click
import pytest

from errai.cli.main import COMMANDS
from errai.cli.main import errai as group

from .conftest import Errai


def modules_after(*arguments: str) -> set[str]:
    """The modules that a new process has imported after `errai ARGUMENTS`."""
    code = f"import sys; from errai.cli.main import run; run({list(arguments)!r}); print(*sys.modules, file=sys.stderr)"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(finished.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_function_of_the_module_with_its_name(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.name == name
    assert command.help


def test_help_lists_all_commands_in_the_order_of_use(errai: Errai) -> None:
    outcome = errai("--help")
    assert outcome.exit_code == 0
    lines = [line.split() for line in outcome.stdout.partition("Commands:\n")[2].splitlines()]
    assert [words[0] for words in lines if words] == list(COMMANDS)


def test_an_unknown_command_is_a_wrong_usage(errai: Errai) -> None:
    outcome = errai("sovle", "leduc")
    assert outcome.exit_code == 2
    assert outcome.stderr == "error: no such command `sovle`\n\nhint: `errai --help` shows how to use it\n"


def test_help_imports_neither_numpy_nor_the_kernels_nor_rich() -> None:
    modules = modules_after("--help")
    assert not {"numpy", "scipy", "rich", "rich.console", "errai._native"} & modules
    assert {name for name in modules if name.startswith("errai.")} == {
        *("errai.cli", "errai.cli.failure", "errai.cli.main", "errai.errors")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_imports_neither_numpy_nor_rich(name: str) -> None:
    assert not {"numpy", "scipy", "rich.console"} & modules_after(name, "--help")


def test_the_help_of_a_command_in_a_group_imports_no_numpy() -> None:
    for arguments in (("bot", "build"), ("bot", "list"), ("abstract", "build"), ("abstract", "show")):
        assert not {"numpy", "scipy", "rich.console"} & modules_after(*arguments, "--help")


@pytest.mark.parametrize("arguments", [("games", "--json"), ("count", "leduc", "--json")])
def test_lists_and_counts_need_no_numpy(arguments: tuple[str, ...]) -> None:
    assert not {"numpy", "scipy", "rich.console"} & modules_after(*arguments)


def test_solving_a_small_limit_game_needs_no_scipy() -> None:
    assert not {"scipy", "matplotlib", "ray"} & modules_after("solve", "kuhn", "--iterations", "1")
