"""Who works on a run: the threads of this machine, or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from errai.runs.flop_executor import FlopExecutor, LocalFlops
from errai.runs.memory import RunResources
from errai.runs.ray_flops import open_ray_flops
from errai.runs.run import WholeRun
from errai.workers.local_runner import num_cores
from errai.workers.ray_cluster import connected


def most_threads(cluster: str | None) -> int:
    """How many work at once on this machine, or on the largest node of a cluster."""
    if cluster is None:
        return num_cores()
    with connected(cluster) as connection:
        return max(1, *(node.num_cpus for node in connection.nodes()))


@contextmanager
def open_executor(
    run: WholeRun,
    resources: RunResources,
    *,
    cluster: str | None = None,
    checkpoint: Path | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[FlopExecutor]:
    """Within, an executor for the flops of a run."""
    if cluster is not None:
        with open_ray_flops(
            run, resources, address=cluster, checkpoint=checkpoint, should_stop=should_stop
        ) as ray_flops:
            yield ray_flops
        return
    worker = run.flop_worker(checkpoint=checkpoint, max_trees=resources.max_trees, should_stop=should_stop)
    with run.owned():
        worker.remove_partial_files()
    yield LocalFlops(worker, resources.num_threads)
