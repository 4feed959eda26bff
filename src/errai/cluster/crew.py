"""Who works on a run: the threads of this machine, or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from errai.cluster.flop_executor import FlopExecutor, LocalFlops
from errai.cluster.flop_worker import FlopWorker
from errai.cluster.run_memory import Crew
from errai.cluster.whole_run import WholeRun


@contextmanager
def open_crew(
    run: WholeRun,
    crew: Crew,
    *,
    cluster: str | None = None,
    checkpoint: Path | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[FlopExecutor]:
    """Within, an executor for the flops of a run."""
    if cluster is not None:
        from errai.cluster.ray_flops import open_ray_flops

        with open_ray_flops(run, crew, address=cluster, checkpoint=checkpoint) as executor:
            yield executor
        return
    worker = FlopWorker(
        run.directory, run.settings, checkpoint=checkpoint, max_trees=crew.max_trees, should_stop=should_stop
    )
    yield LocalFlops(worker, crew.num_threads)
