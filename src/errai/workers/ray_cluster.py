"""Ray: connecting to a cluster, its nodes, workers on them. Nothing else of Errai imports Ray.

A driver of Ray has to run on a node of the cluster. `ray.init` retries for minutes when no cluster answers; that cannot
be changed; so an address is tried first in a process of its own, which can be ended after a timeout.
"""

import logging
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from errai.errors import InputError, NetworkError, WorkerError
from errai.workers.remote import Call, WorkerLost, run_remotely
from errai.workers.runner import Item, Result

AUTO = "auto"
_CONNECT_SECONDS = 30.0
_CONNECT_HINT = "is the cluster up, and is this machine one of its nodes? `ray start` adds it, `ray status` shows it"
# These must be the same everywhere for the results to have the same bits.
_PACKAGES = ("errai", "numpy")

MakeWork = Callable[[], Callable[[Any], Any]]


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    id: str  # a new one whenever it joins
    name: str
    address: str
    num_cpus: int


@dataclass(frozen=True)
class RayRunner:
    """A runner on a cluster."""

    address: str  # `auto` or `HOST:PORT`
    num_workers: int | None = None  # None: one per core of the cluster

    def run(
        self, make_work: Callable[[], Callable[[Item], Result]], items: Sequence[Item]
    ) -> Generator[Result, None, None]:
        with connected(self.address) as cluster:
            num_cpus = sum(node.num_cpus for node in cluster.nodes())
            num_workers = min(self.num_workers or num_cpus, num_cpus)
            yield from run_remotely(cluster, make_work, items, num_workers=num_workers)


@contextmanager
def connected(address: str, *, timeout_seconds: float = _CONNECT_SECONDS) -> Iterator["RayCluster"]:
    """Within, this process is a driver of the cluster. An existing connection is used, and left open."""
    ray = _import_ray()
    if ray.is_initialized():
        yield RayCluster(ray)
        return
    _verify_answers(address, timeout_seconds)
    ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield RayCluster(ray)
    finally:
        ray.shutdown()


class RayCluster:
    """A cluster that this process is connected to."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._actor_class = ray.remote(_Actor)

    def nodes(self) -> tuple[Node, ...]:
        """The nodes that are alive, always in the same order."""
        alive = [
            Node(
                id=node["NodeID"],
                name=node["NodeManagerHostname"],
                address=node["NodeManagerAddress"],
                num_cpus=int(node["Resources"].get("CPU", 0)),
            )
            for node in self._ray.nodes()
            if node["Alive"]
        ]
        return tuple(sorted(alive, key=lambda node: node.id))

    def start_worker(
        self,
        make_work: MakeWork,
        *,
        node: Node | None = None,
        num_cpus: float = 1,
        num_threads: int = 1,
        max_restarts: int = 0,
    ) -> "RayWorker":
        """A new worker: on this node and nowhere else, or on any.

        It does as many items at a time as it has threads, but makes its work with the first, which has to be awaited.
        A worker that Ray restarts makes its work again; until then every request ends with `WorkerLost`.
        """
        strategy: Any = "SPREAD"
        if node is not None:
            strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node.id, soft=False)
        options = {
            "num_cpus": num_cpus,
            "max_concurrency": num_threads,
            "max_restarts": max_restarts,
            "scheduling_strategy": strategy,
        }
        actor = self._actor_class.options(**options).remote(make_work, Path.cwd(), _versions())
        return RayWorker(self._ray, actor)

    def wait(self, calls: Collection[Call], *, timeout_seconds: float) -> Sequence[Call]:
        """All finished calls, as soon as there is one; none after the timeout."""
        by_reference = {cast("RayCall", call).reference: call for call in calls}
        references = list(by_reference)
        finished, waiting = self._ray.wait(references, num_returns=1, timeout=timeout_seconds, fetch_local=False)
        if waiting and finished:
            more, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0, fetch_local=False)
            finished += more
        return [by_reference[reference] for reference in finished]


@dataclass(frozen=True)
class RayCall:
    """A request to a worker."""

    ray: Any
    reference: Any

    def result(self) -> Any:
        """The answer, once it is ready; raises the error of the work, or `WorkerLost`."""
        errors = self.ray.exceptions
        # The answer may be lost after it was given, with the memory of the node that held it.
        lost = (
            errors.RayActorError,
            errors.ActorUnschedulableError,
            errors.ObjectLostError,
            errors.NodeDiedError,
            errors.WorkerCrashedError,
        )
        try:
            return self.ray.get(self.reference)
        except errors.RayTaskError as error:
            raise error.cause from error
        except (*lost, errors.OutOfMemoryError) as error:
            # Ray's last line is the reason, and its first sentence the part that is not general advice.
            raise WorkerLost(str(error).splitlines()[-1].partition(". ")[0]) from error


@dataclass(frozen=True)
class RayWorker:
    """A worker somewhere in the cluster."""

    ray: Any
    actor: Any

    def get_ready(self) -> RayCall:
        """Ask it to make its work."""
        return RayCall(self.ray, self.actor.get_ready.remote())

    def do(self, item: Any) -> RayCall:
        """Ask it to do an item."""
        return RayCall(self.ray, self.actor.do.remote(item))

    def stop(self) -> None:
        """End it at once."""
        self.ray.kill(self.actor)


class _Actor:
    """The actor that runs on a node."""

    def __init__(self, make_work: MakeWork, directory: Path, versions: dict[str, str]) -> None:
        self._make_work = make_work
        self._directory = directory
        self._versions = versions
        self._work: Callable[[Any], Any] | None = None

    def get_ready(self) -> None:
        # Not in the constructor: Ray would report an error there as the death of the worker.
        if self._versions != _versions():
            expected, found = (
                ", ".join(f"{name} {number}" for name, number in versions.items())
                for versions in (self._versions, _versions())
            )
            raise WorkerError(
                f"every node must have {expected}; `{os.uname().nodename}` has {found}",
                hint="other versions may give other numbers",
            )
        if self._directory.is_dir():
            os.chdir(self._directory)  # relative paths are meant from there, if this node can see it
        self._work = self._make_work()

    def do(self, item: Any) -> Any:
        if self._work is None:
            self.get_ready()
        assert self._work is not None
        return self._work(item)


def _versions() -> dict[str, str]:
    return {package: version(package) for package in _PACKAGES}


def _import_ray() -> Any:
    try:
        import ray
        import ray.exceptions
        import ray.util.scheduling_strategies
    except ImportError:
        raise InputError(
            "a cluster needs Ray, which is not installed", hint=f"`{sys.executable} -m pip install ray` installs it"
        ) from None
    return ray


def _verify_answers(address: str, timeout_seconds: float) -> None:
    """Verify that `ray.init` will find a cluster."""
    if address != AUTO:
        _verify_listens(address, timeout_seconds)
    program = f"import ray; ray.init({address!r}, log_to_driver=False, logging_level='ERROR'); ray.shutdown()"
    try:
        tried = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        message = f"the cluster `{address}` does not answer; waited {timeout_seconds:g} s"
        raise NetworkError(message, hint=_CONNECT_HINT) from None
    if tried.returncode:
        reason = (tried.stderr.strip() or "no reason given").splitlines()[-1]
        raise NetworkError(f"cannot connect to the cluster `{address}`: {reason}", hint=_CONNECT_HINT)


def _verify_listens(address: str, timeout_seconds: float) -> None:
    """Verify that the port is open, which finds a wrong address at once."""
    parts = re.fullmatch(r"([^/]+):([0-9]{1,5})", address)
    if parts is None or int(parts[2]) > 65535:
        raise InputError(f"a cluster is `auto` or `HOST:PORT`; got `{address}`", hint="as in `10.0.0.1:6379`")
    try:
        socket.create_connection((parts[1], int(parts[2])), timeout=timeout_seconds).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise NetworkError(f"cannot connect to the cluster `{address}`: {reason}", hint=_CONNECT_HINT) from None
