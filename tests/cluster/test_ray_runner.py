"""A real cluster of Ray on this machine: several nodes, which listen on the loopback only, and which die."""

import gc
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from errai.cluster.local import LocalRunner
from errai.cluster.ray_runner import RayRunner, connected
from errai.cluster.remote import WorkerLost
from errai.errors import AgentError, InputError, NetworkError

ENVIRONMENT = {
    # Without it, Ray puts the address of the network card where it reads `127.0.0.1`.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "PYTHONPATH": str(Path(__file__).parent),  # so that workers find the functions below
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_enable_metrics_collection": "0",
    # Of a node that does not answer any more: 3 s instead of half a minute.
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "500",
    "RAY_health_check_initial_delay_ms": "0",
}
NODE = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 100_000_000, "include_dashboard": False}


@pytest.fixture(scope="module", autouse=True)
def ray_environment() -> Iterator[None]:
    """Ray's settings, read when it is imported, and a directory of its own, whose name is short enough for sockets."""
    with pytest.MonkeyPatch.context() as patch:
        directory = tempfile.mkdtemp(prefix="errai-", dir="/tmp")
        for name, value in {**ENVIRONMENT, "RAY_TMPDIR": directory}.items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        yield
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without cores and two nodes with one core each; this process is connected to it."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0}, shutdown_at_exit=True)
    try:
        for _ in range(2):
            cluster.add_node(**NODE)
        with connected(cluster.address):
            yield cluster
    finally:
        cluster.shutdown()
        gc.collect()


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
    assert "`ray start` makes it one" in caught.value.hint


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"^a cluster needs Ray, which is not installed$") as caught, connected("auto"):
        pass
    assert caught.value.hint == "`pip install errai[cluster]`"


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
    with closing(RayRunner(cluster.address, num_workers=2).run(make_work, range(100))) as results:
        found = [next(results) for _ in range(20)]
        first = min(tmp_path.iterdir())
        os.kill(int(first.name), signal.SIGKILL)
        found += results
    assert found == list(LocalRunner(1).run(make_work, range(100)))
    assert len(list(tmp_path.iterdir())) == 3 + 1  # two, one in place of the dead, and this process


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
        assert worker.do(5).result() == 25
        assert len(list(tmp_path.iterdir())) == 2
        worker.stop()


def test_a_node_that_dies_takes_nothing_with_it(cluster: Any, tmp_path: Path) -> None:
    with closing(RayRunner(cluster.address).run(partial(make_slow_square, tmp_path), range(100))) as results:
        found = [next(results) for _ in range(20)]
        cluster.remove_node(max(cluster.worker_nodes, key=lambda node: node.unique_id), allow_graceful=False)
        found += results
    assert found == [number**2 for number in range(100)]
