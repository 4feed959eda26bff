"""Every error that the command line can tell, word for word."""

import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from errai.cli.failure import report_failure
from errai.cli.main import main as cli_main

from .conftest import Errai

GAMES = (
    "2-1, 2-4, flop-holdem, four-ranks, holdem.limit.2p, holdem.nolimit.2p, kuhn, leduc, rhode-island, royal, "
    "royal.nolimit"
)
ALGORITHMS = "cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+, pdcfr+, hs-dcfr, sequence-form-lp, normal-form-lp, lp"
SOLVE_HELP = "`errai solve --help` shows how to use it"


@pytest.mark.parametrize(
    ("command", "error", "hint"),
    [
        (
            "count leducc",
            "there is no game `leducc`",
            f"did you mean `leduc`? bundled games are {GAMES}; a file's name ends in `.game`",
        ),
        ("solve kuhn --algorithm cfr++", "there is no algorithm `cfr++`", f"the algorithms are {ALGORITHMS}"),
        ("solve kuhn --iterations -5", "`iterations` must be at least 1; got `-5`", SOLVE_HELP),
        ("solve kuhn --iterations many", "invalid value for `--iterations`: `many` is not a valid integer", SOLVE_HELP),
        ("solve kuhn --target 0", "`target_mbb` must be a positive number; got `0.0`", SOLVE_HELP),
        ("solve", "give either GAME or `--resume DIR`", SOLVE_HELP),
        ("solve kuhn --resume somewhere", "give either GAME or `--resume DIR`", SOLVE_HELP),
        ("solve kuhn --algorithm cfr,cfr+ --out here", "`--out` saves one solution; got 2 algorithms", SOLVE_HELP),
        (
            "solve --resume somewhere --algorithm cfr",
            "`--algorithm` cannot change when a solution is resumed",
            SOLVE_HELP,
        ),
        (
            "solve kuhn --plot picture.txt",
            "a picture's name must end in `.png`, `.svg` or `.pdf`; got `picture.txt`",
            SOLVE_HELP,
        ),
        (
            "solve kuhn --algorithm cfr+ --sampling external",
            "sampling needs regrets that are a plain or linearly weighted sum; "
            "`cfr+` discounts, floors or predicts them",
            "sample with `cfr` or `lcfr`",
        ),
        ("count", "missing argument `GAME`", "`errai count --help` shows how to use it"),
    ],
)
def test_wrong_usage_is_told_in_one_line_with_exit_code_2(errai: Errai, command: str, error: str, hint: str) -> None:
    outcome = errai(*command.split())
    assert outcome.stderr.endswith(f"error: {error}\n\nhint: {hint}\n")
    assert outcome.stdout == ""
    assert outcome.exit_code == 2
    assert list(Path().iterdir()) == []


def test_an_unknown_algorithm_is_refused_before_the_others_run(errai: Errai) -> None:
    outcome = errai("solve", "kuhn", "--algorithm", "cfr,cfr++")
    assert outcome.stderr == f"error: there is no algorithm `cfr++`\n\nhint: the algorithms are {ALGORITHMS}\n"
    assert outcome.exit_code == 2


def test_an_unknown_command_is_named(errai: Errai) -> None:
    outcome = errai("sovle", "leduc")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: no such command `sovle`")
    assert outcome.stderr.endswith("\n\nhint: `errai --help` shows how to use it\n")


def test_an_unknown_option_is_named(errai: Errai) -> None:
    outcome = errai("solve", "leduc", "--itertions", "5")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: no such option")
    assert "--itertions" in outcome.stderr


def test_a_malformed_definition_is_told_with_its_line(errai: Errai) -> None:
    Path("broken.game").write_text("GAMEDEF\nlimit\nnumPlayers = 2\nnumRonds = 1\nEND GAMEDEF\n")
    outcome = errai("solve", "broken.game")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: broken.game:4: there is no key `numRonds`\n\nhint: the keys are ")


def test_a_definition_that_makes_no_sense_points_at_the_examples(errai: Errai) -> None:
    Path("broken.game").write_text("GAMEDEF\nlimit\nnumPlayers = 2\n")
    outcome = errai("count", "broken.game")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: broken.game")
    assert outcome.stderr.endswith("\n\nhint: the bundled definitions (see `errai games`) are examples\n")


def test_a_game_that_is_too_large_is_refused_with_both_numbers(errai: Errai) -> None:
    outcome = errai("solve", "holdem.limit.2p", "--out", "holdem")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: the solve takes 287,107.6 GB of memory; this machine can give ")
    assert outcome.stderr.endswith(
        "\n\nhint: whole games are solved from disk: `--memory 4G --out DIR`; `errai plan GAME` says what that takes\n"
    )
    assert list(Path().iterdir()) == []


def test_a_directory_that_cannot_be_written_is_told_before_the_work(errai: Errai) -> None:
    Path("file").write_text("")
    outcome = errai("solve", "leduc", "--target", "1e-12", "--out", "file/leduc")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: `file/leduc` cannot be written: ")
    assert outcome.stderr.endswith("\n\nhint: name a directory on a disk that can be written: `--out DIR`\n")


def test_a_picture_that_cannot_be_written_is_told_before_the_work(errai: Errai) -> None:
    outcome = errai("solve", "leduc", "--target", "1e-12", "--plot", "nowhere/leduc.png")
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        "error: `nowhere/leduc.png` cannot be written: there is no directory `nowhere`\n"
        "\n"
        "hint: make the directory first\n"
    )


def test_drawing_without_matplotlib_says_what_to_install(errai: Errai, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = errai("solve", "leduc", "--target", "1e-12", "--plot", "leduc.png")
    assert outcome.exit_code == 2
    assert (
        outcome.stderr
        == f"error: drawing needs matplotlib\n\nhint: `{sys.executable} -m pip install matplotlib` installs it\n"
    )


def test_a_missing_solution_says_how_to_make_one(errai: Errai) -> None:
    outcome = errai("exploit", "nowhere")
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        "error: `nowhere` must be the directory of a saved solution or of a run; found nothing\n"
        "\n"
        "hint: `errai solve GAME --out DIR` saves one\n"
    )


def test_a_damaged_solution_is_refused_and_left_alone(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "1", "--out", "leduc")
    array = Path("leduc/average_0.npy")
    array.write_bytes(array.read_bytes()[:-1] + b"!")
    for command in (("exploit", "leduc"), ("solve", "--resume", "leduc", "--iterations", "5")):
        outcome = errai(*command)
        assert outcome.exit_code == 1
        assert outcome.stdout == ""
        assert "error: `leduc/average_0.npy` is damaged: its SHA-256 must be " in outcome.stderr
        assert outcome.stderr.endswith("\n\nhint: restore the directory from a copy, or solve again\n")
    assert array.read_bytes().endswith(b"!")


def test_a_solution_of_a_newer_program_is_refused(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "1", "--out", "leduc")
    path = Path("leduc/solution.json")
    path.write_text(path.read_text().replace('"version": 3', '"version": 4'))
    outcome = errai("exploit", "leduc")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith(
        "error: `leduc/solution.json` has version 4; this program reads version 3\n\nhint: it was written by errai "
    )


def test_a_failed_save_keeps_the_older_solution(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "1", "--out", "leduc")
    shutil.copy("leduc/solution.json", "leduc/notes.txt")
    outcome = errai("solve", "leduc", "--iterations", "2", "--out", "leduc")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: `leduc` holds something that is no part of a solution: `notes.txt`\n")
    assert errai("exploit", "leduc", "--json").json["iterations"] == 1


def test_a_traceback_is_shown_only_when_asked_for(errai: Errai) -> None:
    assert "Traceback" not in errai("count", "nothing").stderr
    assert "Traceback" in errai("count", "nothing", "--verbose").stderr


@pytest.mark.parametrize(
    ("failure", "expected", "exit_code"),
    [
        (KeyboardInterrupt(), "error: interrupted\n", 130),
        (click.Abort(), "error: interrupted\n", 130),
        (
            MemoryError(),
            "error: there is not enough memory\n\nhint: `errai count GAME` shows how large the game is\n",
            1,
        ),
        (
            OSError(28, "No space left on device", "out/x"),
            "error: `out/x`: No space left on device\n\nhint: `--verbose` shows what was being done\n",
            1,
        ),
        (
            ZeroDivisionError("division by zero"),
            "error: unexpected ZeroDivisionError: division by zero\n\n"
            "hint: this is a mistake in Errai; `--verbose` shows where, for a report\n",
            1,
        ),
        (click.ClickException("Something."), "error: something\n", 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_failures_from_elsewhere_are_told_the_same_way(
    failure: BaseException, expected: str, exit_code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report_failure(failure, command="errai", verbose=False) == exit_code
    assert capsys.readouterr().err == expected


def test_the_bare_command_lists_the_commands(errai: Errai) -> None:
    outcome = errai()
    assert outcome.exit_code == 0
    for command in ("count", "exploit", "games", "solve"):
        assert f"\n  {command} " in outcome.stdout


def test_the_version_and_the_exit_code_leave_the_process(errai: Errai) -> None:
    assert errai("--version").stdout == f"errai {version('errai')}\n"
    with pytest.raises(SystemExit) as left:
        cli_main(["games"])
    assert left.value.code == 0


def test_control_characters_of_the_input_do_not_reach_the_terminal(errai: Errai) -> None:
    outcome = errai("count", "\x1b]0;title\x07\x00")
    assert outcome.stderr.startswith("error: there is no game `\\x1b]0;title\\x07\\x00`\n")


def test_the_middle_of_an_endless_line_is_left_out(errai: Errai) -> None:
    Path("long.game").write_text("GAMEDEF\n" + "x" * 90_000)
    outcome = errai("count", "long.game")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: long.game:2: expected `limit`, `nolimit`, ")
    assert len(outcome.stderr) < 1_200


@pytest.mark.parametrize(
    ("number", "bound"), [("0", "at least 1"), ("-3", "at least 1"), ("99999999999999", "at most 1024")]
)
def test_the_number_of_threads_is_bounded(errai: Errai, number: str, bound: str) -> None:
    outcome = errai("solve", "kuhn", "--iterations", "1", "--threads", number)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith(f"error: `--threads` must be {bound}; got `{number}`\n")
