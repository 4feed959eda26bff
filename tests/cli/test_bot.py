import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from errai.errors import StorageError
from errai.solutions.bot import Bot
from errai.solutions.bot_build import _Saves
from reference.mini_game import MINI_TEXT

from .conftest import Errai

LEDUC = ("--game", "leduc", "--table", "pr-2-phs", "--cache", "cache")


def test_a_bot_is_planned_built_listed_shown_judged_and_played(errai: Errai, tmp_path: Path) -> None:
    plan = errai("bot", "build", "mine", *LEDUC, "--dry-run", "--json").json
    assert plan["buckets"] == [2, 4]
    assert plan["table_seconds"] > 0
    assert plan["method"] == "dense"
    assert "perfect recall" in plan["method_reason"]
    assert not list(tmp_path.iterdir())
    built = errai("bot", "build", "mine", *LEDUC, "--iterations", "8")
    assert built.exit_code == 0
    assert "dense on 3 boards" in built.stdout
    assert "round 1 is done and on the disk" in built.stderr
    assert (
        errai("bot", "build", "mine", *LEDUC, "--dry-run", "--iterations", "9", "--json").json["iterations_done"] == 8
    )
    listed = errai("bot", "list", "--json").json
    assert [found["name"] for found in listed["saved"]] == ["mine"]
    assert {"limit-small", "limit", "nolimit-small", "nolimit"} == {found["name"] for found in listed["presets"]}
    assert "mine" in errai("bot", "list").stdout
    assert errai("status", "mine", "--json").json["iterations"] == 8
    assert errai("show", "mine", "--betting", "r").exit_code == 0
    whole = errai("exploit", "mine", "--json").json
    assert whole["exploitability_mbb"] > 0
    cost = errai("exploit", "mine", "--dry-run", "--json").json
    assert cost["flops"] == whole["flops"]
    saved = errai("exploit", "mine", "--out", "judged", "--json").json
    assert saved["exploitability_mbb"] == whole["exploitability_mbb"]
    current = errai("exploit", "mine", "--measure", "current", "--json").json
    assert current["exploitability_mbb"] != whole["exploitability_mbb"]
    assert errai("match", "mine", "always-call", "--hands", "20").exit_code == 0
    assert errai("lbr", "mine", "--hands", "2x5").exit_code == 0


def test_the_same_command_goes_on_to_the_same_bits(errai: Errai, tmp_path: Path) -> None:
    design = (*LEDUC, "--method", "sampled", "--seed", "3")
    errai("bot", "build", "whole", *design, "--iterations", "6", "--threads", "1")
    errai("bot", "build", "parts", *design, "--iterations", "4", "--threads", "2")
    assert errai("bot", "build", "parts", *design, "--iterations", "6").exit_code == 0
    # One that is done is not touched.
    again = errai("bot", "build", "parts", *design, "--iterations", "5")
    assert "iterations" in again.stdout
    whole, parts = (Bot.open(tmp_path / name).solver.state_arrays() for name in ("whole", "parts"))
    for name, array in whole.items():
        np.testing.assert_array_equal(array, parts[name])


@pytest.mark.parametrize("method", [(), ("--game", "mini.game", "--method", "cfr-br", "--flops", "1")])
def test_a_killed_build_loses_only_what_was_not_saved(errai: Errai, tmp_path: Path, method: tuple[str, ...]) -> None:
    (tmp_path / "mini.game").write_text(MINI_TEXT)
    design = (*LEDUC, *method)
    script = "import errai.solutions.bot_build as b; b._SECONDS_BETWEEN_SAVES = 0.01; from errai.cli.main import main; "
    command = ["bot", "build", "killed", *design, "--iterations", "1000000000"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{script} main({command!r})"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "killed" / "solution.json").exists() and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = Bot.open(tmp_path / "killed").iteration
    assert done > 0
    assert errai("bot", "build", "killed", *design, "--iterations", str(done + 1)).exit_code == 0
    errai("bot", "build", "whole", *design, "--iterations", str(done + 1))
    whole, killed = (Bot.open(tmp_path / name).solver.state_arrays() for name in ("whole", "killed"))
    for name, array in whole.items():
        np.testing.assert_array_equal(array, killed[name])


def test_flops_are_drawn_where_a_best_response_is_too_large(errai: Errai, tmp_path: Path) -> None:
    plan = errai(
        "bot", "build", "limit-small", "--method", "cfr-br", "--threads", "2", "--dry-run", "--json", *LEDUC[-2:]
    ).json
    assert plan["method_reason"] == "as asked, with 1 flop drawn in every iteration; the default is `sampled`"
    assert 4e9 < plan["memory_bytes"] < 6e9  # 1.5 GB of them for the response on a turn, for each thread
    (tmp_path / "mini.game").write_text(MINI_TEXT)
    design = (*LEDUC, "--game", "mini.game", "--method", "cfr-br", "--iterations", "3")
    drawn = errai("bot", "build", "drawn", *design, "--flops", "2", "--seed", "4")
    assert "cfr-br on 6 flops, lcfr, seed 4" in drawn.stdout
    assert errai("status", "drawn", "--json").json["flops"] == 6
    assert "cfr-br, lcfr, seed 0" in errai("bot", "build", "all", *design).stdout
    other = errai("bot", "build", "drawn", *design)
    assert "`drawn` holds a bot with `seed` `4`; got `0`" in other.stderr
    other = errai("bot", "build", "drawn", *design, "--seed", "4")
    assert "`drawn` holds a bot with `flops_per_iteration` `2`; got `None`" in other.stderr


@pytest.mark.parametrize(("threads", "hint"), [("2", "--threads 1"), ("1", "--method sampled")])
def test_too_little_memory_is_reported_with_what_takes_less(
    errai: Errai, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: str, hint: str
) -> None:
    (tmp_path / "mini.game").write_text(MINI_TEXT)
    design = (*LEDUC, "--game", "mini.game", "--method", "cfr-br", "--flops", "1", "--threads", threads)
    monkeypatch.setattr("errai.solutions.machine_memory.available_bytes", lambda: 1000)
    outcome = errai("bot", "build", "mine", *design)
    assert "this machine can give 0.0 GB" in outcome.stderr
    assert f"hint: `{hint}` takes less" in outcome.stderr


def test_ctrl_c_saves(errai: Errai, tmp_path: Path) -> None:
    command = ["bot", "build", "stopped", *LEDUC, "--iterations", "1000000000"]
    errai("abstract", "build", "pr-2-phs", "--game", "leduc", "--cache", "cache")
    process = subprocess.Popen(
        [sys.executable, "-m", "errai", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while "saved in" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from here" in stderr
    assert Bot.open(tmp_path / "stopped").iteration > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mine",), "a bot of your own needs `--game`"),
        (("mine", "--game", "leduc"), "a bot of your own needs `--table`"),
        (("mine", "--game", "holdem.nolimit.2p", "--table", "ir-5"), "needs a bet menu"),
        (("limit-small", "--table", "ten"), "`ten` does not say how a table is made"),
        (("limit-small", "--method", "boards"), "walks all boards in every iteration"),
        (("limit-small", "--flops", "2"), "only `cfr-br` draws flops; the method is `sampled`"),
        (("limit-small", "--method", "cfr-br", "--flops", "0"), "an iteration has at least 1 flop"),
        (("mine", *LEDUC, "--method", "cfr-br", "--flops", "1"), "draws flops of games with 3 rounds or more"),
        (("limit-small", "--method", "dense"), "needs a table with perfect recall"),
        (("limit-small", "--bets", "fcpa"), "is a limit game"),
        (("limit-small", "--algorithm", "pcfr+"), "abstract games are not solved by `pcfr+`"),
        (("limit-small", "--iterations", "0"), "at least 1 iteration"),
    ],
)
def test_wrong_designs_are_refused(errai: Errai, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    outcome = errai("bot", "build", *arguments, "--cache", "cache")
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert not list(tmp_path.iterdir())


def test_another_bot_is_never_overwritten(errai: Errai, tmp_path: Path) -> None:
    errai("bot", "build", "mine", *LEDUC, "--iterations", "2")
    other = errai("bot", "build", "mine", *LEDUC, "--iterations", "2", "--algorithm", "cfr+")
    assert other.exit_code == 2
    assert "`mine` holds a bot with `algorithm` `lcfr`; got `cfr+`" in other.stderr
    errai("solve", "kuhn", "--iterations", "2", "--out", "solution")
    outcome = errai("bot", "build", "mine", *LEDUC, "--out", "solution")
    assert "holds a saved solution that is not a bot" in outcome.stderr


def test_a_bot_that_another_process_took_further_is_not_overwritten(errai: Errai, tmp_path: Path) -> None:
    errai("bot", "build", "mine", *LEDUC, "--iterations", "2")
    slow = Bot.open(tmp_path / "mine")
    errai("bot", "build", "mine", *LEDUC, "--iterations", "4")
    with pytest.raises(StorageError, match="another process is building"):
        _Saves(slow, tmp_path / "mine").save()


def test_what_another_process_saved_meanwhile_is_not_overwritten(errai: Errai, tmp_path: Path) -> None:
    errai("bot", "build", "mine", *LEDUC, "--iterations", "2")
    errai("bot", "build", "other", *LEDUC, "--iterations", "1", "--algorithm", "cfr+")
    errai("solve", "kuhn", "--iterations", "1", "--out", "solution")
    slow = Bot.open(tmp_path / "mine")
    for saved in ("other", "solution"):
        before = {path.name: path.read_bytes() for path in (tmp_path / saved).iterdir()}
        with pytest.raises(StorageError, match="another process has saved something else"):
            _Saves(slow, tmp_path / saved).save()
        assert {path.name: path.read_bytes() for path in (tmp_path / saved).iterdir()} == before


def test_options_of_bots_are_refused_for_other_solutions(errai: Errai, tmp_path: Path) -> None:
    errai("solve", "kuhn", "--iterations", "2", "--out", "solution")
    outcome = errai("exploit", "solution", "--dry-run")
    assert outcome.exit_code == 2
    assert "belongs to judging `--strategy`, or a bot of a limit game" in outcome.stderr
