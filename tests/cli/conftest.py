"""Running the command line within the test's own process."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from errai.cli.main import run


@dataclass(frozen=True)
class Outcome:
    """What a command printed, without spaces at the ends of lines, and its exit code."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


Errai = Callable[..., Outcome]


@pytest.fixture
def errai(capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Errai:
    """`errai("solve", "leduc")` runs the command in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> Outcome:
        exit_code = run(arguments)
        captured = capsys.readouterr()
        stdout, stderr = (
            "".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in (captured.out, captured.err)
        )
        return Outcome(stdout, stderr, exit_code)

    return call


def without_seconds(text: str, *, line: str) -> str:
    """The output without the one thing that differs from run to run, in the line that begins with `line`."""
    return "\n".join(
        part.partition(" in ")[0] + " in SECONDS" if part.startswith(line) else part for part in text.split("\n")
    )
