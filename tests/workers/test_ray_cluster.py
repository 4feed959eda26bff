"""Work on a real cluster of Ray, whose workers and nodes die."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from errai.agents.loading import load_agent
from errai.cli.main import run
from errai.errors import AgentError, InputError, NetworkError
from errai.games.library import load_game
from errai.play.bet_sets import parse_bets
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from errai.workers.ray_cluster import RayRunner, RayWorker, connected
from errai.workers.remote import WorkerLost

pytestmark = pytest.mark.usefixtures("ray_environment")


def make_slow_square(directory: Path) -> Callable[[int], int]:
    (directory / f"{os.getpid()}").touch()
    return slow_square


def slow_square(number: int) -> int:
    sleep(0.02)
    return number**2


def make_nothing() -> Callable[[int], int]:
    raise AgentError("there is no bot", hint="write one")


# The tests without a cluster come first: later, this process is connected to the one of the fixture.


@pytest.mark.parametrize("address", ["10.0.0.1", "host:", ":1", "127.0.0.1:99999", "ray://127.0.0.1:1"])
def test_an_address_that_is_none_is_wrong_usage(address: str) -> None:
    with pytest.raises(InputError, match=f"^a cluster is `auto` or `HOST:PORT`; got `{address}`$"), connected(address):
        pass


def test_a_cluster_that_is_not_there_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with (
        pytest.raises(NetworkError, match=f"^cannot connect to the cluster `127.0.0.1:{port}`: Connection refused$"),
        connected(f"127.0.0.1:{port}"),
    ):
        pass


def test_somebody_who_is_no_cluster_is_not_waited_for_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with (
            pytest.raises(NetworkError, match=f"^the cluster `{address}` does not answer; waited 3 s$") as caught,
            connected(address, timeout_seconds=3),
        ):
            pass
    assert caught.value.hint is not None
    assert "`ray start` adds it" in caught.value.hint


def test_the_command_line_tells_a_cluster_that_is_none_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("random", "--game", "leduc", "--out", "run", "--cluster", "nowhere")
    for arguments in (("lbr", *command), ("match", "always-call", *command)):
        assert run(arguments) == 2
        assert capsys.readouterr().err == (
            "error: a cluster is `auto` or `HOST:PORT`; got `nowhere`\n\nhint: as in `10.0.0.1:6379`\n"
        )
    assert not list(tmp_path.iterdir())


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"^a cluster needs Ray, which is not installed$") as caught, connected("auto"):
        pass
    assert caught.value.hint == f"`{sys.executable} -m pip install ray` installs it"


def test_results_come_in_order_from_workers_on_every_node(cluster: Any, tmp_path: Path) -> None:
    results = list(RayRunner(cluster.address).run(partial(make_slow_square, tmp_path), range(40)))
    assert results == [number**2 for number in range(40)]
    assert len(list(tmp_path.iterdir())) == 2
    with connected(cluster.address) as connection:
        assert sorted(node.num_cpus for node in connection.nodes()) == [0, 1, 1]


def test_an_error_of_the_work_is_told_as_it_was_raised(cluster: Any) -> None:
    with pytest.raises(AgentError, match=r"^there is no bot$") as caught:
        list(RayRunner("auto").run(make_nothing, range(4)))
    assert caught.value.hint == "write one"


def test_a_worker_that_is_killed_is_replaced(cluster: Any, tmp_path: Path) -> None:
    make_work = partial(make_slow_square, tmp_path)
    with closing(RayRunner(cluster.address, num_workers=1).run(make_work, range(50))) as results:
        found = [next(results) for _ in range(20)]
        (worker,) = tmp_path.iterdir()
        os.kill(int(worker.name), signal.SIGKILL)
        found += results
    assert found == [number**2 for number in range(50)]
    assert len(list(tmp_path.iterdir())) == 2


def result_when_restarted(worker: RayWorker, item: int) -> Any:
    for _ in range(300):
        with suppress(WorkerLost):
            return worker.do(item).result()
        sleep(0.1)
    pytest.fail("the worker was not restarted within half a minute")


def test_a_worker_on_a_node_of_ones_choice_makes_its_work_again_when_it_is_restarted(
    cluster: Any, tmp_path: Path
) -> None:
    with connected(cluster.address) as connection:
        node = next(node for node in connection.nodes() if node.num_cpus)
        worker = connection.start_worker(partial(make_slow_square, tmp_path), node=node, max_restarts=1)
        assert worker.do(3).result() == 9
        call = worker.do(4)
        os.kill(int(min(tmp_path.iterdir()).name), signal.SIGKILL)
        with pytest.raises(WorkerLost):
            call.result()
        assert result_when_restarted(worker, 5) == 25
        assert len(list(tmp_path.iterdir())) == 2
        worker.stop()


def make_watched_agent(directory: Path) -> Any:
    (directory / f"{os.getpid()}").touch()
    return load_agent("random", load_game("leduc"))


def test_local_best_response_gives_the_same_bits_as_here_though_a_worker_is_killed(
    cluster: Any, tmp_path: Path
) -> None:
    leduc = load_game("leduc")
    response = LocalBestResponse(leduc, parse_bets("fcpa"), frozenset({0, 1}))
    make_agent, goal = partial(make_watched_agent, tmp_path), RunGoal(600, seed=5)
    killed: list[int] = []

    def kill_one(_played: Any) -> bool:
        if not killed:
            killed.append(int(min(tmp_path.iterdir()).name))
            os.kill(killed[0], signal.SIGKILL)
        return False

    there = run_local_best_response(
        response, make_agent, goal, run=RayRunner(cluster.address).run, should_stop=kill_one
    )
    here = run_local_best_response(response, make_agent, goal)
    assert killed
    assert there.chips.tobytes() == here.chips.tobytes()
    assert there.last_round.tobytes() == here.last_round.tobytes()


# Kills the process that plays it first, but only once.
MORTAL = """
import os, pathlib, signal
from errai.agents.baselines import UniformRandom

class Mortal(UniformRandom):
    def action_probabilities(self, state, board):
        mark = pathlib.Path("killed")
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().action_probabilities(state, board)
"""


def test_the_command_line_prints_the_same_object_on_a_cluster_though_a_worker_dies(
    cluster: Any, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(MORTAL)  # workers look for it where the command is run
    command = [sys.executable, "-c", "from errai.cli.main import main; main()", "match", "bot.py:Mortal", "seed=1"]
    found = []
    for options in (["--cluster", cluster.address], ["--workers", "1"]):
        done = subprocess.run(
            [*command, "--game", "leduc", "--hands", "2x120", "--duplicate", "--json", *options],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        found.append(json.loads(done.stdout))
        del found[-1]["seconds"], found[-1]["hands_per_second"]
    assert (tmp_path / "killed").exists()
    assert found[0] == found[1]


def test_a_bot_is_judged_to_the_same_bits_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from errai.cli.main import main; main()"]
    table = ["--game", "rhode-island", "--table", "ir-3", "--cache", "cache"]
    subprocess.run([*command, "bot", "build", "bot", *table, "--iterations", "2"], cwd=tmp_path, check=True)
    for sample in ([], ["--flops", "5"]):
        found = []
        for options in (["--cluster", cluster.address], ["--threads", "1"]):
            done = subprocess.run(
                [*command, "exploit", "bot", "--json", *sample, *options], cwd=tmp_path, capture_output=True, check=True
            )
            found.append(json.loads(done.stdout))
            del found[-1]["seconds"]
        assert found[0] == found[1]


def test_a_node_that_dies_takes_nothing_with_it(cluster: Any, tmp_path: Path) -> None:
    with closing(RayRunner(cluster.address).run(partial(make_slow_square, tmp_path), range(100))) as results:
        found = [next(results) for _ in range(20)]
        cluster.remove_node(max(cluster.worker_nodes, key=lambda node: node.unique_id), allow_graceful=False)
        found += results
    assert found == [number**2 for number in range(100)]
