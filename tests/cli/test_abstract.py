import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import Errai


def test_a_table_is_built_shown_listed_exported_and_imported(errai: Errai, tmp_path: Path) -> None:
    cache = ("--cache", str(tmp_path / "cache"))
    plan = errai("abstract", "build", "pr-2-phs", "--game", "leduc", "--dry-run", "--json", *cache).json
    assert plan["buckets"] == [2, 4]
    assert plan["seconds"] > 0
    assert not (tmp_path / "cache").exists()
    built = errai("abstract", "build", "pr-2-phs", "--game", "leduc", *cache)
    assert "round 1 is done and on the disk" in built.stderr
    assert "pr-2-phs: buckets 2-4, perfect recall" in built.stdout
    assert errai("abstract", "build", "pr-2", "--game", "leduc", "--json", *cache).json["name"] == "pr-2-phs"
    shown = errai("abstract", "show", "pr-2-phs", "--game", "leduc", "--round", "1", "--json", *cache).json
    assert [row["buckets"] for row in shown["rounds"]] == [2, 4]
    assert sum(bucket["share"] for bucket in shown["buckets"]) == pytest.approx(1)
    strengths = [bucket["strength"] for bucket in shown["buckets"]]
    assert strengths == sorted(strengths)
    assert all(1 <= len(bucket["examples"]) <= 3 for bucket in shown["buckets"])
    assert "examples" in errai("abstract", "show", "pr-2-phs", "--game", "leduc", "--round", "1", *cache).stdout

    out = tmp_path / "leduc.buckets"
    errai("abstract", "export", "pr-2-phs", "--game", "leduc", "--out", str(out), *cache)
    other = ("--cache", str(tmp_path / "other"))
    assert "no tables are built" in errai("abstract", "list", *other).stdout
    assert errai("abstract", "import", str(out), *other).exit_code == 0
    assert [table["name"] for table in errai("abstract", "list", "--json", *other).json["tables"]] == ["pr-2-phs"]
    content = bytearray(out.read_bytes())
    content[-1] ^= 1
    out.write_bytes(bytes(content))
    outcome = errai("abstract", "import", str(out), *other)
    assert outcome.exit_code == 1
    assert f"`{out}` is damaged" in outcome.stderr


def test_buckets_are_drawn(errai: Errai, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    cache = ("--cache", str(tmp_path / "cache"), "--game", "leduc")
    errai("abstract", "build", "pr-2-phs", *cache)
    assert errai("abstract", "show", "pr-2-phs", "--png", "buckets.png", *cache).exit_code == 0
    assert (tmp_path / "buckets.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("build", "10"), 2, "`10` does not say how a table is made"),
        (("show", "pr-10-phs"), 1, "the table `pr-10-phs` is not built for this game"),
        (("show", "pr-10-phs", "--round", "9"), 2, "rounds are numbered 0 to 3; got `9`"),
        (("import", "nothing"), 1, "`nothing` cannot be read"),
        (("export", "pr-10-phs", "--out", "missing/file"), 2, "there is no directory `missing`"),
    ],
)
def test_wrong_arguments_are_refused(
    errai: Errai, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = errai("abstract", *arguments, "--cache", str(tmp_path / "cache"))
    assert outcome.exit_code == code
    assert message in outcome.stderr


def test_a_build_that_is_killed_continues(errai: Errai, tmp_path: Path) -> None:
    command = ["abstract", "build", "ir-60-ke-ko", "--game", "rhode-island", "--threads", "1"]
    whole = errai(*command, "--cache", str(tmp_path / "whole"))
    assert whole.exit_code == 0
    steps = tmp_path / "killed" / "ir-60-ke-ko@13x4-1-0.1.1.building"
    process = subprocess.Popen(
        [sys.executable, "-m", "errai", *command, "--cache", str(tmp_path / "killed")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not list(steps.glob("*.npz")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert list(steps.glob("*.npz"))
    assert errai(*command, "--cache", str(tmp_path / "killed")).exit_code == 0
    assert not steps.exists()
    name = "ir-60-ke-ko@13x4-1-0.1.1.buckets"
    assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "killed" / name).read_bytes()
