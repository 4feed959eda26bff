"""Files of one run are never taken for those of another one, and stray files disturb nothing."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errai.cli.main import run as run_command
from errai.errors import InputError, StorageError
from errai.runs.checkpoint import Checkpoint
from errai.runs.flop_executor import LocalFlops
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage.run_identity import RunIdentity, write_mark
from reference.mini_game import MINI, MINI_TEXT
from reference.stored_runs import logical_files, logical_ledger


def begin(directory: Path, **method: Any) -> WholeRun:
    return WholeRun.create(directory, RunSettings.of(MINI, **method))


def advance(run: WholeRun, iterations: int = 2, checkpoint: Checkpoint | None = None) -> None:
    executor = LocalFlops(run.flop_worker(checkpoint=None if checkpoint is None else checkpoint.path), 1)
    run.advance(executor, iterations=iterations, measure_every=iterations, checkpoint=checkpoint)


def problems(run: WholeRun) -> list[str]:
    """Of every flop of a run, what `verify` finds wrong."""
    worker = run.flop_worker()
    found = []
    for flop, passes_done in enumerate(run.passes_done_by_flop()):
        try:
            worker.verify(flop, passes_done)
        except StorageError as error:
            found.append(str(error))
    return found


def content(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def flop_file(run: WholeRun, flop: int, name: str) -> Path:
    (path,) = run.directory.glob(f"flop-{flop:04}-*/{name}.*.flop")
    return path


def test_a_checkpoint_of_another_run_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    first, second = begin(tmp_path / "a"), begin(tmp_path / "b")  # the settings are the same, the runs are not
    copies = Checkpoint(tmp_path / "copies", every=2)
    advance(first, checkpoint=copies)
    before = content(tmp_path)
    with pytest.raises(InputError, match=r"`.*copies` belongs to another run"):
        advance(second, checkpoint=copies)
    after = content(tmp_path)
    assert {path: after[path] for path in before if "lease" not in path.parts} == {
        path: before[path] for path in before if "lease" not in path.parts
    }
    advance(first, 4, checkpoint=copies)
    assert WholeRun.open(copies.path).iteration == 4


@pytest.mark.parametrize("place", ["another run", "the run itself", "inside the run", "around the run", "other files"])
def test_a_checkpoint_needs_a_directory_of_its_own(tmp_path: Path, place: str) -> None:
    first, second = begin(tmp_path / "runs" / "a"), begin(tmp_path / "runs" / "b")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear Ann,")
    directory = {
        "another run": second.directory,
        "the run itself": first.directory,
        "inside the run": first.directory / "copies",
        "around the run": tmp_path / "runs",
        "other files": tmp_path / "other",
    }[place]
    before = content(tmp_path)
    with pytest.raises(InputError, match=r"separate directories|another run|something else"):
        advance(first, checkpoint=Checkpoint(directory))
    assert content(tmp_path).keys() - before.keys() <= {first.directory / "lease" / "00000002"}


def test_the_command_line_refuses_a_used_checkpoint_before_it_creates_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mini.game").write_text(MINI_TEXT)
    solve = ("solve", "mini.game", "--memory", "500M", "--iterations", "10", "--scale", "0.01")
    assert run_command((*solve, "--out", "a", "--checkpoint-to", "copies")) == 0
    before = content(tmp_path)
    for directory in ("copies", "a"):
        assert run_command((*solve, "--algorithm", "cfr+", "--out", "b", "--checkpoint-to", directory)) == 2
        assert f"`{directory}` belongs to another run" in capsys.readouterr().err
    assert content(tmp_path) == before
    assert run_command(("verify", "copies")) == 0


SWAPS: dict[str, Callable[[WholeRun, WholeRun], tuple[Path, Path]]] = {
    "of another flop": lambda run, _: (flop_file(run, 0, "regrets-0"), flop_file(run, 1, "regrets-0")),
    "of the other player": lambda run, _: (flop_file(run, 1, "regrets-0"), flop_file(run, 1, "regrets-1")),
    "of another run": lambda run, other: (flop_file(other, 1, "regrets-0"), flop_file(run, 1, "regrets-0")),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_swapped_file_is_found_and_never_used(tmp_path: Path, swap: str) -> None:
    run, other = begin(tmp_path / "run"), begin(tmp_path / "other")
    for each in (run, other):
        advance(each)
    assert problems(run) == []
    source, target = SWAPS[swap](run, other)
    shutil.copyfile(source, target)
    (problem,) = problems(run)
    assert f"`{target}` is another file: found regrets of player" in problem
    with pytest.raises(StorageError, match="is another file"):
        advance(run, 3)
    target.unlink()
    advance(run, 3)
    undisturbed = begin(tmp_path / "undisturbed")
    advance(undisturbed, 2)
    advance(undisturbed, 3)
    assert logical_files(run.directory) == logical_files(undisturbed.directory)


def test_a_file_of_an_older_pass_is_found(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    advance(run, 1)
    old = flop_file(run, 0, "regrets-0").read_bytes()
    advance(run, 2)
    flop_file(run, 0, "regrets-0").write_bytes(old)
    (problem,) = problems(run)
    flop = run.game.flop_text(0)
    assert f"found regrets of player 0 on `{flop}` after pass 2 of run" in problem
    assert f"expected regrets of player 0 on `{flop}` after pass 4 of run" in problem


def test_the_directory_of_a_worker_of_another_run_is_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, other = begin(tmp_path / "run"), begin(tmp_path / "other")
    for each in (run, other):
        advance(each)
    foreign = run.directory / "worker-a"
    foreign.mkdir()
    write_mark(foreign, other.identity)
    name = flop_file(run, 1, "regrets-0").parent.name
    shutil.move(other.directory / name, foreign)
    shutil.rmtree(run.directory / name)
    before = content(foreign)
    assert run_command(("verify", str(run.directory))) == 1
    assert f"`{foreign}` belongs to another run and is ignored" in capsys.readouterr().out.replace("\n", " ")
    advance(run, 3)
    undisturbed = begin(tmp_path / "undisturbed")
    advance(undisturbed, 2)
    advance(undisturbed, 3)
    assert content(foreign) == before
    shutil.rmtree(foreign)
    assert logical_files(run.directory) == logical_files(undisturbed.directory)
    assert logical_ledger(run.directory) == logical_ledger(undisturbed.directory)


def test_a_mark_that_says_nothing_is_reported(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    (run.directory / "worker-a").mkdir()
    (run.directory / "worker-a" / "run.json").write_text("[]")
    with pytest.raises(StorageError, match="does not say which run the directory belongs to"):
        run.flop_worker().foreign_directories()


def test_runs_with_the_same_settings_have_different_identities(tmp_path: Path) -> None:
    first, second = begin(tmp_path / "a").identity, begin(tmp_path / "b").identity
    assert first.settings_digest == second.settings_digest
    assert first.run_id != second.run_id
    assert begin(tmp_path / "c", scale=1.0).identity.settings_digest != first.settings_digest
    assert RunIdentity.of(first.run_id, WholeRun.open(tmp_path / "a").ledger.settings) == first


STRAY = ("notes.flop.bak", ".regrets-0.00000003.flop.Xa12", "foo.00000001.flop", "regrets-0.flop", "regrets-7.1.flop")


def test_stray_files_are_left_alone(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    advance(run)
    stray = [next(run.directory.glob("flop-0000-*")) / name for name in STRAY]
    for path in stray:
        path.write_text("stray")
    (run.directory / "worker-notes.txt").write_text("a file that looks like a worker's directory")
    assert problems(run) == []
    advance(run, 4)
    assert problems(run) == []
    assert all(path.read_text() == "stray" for path in stray)


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    (path / "within").mkdir(parents=True)


def make_other_file(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 20)


def make_empty_file(path: Path) -> None:
    path.touch()


@pytest.mark.parametrize("make", [make_fifo, make_directory, make_other_file, make_empty_file])
def test_what_is_in_the_place_of_a_flops_file_is_reported_with_its_path(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    run = begin(tmp_path / "run")
    advance(run)
    path = flop_file(run, 2, "regrets-1")
    path.unlink()
    make(path)
    (problem,) = problems(run)
    assert str(path) in problem
    with pytest.raises(StorageError, match=path.name):
        advance(run, 3)


@pytest.mark.parametrize("make", [make_fifo, make_directory, make_other_file, make_empty_file])
def test_what_is_in_the_place_of_the_ledger_is_reported_with_its_path(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "ledger.sqlite")
    with pytest.raises(StorageError, match=r"ledger\.sqlite"):
        WholeRun.open(tmp_path)


def test_partial_files_of_a_killed_run_are_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = begin(tmp_path / "run")
    advance(run)
    run.ledger.close()
    for flop in run.directory.glob("flop-*"):
        (flop / "regrets-1.00000005.flop.0123abcd.partial").touch()
        (flop / "notes.partial").touch()
    assert run_command(("solve", "--resume", str(run.directory), "--iterations", "3")) == 0
    assert {path.name for path in run.directory.rglob("*.partial*")} == {"notes.partial"}


def test_a_checkpoint_that_was_killed_in_its_first_steps_is_continued(tmp_path: Path) -> None:
    run, copies = begin(tmp_path / "run"), Checkpoint(tmp_path / "copies", every=2)
    (copies.path / "lease").mkdir(parents=True)
    for name in (
        "run.json.0123abcd.partial",
        "ledger.sqlite.0123abcd.partial",
        "ledger.sqlite.0123abcd.partial-journal",
    ):
        (copies.path / name).touch()
    advance(run, checkpoint=copies)
    assert WholeRun.open(copies.path).iteration == 2
    assert not list(copies.path.glob("*.partial*"))


def test_a_run_that_was_killed_while_it_was_created_can_be_created_again(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    (directory / "lease").mkdir(parents=True)
    (directory / "ledger.sqlite.0123abcd.partial").touch()
    (directory / "ledger.sqlite.0123abcd.partial-journal").touch()
    assert WholeRun.can_create(directory)
    begin(directory)
    assert not WholeRun.can_create(directory)
    assert not list(directory.glob("*.partial*"))
    (tmp_path / "letter.txt").touch()
    assert not WholeRun.can_create(tmp_path)
