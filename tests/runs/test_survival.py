"""A run from disk that is killed, runs out of disk, or is told nonsense: nothing lost, nothing counted twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from errai.games.definition_text import format_definition
from errai.runs.run import WholeRun
from reference.small_holdem import small_holdem
from reference.stored_runs import logical_files, logical_ledger


def errai(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "errai", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.game"
    path.write_text(format_definition(small_holdem(max_raises=(1, 1, 1, 1))))
    return path


def new_run(game_file: Path, directory: Path, **options: Any) -> subprocess.Popen[str]:
    return errai(
        *("solve", game_file, "--flops", 3, "--memory", "500M", "--out", directory),
        *(part for name, value in options.items() for part in (f"--{name}", value)),
    )


def finish(process: subprocess.Popen[str], *, timeout: float = 300) -> tuple[int, str, str]:
    output, errors = process.communicate(timeout=timeout)
    return process.returncode, output, errors


@pytest.mark.parametrize("kills", [8, pytest.param(50, marks=pytest.mark.slow)])
def test_a_command_that_is_killed_ends_like_one_that_was_not(game_file: Path, tmp_path: Path, kills: int) -> None:
    draw = random.Random(1)
    killed = tmp_path / "killed"
    process = new_run(game_file, killed, iterations=100_000, every=100_000)
    while not (killed / "ledger.sqlite").exists() or not WholeRun.open(killed).iteration:
        time.sleep(0.05)
    for _ in range(kills):
        if draw.random() < 0.8:  # else it is killed while it starts
            assert process.stderr is not None
            process.stderr.readline()  # what it will take: from now on it works
        time.sleep(draw.uniform(0.0, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        process = errai("solve", "--resume", killed)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run = WholeRun.open(killed)
    iterations = run.iteration + 1
    run.ledger.close()
    code, output, errors = finish(errai("solve", "--resume", killed, "--iterations", iterations, "--json"))
    assert code == 0, errors
    assert json.loads(output)["iterations"] == iterations

    whole = tmp_path / "whole"
    code, _, errors = finish(new_run(game_file, whole, iterations=iterations, every=100_000))
    assert code == 0, errors
    assert logical_files(killed) == logical_files(whole)
    assert logical_ledger(killed) == logical_ledger(whole)
    assert WholeRun.open(killed).measured("average") == WholeRun.open(whole).measured("average") is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a file system")
def test_a_full_disk_stops_the_run_and_it_goes_on_when_there_is_room(game_file: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small], check=False).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        code, _, errors = finish(new_run(game_file, small / "run", iterations=6, every=6))
        assert code == 1
        assert "cannot be written" in errors
        assert "disk" in errors
        assert "hint: make room on the disk" in errors
        assert not list(small.rglob("*.partial"))
        subprocess.run(["mount", "-o", "remount,size=50m", small], check=True)
        code, _, errors = finish(errai("solve", "--resume", small / "run"))
        assert code == 0, errors
        whole = tmp_path / "whole"
        assert finish(new_run(game_file, whole, iterations=6, every=6))[0] == 0
        assert logical_files(small / "run") == logical_files(whole)
    finally:
        subprocess.run(["umount", small], check=True)


def test_ctrl_c_stops_a_run_which_goes_on_later(game_file: Path, tmp_path: Path) -> None:
    process = new_run(game_file, tmp_path / "run", iterations=100_000)
    while not list((tmp_path / "run").rglob("*.flop")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    code, _, errors = finish(process)
    assert code == 130
    assert f"hint: `errai solve --resume {tmp_path / 'run'}` goes on from here" in errors.replace("\n", "")


def test_verify_names_the_file_with_a_flipped_byte(game_file: Path, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    assert finish(new_run(game_file, directory, iterations=2, every=2))[0] == 0
    assert finish(errai("verify", directory))[0] == 0
    path = sorted(directory.rglob("*.flop"))[2]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    code, output, _ = finish(errai("verify", directory))
    assert code == 1
    assert str(path) in output.replace("\n", "")
    code, _, errors = finish(errai("solve", "--resume", directory, "--iterations", 4))
    assert code == 1
    assert f"`{path}` is damaged" in errors.replace("\n", "")
    path.unlink()
    assert finish(errai("solve", "--resume", directory, "--iterations", 4))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume", "RUN", "--scale", "3"], "has other settings: scale: 5.0 there, 3.0 here"),
        (["--resume", "RUN", "--algorithm", "cfr+"], "algorithm: dcfr+ there, cfr+ here"),
        (["--resume", "RUN", "--flops", "2"], "has other settings: flop_factors"),
        (["--resume", "RUN", "--precision", "lossless"], "scale: 5.0 there, 0.0 here"),
        (["--resume", "GAME.parent"], "holds something that is no part of a solution"),
        (["GAME", "--memory", "500M"], "needs a directory: `--out DIR`"),
        (["GAME", "--memory", "500M", "--out", "RUN"], "holds a run already"),
        (["GAME", "--flops", "QcKc", "--out", "NEW"], "a flop has 3 different cards; got `QcKc`"),
        (["GAME", "--flops", "QcKcAc,QdKdAd", "--out", "NEW"], "are the same flop"),
        (["GAME", "--memory", "1M", "--out", "NEW"], "of memory; got a limit of 0.00 GB"),
        (["GAME", "--memory", "much", "--out", "NEW"], "must be like `4G` or `500M`; got `much`"),
        (["GAME", "--memory", "1G", "--algorithm", "dcfr", "--out", "NEW"], "`dcfr` cannot be solved from disk"),
        (["GAME", "--memory", "1G", "--board", "QcKcAc", "--out", "NEW"], "`--board` is not for whole games"),
        (["GAME", "--memory", "1G", "--show", "--out", "NEW"], "`--show` is not for whole games"),
        (["GAME", "--memory", "1G", "--iterations", "0", "--out", "NEW"], "`iterations` must be at least 1; got `0`"),
        (["GAME", "--scale", "3", "--out", "NEW"], "`--scale` is for whole games from disk"),
        (["--resume", "RUN", "--dry-run"], "`--dry-run` is about one new solve"),
    ],
)
def test_bad_input_is_told_and_changes_nothing(
    one_run: tuple[Path, Path], tmp_path: Path, arguments: list[str], message: str
) -> None:
    game_file, directory = one_run
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    names = {"RUN": directory, "GAME": game_file, "GAME.parent": game_file.parent, "NEW": tmp_path / "new"}
    code, output, errors = finish(errai("solve", *(names.get(argument, argument) for argument in arguments)))
    assert code in (1, 2)
    assert output == ""
    assert message in errors.replace("\n", " ")
    assert "hint:" in errors
    assert not (tmp_path / "new").exists()
    assert before == {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_a_dry_run_tells_what_it_takes_and_writes_nothing(game_file: Path, tmp_path: Path) -> None:
    arguments = ("solve", game_file, "--flops", 3, "--memory", "500M", "--out", tmp_path / "new", "--dry-run")
    code, output, errors = finish(errai(*arguments))
    assert code == 0
    assert "infosets on 3 flops" in output
    assert "hint: `errai plan GAME --measure`" in errors
    code, output, _ = finish(errai(*arguments, "--json"))
    assert code == 0
    assert json.loads(output)["flops"] == 3
    assert not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def one_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    directory = tmp_path_factory.mktemp("one")
    game_file = directory / "small.game"
    game_file.write_text(format_definition(small_holdem(max_raises=(1, 1, 1, 1))))
    assert finish(new_run(game_file, directory / "run", iterations=1))[0] == 0
    return game_file, directory / "run"


def test_a_run_goes_on_to_what_was_asked_last(game_file: Path, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    assert finish(new_run(game_file, directory, iterations=2, every=2))[0] == 0
    assert finish(errai("solve", "--resume", directory, "--every", 1))[0] == 0
    run = WholeRun.open(directory)
    assert run.iteration == 2
    assert run.ledger.goal == {"iterations": 2, "target_mbb": None, "measure_every": 1}
    assert finish(errai("solve", "--resume", directory, "--iterations", 3))[0] == 0
    assert WholeRun.open(directory).ledger.goal == {"iterations": 3, "target_mbb": None, "measure_every": 1}
