"""What tests of several rooms share: settings of hypothesis, and a real Ray cluster on this machine.

All nodes of the cluster listen on the loopback only.
"""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from hypothesis import settings

from errai.workers.ray_cluster import connected

# An example may be slow because the machine is busy, which is not a failure. Every run draws the same examples, so that
# a failure belongs to the change it appears with; `make fuzz` draws new ones.
settings.register_profile("errai", deadline=None, derandomize=True)
settings.register_profile("new-examples", deadline=None, print_blob=True)
settings.load_profile("errai")

# A shell starts background jobs with Ctrl-C ignored, and they hand that on to every process that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ENVIRONMENT = {
    # Without it, Ray puts the address of the network card where it reads `127.0.0.1`.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # So that workers find the functions of the test modules.
    "PYTHONPATH": os.pathsep.join(str(Path(__file__).parent / room) for room in ("", "runs", "workers")),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_enable_metrics_collection": "0",
    # Of a node that does not answer any more: 3 s instead of half a minute.
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "500",
    "RAY_health_check_initial_delay_ms": "0",
}
NODE: dict[str, Any] = {
    "num_cpus": 1,
    "node_ip_address": "127.0.0.1",
    "object_store_memory": 100_000_000,
    "include_dashboard": False,
}


@pytest.fixture(autouse=True)
def no_progress_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints must not depend on how busy the machine is; `render/test_progress.py` tests the lines."""
    monkeypatch.setattr("errai.cli.render.progress._LONG_SECONDS", float("inf"))


def left_behind(directory: str, *, seconds: float = 15.0) -> set[str]:
    """The processes that were started with this directory of Ray's and do not end; some need a moment."""
    end = monotonic() + seconds
    while True:
        found = set()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if process.name != str(os.getpid()) and directory.encode() in (process / "environ").read_bytes():
                    found.add(process.name)
        if not found or monotonic() > end:
            return found
        sleep(0.2)


@pytest.fixture(scope="module")
def ray_environment() -> Iterator[None]:
    """Ray's settings, and a directory of its own, whose name is short enough for sockets.

    Whatever imports Ray needs this fixture, as Ray reads some of its settings only once.
    """
    with pytest.MonkeyPatch.context() as patch:
        directory = tempfile.mkdtemp(prefix="errai-", dir="/tmp")
        for name, value in {**ENVIRONMENT, "RAY_TMPDIR": directory}.items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        yield
        assert not left_behind(directory)
        shutil.rmtree(directory, ignore_errors=True)


NUM_NODES = 2


@pytest.fixture
def cluster(running_cluster: Any) -> Any:
    """A head without cores and two nodes with one core each, whatever the test before did to them."""
    while len(running_cluster.worker_nodes) > NUM_NODES:
        running_cluster.remove_node(max(running_cluster.worker_nodes, key=lambda node: node.unique_id))
    while len(running_cluster.worker_nodes) < NUM_NODES:
        running_cluster.add_node(**NODE)
    return running_cluster


@pytest.fixture(scope="module")
def running_cluster(ray_environment: None) -> Iterator[Any]:
    """A cluster to which this process is connected."""
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0}, shutdown_at_exit=True)
    try:
        for _ in range(NUM_NODES):
            cluster.add_node(**NODE)
        with connected("auto"):
            yield cluster
    finally:
        cluster.shutdown()
        gc.collect()
