import errno
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from errai.errors import StorageError
from errai.storage import solution_directory as module
from errai.storage.solution_directory import find_damage, is_saved, read_solution, verify_can_write, write_solution

DESCRIPTION = {"game": "leduc", "iteration": 7, "trace": [[1, 2.5]]}
ARRAYS: dict[str, NDArray[Any]] = {
    "regret": np.arange(12, dtype=np.float64).reshape(3, 4),
    "average": np.linspace(0, 1, 5, dtype=np.float32),
}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    directory = tmp_path / "leduc"
    write_solution(directory, description=DESCRIPTION, arrays=ARRAYS)
    return directory


def message_of(directory: Path) -> str:
    with pytest.raises(StorageError) as caught:
        dict(read_solution(directory).arrays)
    return str(caught.value)


def rewrite(path: Path, **changes: object) -> None:
    """Change keys of a `solution.json` and make its checksum right again."""
    content = json.loads(path.read_text())
    content.update(changes)
    content.pop("sha256")
    content["sha256"] = module._content_sha256(content)
    path.write_text(json.dumps(content))


def test_what_is_written_is_read_back_bit_for_bit(saved: Path) -> None:
    stored = read_solution(saved)
    assert find_damage(saved) == (stored.num_bytes, [])
    assert stored.description == DESCRIPTION
    assert list(stored.arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert stored.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(stored.arrays[name], array)


def test_the_description_file_says_what_the_format_says(saved: Path) -> None:
    content = json.loads((saved / "solution.json").read_text())
    assert list(content) == ["format", "version", "errai", "solution", "arrays", "sha256"]
    assert (content["format"], content["version"]) == ("errai-solution", 3)
    regret = content["arrays"][0]
    assert (regret["name"], regret["file"], regret["dtype"], regret["shape"]) == ("regret", "regret.npy", "<f8", [3, 4])
    assert regret["bytes"] == (saved / "regret.npy").stat().st_size


def test_nothing_but_the_solution_stays_beside_it(saved: Path) -> None:
    assert [path.name for path in saved.parent.iterdir()] == ["leduc"]
    assert sorted(path.name for path in saved.iterdir()) == ["average.npy", "regret.npy", "solution.json"]


def test_a_newer_solution_replaces_an_older_one_whole(saved: Path) -> None:
    write_solution(saved, description={"iteration": 8}, arrays={"other": np.zeros(2)})
    assert read_solution(saved).description == {"iteration": 8}
    assert sorted(path.name for path in saved.iterdir()) == ["other.npy", "solution.json"]
    assert [path.name for path in saved.parent.iterdir()] == ["leduc"]


def test_a_write_that_fails_leaves_the_older_solution_and_nothing_else(saved: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        write_solution(saved, description={}, arrays={"good": np.zeros(2), "bad": np.array([object()])})
    assert find_damage(saved)[1] == []
    assert read_solution(saved).description == DESCRIPTION
    assert [path.name for path in saved.parent.iterdir()] == ["leduc"]


def test_an_interrupt_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_solution(tmp_path / "leduc", description={}, arrays=ARRAYS)
    assert list(tmp_path.iterdir()) == []


def test_after_a_crash_between_the_two_renames_the_older_solution_is_read_and_then_replaced(saved: Path) -> None:
    saved.rename(saved.with_name(".leduc.previous"))
    assert read_solution(saved).description == DESCRIPTION
    write_solution(saved, description={"iteration": 8}, arrays={})
    assert read_solution(saved).description == {"iteration": 8}
    assert [path.name for path in saved.parent.iterdir()] == ["leduc"]


def test_an_empty_directory_may_be_filled(tmp_path: Path) -> None:
    write_solution(tmp_path / "here" / "there", description={}, arrays={})
    (tmp_path / "empty").mkdir()
    write_solution(tmp_path / "empty", description=DESCRIPTION, arrays={})
    assert read_solution(tmp_path / "empty").description == DESCRIPTION


def test_a_directory_with_other_files_is_never_replaced(saved: Path) -> None:
    (saved / "thesis.tex").write_text("years of work")
    with pytest.raises(StorageError, match=r"holds something that is no part of a solution: `thesis\.tex`") as caught:
        write_solution(saved, description={}, arrays={})
    assert caught.value.hint == "name a new directory, or one that holds an older solution"
    assert (saved / "thesis.tex").exists()


def test_a_file_in_the_place_of_the_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "leduc").write_text("")
    with pytest.raises(StorageError, match="is a file; a solution is saved as a directory"):
        verify_can_write(tmp_path / "leduc")


def test_a_place_that_cannot_be_written_is_known_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"leduc` cannot be written: File exists: `.*/file`") as caught:
        verify_can_write(tmp_path / "file" / "leduc")
    assert caught.value.hint == "name a directory on a disk that can be written: `--out DIR`"


def test_the_check_before_the_work_leaves_no_trace(tmp_path: Path) -> None:
    verify_can_write(tmp_path / "leduc")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_solution_says_how_to_save_one(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no saved solution at") as caught:
        read_solution(tmp_path / "nowhere")
    assert caught.value.hint == "`errai solve GAME --out DIR` saves one"


@pytest.mark.parametrize(("version", "advice"), [(4, "install that version or a newer one"), (1, "solve again")])
def test_another_version_is_refused_with_both_numbers(saved: Path, version: int, advice: str) -> None:
    rewrite(saved / "solution.json", version=version, errai="9.0")
    with pytest.raises(StorageError, match=f"has version {version}; this program reads version 3") as caught:
        read_solution(saved)
    assert caught.value.hint == f"it was written by errai 9.0; {advice}"


def test_another_format_is_refused(saved: Path) -> None:
    rewrite(saved / "solution.json", format="cepheus")
    assert "must be of format `errai-solution`; found `cepheus`" in message_of(saved)
    (saved / "solution.json").write_text("[]")
    assert "must be of format `errai-solution`; found `list`" in message_of(saved)


def test_text_that_is_not_json_is_refused(saved: Path) -> None:
    (saved / "solution.json").write_text("{")
    assert "solution.json` must be JSON; Expecting property name" in message_of(saved)
    (saved / "solution.json").write_bytes(b"\xff")
    assert "solution.json` must be UTF-8 text;" in message_of(saved)


def test_a_changed_description_is_refused(saved: Path) -> None:
    path = saved / "solution.json"
    path.write_text(path.read_text().replace('"iteration": 7', '"iteration": 8'))
    assert "solution.json` is damaged: its SHA-256 must be" in message_of(saved)


def test_one_flipped_bit_in_an_array_is_found_when_it_is_used(saved: Path) -> None:
    content = bytearray((saved / "regret.npy").read_bytes())
    content[-1] ^= 1
    (saved / "regret.npy").write_bytes(content)
    stored = read_solution(saved)
    np.testing.assert_array_equal(stored.arrays["average"], ARRAYS["average"])
    with pytest.raises(StorageError, match=r"regret\.npy` is damaged: its SHA-256 must be"):
        stored.arrays["regret"]


def test_a_large_array_is_mapped_and_its_checksum_is_read_only_on_request(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ALWAYS_VERIFIED_BYTES", 1)
    content = bytearray((saved / "regret.npy").read_bytes())
    content[-1] ^= 1
    (saved / "regret.npy").write_bytes(content)
    assert isinstance(read_solution(saved).arrays["regret"], np.memmap)
    assert "regret.npy` is damaged: its SHA-256 must be" in find_damage(saved)[1][0]


def test_a_shortened_array_is_found_at_once(saved: Path) -> None:
    content = (saved / "regret.npy").read_bytes()
    (saved / "regret.npy").write_bytes(content[:-8])
    assert f"regret.npy` must hold {len(content)} bytes; found {len(content) - 8}" in message_of(saved)


def test_a_missing_array_is_found_at_once(saved: Path) -> None:
    (saved / "regret.npy").unlink()
    assert "regret.npy` cannot be read: No such file or directory" in message_of(saved)


def test_an_array_of_another_shape_is_refused(saved: Path) -> None:
    content = json.loads((saved / "solution.json").read_text())
    content["arrays"][0]["shape"] = [4, 3]
    rewrite(saved / "solution.json", arrays=content["arrays"])
    assert "regret.npy` must hold `<f8` (4, 3); found `<f8` (3, 4)" in message_of(saved)


def test_a_file_that_is_no_array_is_refused(saved: Path) -> None:
    content = json.loads((saved / "solution.json").read_text())
    (saved / "regret.npy").write_bytes(b"no array")
    content["arrays"][0] |= {"bytes": 8, "sha256": module._file_sha256(saved / "regret.npy")}
    rewrite(saved / "solution.json", arrays=content["arrays"])
    assert "regret.npy` must be a NumPy array file;" in message_of(saved)


def test_an_array_outside_the_directory_is_refused(saved: Path) -> None:
    content = json.loads((saved / "solution.json").read_text())
    content["arrays"][0]["file"] = "../regret.npy"
    rewrite(saved / "solution.json", arrays=content["arrays"])
    assert "an array's file must lie beside `solution.json`; found `../regret.npy`" in message_of(saved)


def test_a_copied_directory_is_as_good_as_the_first(saved: Path, tmp_path: Path) -> None:
    shutil.copytree(saved, tmp_path / "copy")
    assert find_damage(tmp_path / "copy")[1] == []
    assert read_solution(tmp_path / "copy").description == DESCRIPTION


def test_every_file_and_both_directories_are_forced_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[str] = []
    fsync = os.fsync

    def record(descriptor: int) -> None:
        forced.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    write_solution(tmp_path / "leduc", description=DESCRIPTION, arrays=ARRAYS)
    assert forced[:3] == ["regret.npy", "average.npy", "solution.json"]
    assert forced[3].startswith(".leduc.partial-")  # its names, before it is renamed
    assert forced[4] == tmp_path.name  # the rename itself


def test_a_symbolic_link_stays_and_the_solution_behind_it_is_replaced(saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(saved)
    write_solution(link, description={"iteration": 8}, arrays={})
    assert link.is_symlink()
    assert link.readlink() == saved
    assert read_solution(saved).description == read_solution(link).description == {"iteration": 8}


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not(saved: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = platform.node()
    abandoned = saved.with_name(f".leduc.partial-{host}-{ended.pid}-abc")
    others = [
        saved.with_name(f".leduc.partial-{host}-{os.getppid()}-abc"),  # still being written
        saved.with_name(f".leduc.partial-elsewhere-{ended.pid}-abc"),  # on another machine
        saved.with_name(f".leduc2.partial-{host}-{ended.pid}-abc"),  # of another solution
    ]
    for directory in (abandoned, *others):
        directory.mkdir()
    write_solution(saved, description=DESCRIPTION, arrays={})
    assert not abandoned.exists()
    assert all(directory.exists() for directory in others)


def test_what_a_crash_left_of_an_older_solution_counts_as_saved(saved: Path) -> None:
    assert is_saved(saved)
    saved.rename(saved.with_name(".leduc.previous"))
    assert is_saved(saved)
    assert not is_saved(saved.with_name("other"))


@pytest.mark.parametrize("error", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_disk_that_cannot_be_written_is_a_storage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError(error, os.strerror(error), "disk")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with pytest.raises(StorageError, match=rf"leduc` cannot be written: {os.strerror(error)}: `disk`") as caught:
        verify_can_write(tmp_path / "leduc")
    assert caught.value.hint == "name a directory on a disk that can be written: `--out DIR`"


def test_the_root_and_a_link_to_itself_hold_no_solution(tmp_path: Path) -> None:
    assert not is_saved(Path("/"))
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(StorageError, match="is a symbolic link to itself"):
        is_saved(loop)
