"""Every example in the README and the docs is run, and where it shows output, that is what comes out.

A `console` block holds commands after `$ ` and what they print; a `python` block is run, and a `text` block right after
it is what it prints. `...` stands for anything, and runs of spaces are all alike, as columns follow the digits of a
time. The blocks of a file share their variables and their directory. Blocks
marked `no-run` and commands other than `errai` are for the reader only.
"""

import contextlib
import doctest
import io
import json
import math
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errai.cli.main import run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOTEBOOK = ROOT / "docs" / "notebooks" / "first_steps.ipynb"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def output_of(work: Callable[[], Any]) -> str:
    """What `work` prints, stdout and stderr as a terminal shows them."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        work()
    return output.getvalue()


def assert_shown(shown: str, printed: str, *, what: str) -> None:
    matches = doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert matches, f"{what} printed\n{printed}\n\nbut the page shows\n{shown}"


def run_console(block: str) -> None:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        words = shlex.split(command)
        if words[0] == "errai":
            printed = output_of(lambda arguments=words[1:]: run(arguments))  # type: ignore[misc]
            if shown.strip():
                assert_shown(shown, printed, what=command)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_do_what_it_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for report in (
        "exploit_session._LEAST_SECONDS_TO_REPORT",
        "render.progress._LONG_SECONDS",
        "render.bot_table._LONG_SECONDS",
    ):
        monkeypatch.setattr(f"errai.cli.{report}", math.inf)  # a slow machine shows how it goes on, in lines of its own
    variables: dict[str, Any] = {"__name__": page.stem}
    for language, block, shown in BLOCK.findall(page.read_text()):
        if language == "console":
            run_console(block)
            continue
        printed = output_of(lambda source=block: exec(compile(source, page.name, "exec"), variables))  # type: ignore[misc]
        if shown:
            assert_shown(shown, printed, what=block)


def test_the_notebook_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")  # a window, or the notebook's own picture, where a person runs it
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    variables: dict[str, Any] = {"__name__": "notebook"}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            printed = output_of(lambda source=source: exec(compile(source, NOTEBOOK.name, "exec"), variables))  # type: ignore[misc]
            shown = "".join(line for output in cell["outputs"] for line in output["text"])
            assert_shown(shown, printed, what=source)


def test_pages_link_only_to_pages_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
