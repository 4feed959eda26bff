"""One owner per directory: processes that end, hosts that share a disk, and kills while a lease is acquired."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errai.errors import StorageError
from errai.storage import durable_files, lease
from errai.storage.lease import STALE_SECONDS, Lease, LeaseHeldError, acquire_lease


@pytest.fixture
def on_host(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes this process one of another machine that shares the disk; its processes cannot be seen from others."""

    def switch(name: str) -> None:
        monkeypatch.setattr(socket, "gethostname", lambda: name)
        monkeypatch.setattr(lease, "_first_line", lambda _: f"boot of {name}")

    return switch


def let_pass(directory: Path, seconds: float) -> None:
    """Make the newest lease look as if it had not been touched for so long."""
    path = max((directory / "lease").iterdir())
    then = time.time() - seconds
    os.utime(path, (then, then))


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in (directory / "lease").iterdir())


def test_a_released_directory_can_be_owned_again(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        owned = acquire_lease(tmp_path)
        owned.verify_owned()
        owned.release()
        assert files(tmp_path) == [f"{number:08}"]


def test_a_second_owner_is_refused_with_the_name_of_the_first(tmp_path: Path) -> None:
    first = acquire_lease(tmp_path)
    with pytest.raises(
        LeaseHeldError, match=f"is in use by process {os.getpid()} on `{socket.gethostname()}`"
    ) as caught:
        acquire_lease(tmp_path)
    assert "end that process" in str(caught.value.hint)
    first.verify_owned()


def test_a_process_that_was_killed_owns_nothing(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from errai.storage.lease import acquire_lease;"
        "acquire_lease(Path(sys.argv[1])); print('owned', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, tmp_path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "owned\n"
    with pytest.raises(LeaseHeldError, match=f"process {process.pid}"):
        acquire_lease(tmp_path)
    process.send_signal(signal.SIGKILL)
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
    acquire_lease(tmp_path).verify_owned()  # also before its parent has asked for its exit code
    process.communicate()


def test_another_process_with_the_number_of_a_dead_one_is_not_taken_for_it(tmp_path: Path) -> None:
    acquire_lease(tmp_path)
    path = tmp_path / "lease" / "00000001"
    path.write_text(json.dumps({**json.loads(path.read_text()), "started": "1"}))
    acquire_lease(tmp_path).verify_owned()


def test_another_host_is_refused_until_the_lease_is_stale(tmp_path: Path, on_host: Callable[[str], None]) -> None:
    on_host("first")
    first = acquire_lease(tmp_path)
    on_host("second")
    for seconds in (0.0, STALE_SECONDS - 10):
        let_pass(tmp_path, seconds)
        with pytest.raises(LeaseHeldError, match=r"is in use by process .* on `first`"):
            acquire_lease(tmp_path)
    let_pass(tmp_path, STALE_SECONDS + 10)
    second = acquire_lease(tmp_path)
    second.verify_owned()
    with pytest.raises(StorageError, match="this process no longer owns"):
        first.verify_owned()
    first.touch()
    first.release()  # neither disturbs the new owner
    second.verify_owned()
    on_host("first")
    with pytest.raises(LeaseHeldError, match="on `second`"):
        acquire_lease(tmp_path)


def test_an_owner_that_touches_its_lease_is_not_stale(tmp_path: Path, on_host: Callable[[str], None]) -> None:
    on_host("first")
    first = acquire_lease(tmp_path)
    let_pass(tmp_path, STALE_SECONDS + 10)
    first.touch()
    on_host("second")
    with pytest.raises(LeaseHeldError):
        acquire_lease(tmp_path)


def test_hosts_with_different_times_agree(
    tmp_path: Path, on_host: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only times that the disk gave to files are compared."""
    on_host("first")
    acquire_lease(tmp_path)
    on_host("second")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    with pytest.raises(LeaseHeldError):
        acquire_lease(tmp_path)


def test_of_two_that_find_a_stale_lease_one_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    acquire_lease(tmp_path).release()
    create = lease._create
    faster: list[Lease] = []

    def create_after_another(path: Path, owner: lease.Owner) -> bool:
        if not faster:
            monkeypatch.setattr(lease, "_create", create)
            faster.append(acquire_lease(tmp_path))
        return create(path, owner)

    monkeypatch.setattr(lease, "_create", create_after_another)
    with pytest.raises(LeaseHeldError):
        acquire_lease(tmp_path)
    faster[0].verify_owned()


def test_one_that_was_overtaken_twice_sees_that_it_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number that it wanted is free again, because two others came and the second removed the first one's."""
    acquire_lease(tmp_path).release()
    create = lease._create
    faster: list[Lease] = []

    def create_after_others(path: Path, owner: lease.Owner) -> bool:
        if not faster:
            monkeypatch.setattr(lease, "_create", create)
            acquire_lease(tmp_path).release()
            faster.append(acquire_lease(tmp_path))
        return create(path, owner)

    monkeypatch.setattr(lease, "_create", create_after_others)
    with pytest.raises(LeaseHeldError):
        acquire_lease(tmp_path)
    faster[0].verify_owned()
    assert files(tmp_path) == ["00000003"]


def steps_of(function: Callable[[], object]) -> int:
    """The number of calls of the operating system that change something."""
    return sum(1 for _ in run_until_killed(function, kill_before=None))


def run_until_killed(function: Callable[[], object], kill_before: int | None) -> Iterator[str]:
    """In a child process, whose death is real: its steps are counted through a pipe."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        count = 0

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal count
            is_opened_for_writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
            if event in ("os.mkdir", "os.link", "os.remove", "os.rename", "os.utime") or is_opened_for_writing:
                if count == kill_before:
                    os.kill(os.getpid(), signal.SIGKILL)
                count += 1
                os.write(writing, f"{event}\n".encode())

        sys.addaudithook(watch)
        try:
            function()
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as steps:
        yield from steps
    os.waitpid(process, 0)


@pytest.mark.parametrize("state", ["new", "released", "dead owner"])
def test_a_kill_between_any_two_steps_of_acquiring_leaves_a_directory_that_can_be_owned(
    tmp_path: Path, state: str
) -> None:
    def prepare(directory: Path) -> None:
        directory.mkdir()
        if state == "released":
            acquire_lease(directory).release()
        if state == "dead owner":
            list(run_until_killed(lambda: acquire_lease(directory), kill_before=None))

    prepare(tmp_path / "all")
    num_steps = steps_of(lambda: acquire_lease(tmp_path / "all").release())
    assert num_steps >= 5
    for step in range(num_steps + 1):
        directory = tmp_path / str(step)
        prepare(directory)
        done = list(run_until_killed(lambda directory=directory: acquire_lease(directory).release(), kill_before=step))  # type: ignore[misc]
        assert len(done) == min(step, num_steps)
        owned = acquire_lease(directory)
        owned.verify_owned()
        with pytest.raises(LeaseHeldError):
            acquire_lease(directory)
        owned.release()
        assert len(files(directory)) == 1


def test_a_disk_without_links_has_leases_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    first = acquire_lease(tmp_path)
    with pytest.raises(LeaseHeldError):
        acquire_lease(tmp_path)
    first.release()
    acquire_lease(tmp_path).verify_owned()
    (tmp_path / "lease" / "00000003").touch()  # of a process that was killed before it wrote its name
    acquire_lease(tmp_path).verify_owned()


def test_a_directory_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageError, match="cannot be written: Read-only file system") as caught:
        acquire_lease(tmp_path)
    assert "read-only" in str(caught.value.hint)


def test_a_partial_file_of_a_crash_is_removed(tmp_path: Path) -> None:
    (tmp_path / "lease").mkdir()
    (tmp_path / "lease" / f"00000001.0123abcd{durable_files.PARTIAL_SUFFIX}").touch()
    acquire_lease(tmp_path)
    assert files(tmp_path) == ["00000001"]
