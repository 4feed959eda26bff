import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errai.cli.render.terminal_curve import draw_curve
from errai.solutions.solve import solve

from .conftest import Errai, without_seconds

LEDUC_10 = """\
game                leduc
method              cfr+, 10 iterations in SECONDS
size                288 infosets, 12.3 kB
exploitability      180.418106 mbb (average strategy)
best responses      158.138073 mbb as player 0, 202.698140 mbb as player 1
game value          between -0.405396 and 0.316276 chips for player 0
essentially solved  no
mbb: thousandths of a small bet, here of 2 chips, per game
"""


def test_solve_prints_the_result_on_stdout_and_what_it_takes_on_stderr(errai: Errai) -> None:
    outcome = errai("solve", "leduc", "--iterations", "10")
    assert outcome.exit_code == 0
    assert without_seconds(outcome.stdout, line="method") == LEDUC_10
    assert outcome.stderr == "leduc by cfr+: 288 infosets on the `lanes` engine will take 12.3 kB\n"


def test_solve_as_json_prints_one_object(errai: Errai) -> None:
    content = errai("solve", "leduc", "--algorithm", "cfr+", "--iterations", "10", "--json").json
    assert list(content) == [
        "game",
        "algorithm",
        "engine",
        "iterations",
        "infosets",
        "infoset_actions",
        "merged_infosets",
        "merged_infoset_actions",
        "memory_bytes",
        "seconds",
        "measuring_seconds",
        "measure",
        "exploitability_mbb",
        "best_response_mbb",
        "value_bounds_chips",
        "nash_epsilon_mbb",
        "essentially_solved",
        "unit_chips",
        "trace",
    ]
    # The figure of the original program, all digits that it prints.
    assert content["exploitability_mbb"] == pytest.approx(180.418106, abs=5e-7)
    assert (content["game"], content["algorithm"], content["engine"]) == ("leduc", "cfr+", "lanes")
    assert (content["iterations"], content["infosets"], content["essentially_solved"]) == (10, 288, False)
    assert sum(content["best_response_mbb"]) / 2 == pytest.approx(content["exploitability_mbb"])
    low, high = content["value_bounds_chips"]
    assert low <= -0.085606424078 <= high
    assert [point["iteration"] for point in content["trace"]] == [1, 2, 3, 5, 10]
    assert content["trace"][-1]["average_mbb"] == content["exploitability_mbb"]
    assert content["exploitability_mbb"] <= content["nash_epsilon_mbb"] <= 2 * content["exploitability_mbb"]


def test_solve_can_measure_the_current_strategy_at_every_iteration(errai: Errai) -> None:
    content = errai("solve", "kuhn", "--iterations", "4", "--measure", "current", "--every", "1", "--json").json
    assert [point["iteration"] for point in content["trace"]] == [1, 2, 3, 4]
    assert content["exploitability_mbb"] == content["trace"][-1]["current_mbb"]


def test_solve_stops_at_the_target_or_says_that_it_did_not_reach_it(errai: Errai) -> None:
    assert errai("solve", "leduc", "--target", "1", "--json").json["exploitability_mbb"] <= 1
    outcome = errai("solve", "leduc", "--target", "1", "--iterations", "5")
    assert outcome.exit_code == 0
    assert outcome.stderr.endswith("\nthe target of 1 mbb was not reached\n")


@pytest.mark.parametrize("algorithm", ["lp", "sequence-form-lp", "normal-form-lp"])
def test_solve_by_a_linear_program(errai: Errai, algorithm: str) -> None:
    content = errai("solve", "kuhn", "--algorithm", algorithm, "--json").json
    assert content["exploitability_mbb"] == pytest.approx(0, abs=1e-6)
    assert content["value_bounds_chips"] == pytest.approx([-1 / 18, -1 / 18], abs=1e-9)


@pytest.mark.parametrize("sampling", ["external", "outcome", "public-chance"])
def test_a_sampled_solve_is_the_same_with_the_same_seed(errai: Errai, sampling: str) -> None:
    def trace(seed: int) -> object:
        options = ("--sampling", sampling, "--seed", str(seed), "--iterations", "200", "--json")
        return errai("solve", "leduc", *options).json["trace"]

    assert trace(1) == trace(1) != trace(2)


def test_solve_passes_every_setting_of_the_method_on(errai: Errai) -> None:
    plain = errai("solve", "leduc", "--algorithm", "dcfr", "--iterations", "20", "--json").json["exploitability_mbb"]
    for option in (
        ("--alpha", "3"),
        ("--beta", "1"),
        ("--gamma", "1"),
        ("--averaging-delay", "5"),
        ("--updates", "simultaneous"),
    ):
        changed = errai("solve", "leduc", "--algorithm", "dcfr", "--iterations", "20", "--json", *option).json
        assert changed["exploitability_mbb"] != pytest.approx(plain, rel=1e-6), option


def test_several_algorithms_are_compared_in_a_table_and_in_one_picture(errai: Errai) -> None:
    options = ("--algorithm", "cfr,cfr+", "--algorithm", "dcfr", "--iterations", "50", "--plot", "leduc.png")
    outcome = errai("solve", "leduc", *options)
    rows = [line.split() for line in outcome.stdout.splitlines()]
    assert rows[0] == ["method", "iterations", "exploitability", "(mbb)", "time"]
    assert [row[:2] for row in rows[1:]] == [["cfr", "50"], ["cfr+", "50"], ["dcfr", "50"]]
    assert outcome.stderr.endswith("drawn in `leduc.png`\n")
    assert Path("leduc.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in Path().iterdir()] == ["leduc.png"]


def test_several_algorithms_as_json_are_the_runs_of_one_object(errai: Errai) -> None:
    content = errai("solve", "kuhn", "--algorithm", "cfr,cfr+", "--iterations", "5", "--json").json
    assert content["game"] == "kuhn"
    assert [run["algorithm"] for run in content["runs"]] == ["cfr", "cfr+"]


def test_show_prints_the_curve_and_the_strategy(errai: Errai) -> None:
    # Kuhn has a family of equilibria for the first player; the second player's is unique: with the middle card it calls
    # a bet, and with the lowest it bets after a check, one time in three.
    outcome = errai("solve", "kuhn", "--iterations", "2000", "--show")
    assert "exploitability of the average strategy (mbb)\n" in outcome.stdout
    assert "2,000 iterations\n" in outcome.stdout
    table = outcome.stdout.partition("percentages of fold, call (or check) and raise (or bet)\n")[2]
    lines = table.splitlines()
    assert lines[1] == "before the board"
    assert lines[2].split() == ["betting", "player", "Q", "K", "A"]
    assert [line.split()[0] for line in lines[3:]] == ["-", "c", "cr", "r"]
    assert lines[4].split() == ["c", "1", "c", "67", "r", "33", "c100", "r", "0", "c", "0", "r100"]
    assert lines[6].split() == ["r", "1", "f100", "c", "0", "f", "67", "c", "33", "f", "0", "c100"]


def test_show_prints_only_the_first_round_of_a_larger_game(errai: Errai) -> None:
    Path("larger.game").write_text(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 2 4\nfirstPlayer = 1 1\n"
        "maxRaises = 2 2\nnumSuits = 2\nnumRanks = 8\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF\n"
    )
    outcome = errai("solve", "larger.game", "--iterations", "2", "--show")
    assert "before the board" in outcome.stdout
    assert "board A" not in outcome.stdout


def test_a_curve_falls_from_the_upper_left_to_the_lower_right() -> None:
    lines = draw_curve([(1, 1000.0), (10, 10.0), (100, 0.1)], width=20, height=5)
    assert lines == [
        "    1000 ┤⠉⠒⠤⣀",
        "     100 ┤⠀⠀⠀⠀⠉⠒⠤⣀",
        "      10 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠤⣀",
        "       1 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠤⣀",
        "     0.1 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠤⣀",
        "         └────────────────────",
        "          1     100 iterations",
    ]
    assert draw_curve([(1, 5.0)]) == []


@pytest.mark.parametrize(
    ("first", "last", "labels"),
    [
        (1000.0, 0.1, ["1000", "100", "10", "1", "0.1"]),
        (70.8, 18.7, ["50", "20"]),
        (12.0, 6.5, ["10", "9", "8", "7"]),
        (2.43, 2.12, ["2.43", "2.12"]),
        (3.0, 3.0, ["3"]),
    ],
)
def test_a_curve_has_numbers_on_its_axis_however_short_it_is(first: float, last: float, labels: list[str]) -> None:
    lines = draw_curve([(100, first), (200, last)])
    rows = [line.partition("┤")[0].strip() for line in lines if "┤" in line]
    assert [label for label in rows if label] == labels


def test_a_saved_solution_is_judged_again_with_the_same_result(errai: Errai) -> None:
    saved = errai("solve", "leduc", "--iterations", "10", "--out", "leduc")
    assert saved.stderr.endswith("\nsaved in `leduc`\n")
    judged = errai("exploit", "leduc")
    assert judged.exit_code == 0
    assert judged.stderr == ""
    assert without_seconds(judged.stdout, line="method") == LEDUC_10
    average = errai("exploit", "leduc", "--verify", "--json").json
    current = errai("exploit", "leduc", "--measure", "current", "--json").json
    assert average["exploitability_mbb"] == average["trace"][-1]["average_mbb"]
    assert current["exploitability_mbb"] == current["trace"][-1]["current_mbb"]


def test_resume_goes_on_and_saves_in_the_same_place(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "4", "--out", "leduc")
    resumed = errai("solve", "--resume", "leduc", "--iterations", "10")
    assert without_seconds(resumed.stdout, line="method") == LEDUC_10
    assert resumed.stderr == "resuming leduc by cfr+ at iteration 4\nsaved in `leduc`\n"
    assert errai("exploit", "leduc", "--json").json["iterations"] == 10


def start(*arguments: str, directory: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from errai.cli.main import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
        env={**os.environ, "COLUMNS": "200"},
    )


def interrupt_once_it_solves(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Send Ctrl-C after the plan was told; everything that was printed."""
    assert process.stderr is not None
    plan = process.stderr.readline()
    assert plan.startswith("leduc by cfr+: 288 infosets")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    return stdout, stderr


def test_an_interrupted_solve_saves_what_there_is_and_says_how_to_go_on(errai: Errai, tmp_path: Path) -> None:
    process = start("solve", "leduc", "--target", "1e-9", "--out", "leduc", directory=tmp_path)
    stdout, stderr = interrupt_once_it_solves(process)
    assert process.returncode == 130
    assert stdout.startswith("game                leduc")
    lines = stderr.splitlines()
    assert lines[0] == "saved in `leduc`"
    assert lines[1].startswith("interrupted at iteration ")
    assert lines[2:] == ["", "hint: `errai solve --resume leduc` goes on from here"]
    iteration = errai("exploit", "leduc", "--json").json["iterations"]
    assert errai("solve", "--resume", "leduc", "--iterations", str(iteration + 5), "--json").exit_code == 0
    assert errai("exploit", "leduc", "--json").json["iterations"] == iteration + 5


def test_an_interrupted_solve_without_a_directory_still_tells_its_result(tmp_path: Path) -> None:
    process = start("solve", "leduc", "--target", "1e-9", directory=tmp_path)
    stdout, stderr = interrupt_once_it_solves(process)
    assert process.returncode == 130
    assert "exploitability" in stdout
    assert stderr.endswith("\n\nhint: `--out DIR` would have saved it\n")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_early_is_no_reason_to_complain(tmp_path: Path) -> None:
    with start("games", directory=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


VARIANT = """
from errai import Exponents, Variant

MINE = Variant("mine", Exponents(alpha=2.0, beta=0.5, gamma=3.0), floor=False)
NOTHING = None
"""


def test_a_variant_of_a_python_file_is_compared_with_the_others(errai: Errai) -> None:
    Path("variants.py").write_text(VARIANT)
    content = errai(
        "solve", "leduc", "--algorithm", "dcfr,variants.py:MINE", "--iterations", "20", "--json", "--plot", "curves.png"
    ).json
    assert [run["algorithm"] for run in content["runs"]] == ["dcfr", "mine"]
    assert content["runs"][0]["exploitability_mbb"] != content["runs"][1]["exploitability_mbb"]
    assert Path("curves.png").exists()


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ("variants.py:NOTHING", "`variants.py:NOTHING` must be a `Variant`; got a `NoneType`"),
        ("variants.py:OTHER", "`variants.py` has no `OTHER`"),
        ("missing.py:MINE", "there is no file `missing.py`"),
    ],
)
def test_what_is_no_variant_is_refused(errai: Errai, algorithm: str, message: str) -> None:
    Path("variants.py").write_text(VARIANT)
    outcome = errai("solve", "leduc", "--algorithm", algorithm, "--iterations", "1")
    assert outcome.stderr.startswith(f"error: {message}")
    assert "unexpected" not in outcome.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--alpha", "nan"), "`alpha` must be a number from -100 to 100, or infinite; got `nan`"),
        (("--alpha", "1e308"), "`alpha` must be a number from -100 to 100, or infinite; got `1e+308`"),
        (("--gamma", "nan"), "`gamma` must be a number from 0 to 100; got `nan`"),
        (("--target", "nan"), "`target_mbb` must be a positive number; got `nan`"),
    ],
    ids=str,
)
def test_numbers_that_mean_nothing_are_refused(errai: Errai, options: tuple[str, str], message: str) -> None:
    outcome = errai("solve", "leduc", "--algorithm", "dcfr", "--iterations", "2", *options)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith(f"error: {message}\n")


def test_going_on_to_an_iteration_before_the_average_begins_saves_and_tells_of_the_current_strategy(
    errai: Errai,
) -> None:
    stopped = solve("leduc", iterations=30, averaging_delay=20, should_stop=lambda: True)
    stopped.save("leduc")
    outcome = errai("solve", "--resume", "leduc", "--iterations", "5", "--plot", "curve.png")
    assert outcome.exit_code == 0
    assert "(current strategy)" in outcome.stdout
    assert "`curve.png` is not drawn: the average strategy was not measured yet" in outcome.stderr
    assert "5 iterations" in errai("status", "leduc").stdout
    assert "average strategy" in errai("solve", "--resume", "leduc", "--iterations", "21").stdout


def test_resume_through_a_link_keeps_the_link(errai: Errai) -> None:
    errai("solve", "leduc", "--iterations", "4", "--out", "leduc")
    Path("link").symlink_to("leduc")
    assert errai("solve", "--resume", "link", "--iterations", "10").exit_code == 0
    assert Path("link").is_symlink()
    assert errai("status", "leduc", "--json").json["iterations"] == 10


def test_a_dry_run_of_the_flat_engine_names_it_and_its_time(errai: Errai) -> None:
    content = errai("solve", "leduc", "--engine", "flat", "--iterations", "10", "--dry-run", "--json").json
    assert content["engine"] == "flat"
    assert content["seconds"] == pytest.approx(10 * content["seconds_per_iteration"])
    lines = errai("solve", "kuhn", "--algorithm", "lp", "--dry-run").stdout.splitlines()
    assert lines[-1].split(maxsplit=1)[1] == "there is no estimate for `sequence-form-lp`"
